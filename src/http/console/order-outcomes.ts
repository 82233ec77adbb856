import { LRUCache } from 'lru-cache'
import { currency, type Money } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { ProblemCode } from '../../domain/problem-code.ts'
import type { DecidedOrder } from '../../operations/bulk/decide-orders.ts'
import { sumOf } from '../../operations/bulk/order-preview.ts'
import { isFailed, type Tried } from '../../operations/bulk/try-each.ts'
import { type Html, html } from './html.ts'
import { messageIn } from './messages.ts'
import type { Order } from './order-filter.ts'
import { type ConsoleDecision, findSettled, whyNot } from './order-refusals.ts'
import { numberOf, renderBox, renderName } from './order-rows.ts'
import { money, readerOf, state, table, type Visit } from './page.ts'

/** What came of a decision on many orders. */
interface Outcome {
  readonly decision: ConsoleDecision
  readonly decided: number
  readonly total: Money
  /** The number of decisions that another operator has to confirm. */
  readonly proposed: number
  readonly failed: readonly Failure[]
}

interface Failure {
  readonly id: string
  /** undefined for a fault of the service, which is in the log. */
  readonly code: ProblemCode | undefined
  readonly message: string
}

export function outcomeOf(
  { logger, event }: Visit,
  decision: ConsoleDecision,
  tried: readonly Tried<DecidedOrder>[],
): Outcome {
  const { requestId = '' } = event.context
  const decided = tried.flatMap((each) => (isFailed(each) ? [] : each.result))
  // A proposal stays with the order until another operator confirms it.
  const done = decided.filter(({ proposal }) => proposal === null)
  const failed = tried.filter(isFailed).map(({ id, problem }) => {
    if (problem instanceof Problem) return { id, code: problem.code, message: problem.message }
    logger.error({ requestId, error: problem }, 'A request failed.')
    return { id, code: undefined, message: '' }
  })
  const proposed = decided.length - done.length
  return { decision, decided: done.length, total: sumOf(done), proposed, failed }
}

const keptSeconds = 12 * 3600

/**
 * The outcomes of the last decisions of each session on this instance. An address would be too short for thousands of
 * orders, and the audit has each decision permanently.
 */
export class Outcomes {
  readonly #kept = new LRUCache<string, Outcome>({
    maxSize: 200_000,
    sizeCalculation: ({ failed }) => 1 + failed.length,
    ttl: keptSeconds * 1000,
  })

  /** @returns the id of the outcome, for the address of the page that shows it */
  keep({ csrf, service }: Visit, outcome: Outcome): string {
    const id = service.random.traceId()
    this.#kept.set(`${csrf} ${id}`, outcome)
    return id
  }

  find({ csrf }: Visit, id: string): Outcome | undefined {
    return this.#kept.get(`${csrf} ${id}`)
  }
}

/** What happened, above the list, and which orders of the list are still selected. */
export interface ShownOutcome {
  readonly body: Html
  readonly selected: ReadonlySet<string>
}

const nothing: ShownOutcome = { body: html``, selected: new Set() }

const mostShown = 100

/** @param listed the orders of the list, which has the boxes of those that failed */
export async function showOutcome(
  visit: Visit,
  outcomes: Outcomes,
  listed: readonly Order[],
): Promise<ShownOutcome> {
  const { say } = visit
  const id = readerOf(visit)('outcome')
  if (id === undefined) return nothing
  const outcome = outcomes.find(visit, id)
  if (!outcome) {
    const body = html`<p class="note" role="status">${say('outcomeGone')} <a href="/audit?actor=operator">${say('audit')}</a></p>`
    return { ...nothing, body }
  }
  const { decision, decided, total, proposed, failed } = outcome
  const body = html`<div class="note${failed.length > 0 && html` bad`}" role="status">
${decided > 0 && html`<p>${say(`decided.${decision}`, { count: numberOf(visit, decided), sum: money(total, currency, visit) })}</p>`}
${proposed > 0 && html`<p>${say('proposedToDecide', { count: numberOf(visit, proposed) })}</p>`}
${failed.length > 0 && html`<p>${say('failedToDecide', { count: numberOf(visit, failed.length) })}</p>`}</div>
${failed.length > 0 && (await renderFailed(visit, outcome, listed))}`
  return { body, selected: new Set(failed.map((each) => each.id)) }
}

async function renderFailed(
  visit: Visit,
  { decision, failed }: Outcome,
  listed: readonly Order[],
): Promise<Html> {
  const { say } = visit
  const shown = failed.slice(0, mostShown)
  const found = await visit.service.reads.ordersOf(shown.map(({ id }) => id))
  const orders = new Map(found.map((order) => [order.share_purchase_id, order]))
  const settled = await findSettled(visit, found)
  const isListed = new Set(listed.map(({ share_purchase_id: id }) => id))
  const rows = shown.map((failure) => ({ failure, order: orders.get(failure.id) }))
  const left = failed.length - shown.length
  return html`<h2>${say('notDecided')}</h2>
${table(say, say('notDecided'), rows, [
  {
    head: 'select',
    className: 'box',
    cell: ({ order }) =>
      order && !isListed.has(order.share_purchase_id) && renderBox(visit, order, true),
  },
  {
    head: 'investor',
    className: 'name',
    cell: ({ order, failure }) => (order ? renderName(order) : html`<code>${failure.id}</code>`),
  },
  { head: 'status', cell: ({ order }) => order && state(visit, order.status) },
  {
    head: 'total',
    cell: ({ order }) => order && money(order.total, order.total_currency, visit),
    isNumber: true,
  },
  {
    head: 'reason',
    className: 'wide',
    cell: ({ order, failure }) =>
      (order && whyNot(visit, decision, order, settled)) ?? explain(visit, failure),
  },
])}${left > 0 && html`<p class="soft">${say('more', { count: left })}</p>`}<h2>${say('orders')}</h2>`
}

/** What happened after the order was read, in the language of the page as far as possible. */
function explain(visit: Visit, { code, message }: Failure): Html {
  const { say } = visit
  if (code === undefined) return html`${say('failed')}`
  if (code === 'SHARE_PURCHASE_NOT_FOUND') return html`${say('noSuchOrder')}`
  if (code === 'SERVICE_UNAVAILABLE') return html`${say('storeRefuses')}`
  return messageIn(visit, message)
}
