import { createHash } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { maximumReasonLength } from '../../domain/share-purchases/share-purchase.ts'
import { quoteWord } from '../../domain/text.ts'
import { nextInstant, startOfDay } from '../../domain/timestamp.ts'
import {
  decideOrders,
  isRead,
  type OrderToDecide,
  previewFilter,
  type Selection,
  selectOrders,
  selectToDecide,
} from '../../operations/bulk/decide-orders.ts'
import { type PreviewOfOrders, previewOf } from '../../operations/bulk/order-preview.ts'
import { distinctIds } from '../../operations/bulk/try-each.ts'
import { parameterReader } from '../query.ts'
import { command, isProduction, type Reply, type SentForms } from './actions.ts'
import { flagsOf, foreign, type Html, html, ownPath } from './html.ts'
import { type Filter, filterIn, type Order } from './order-filter.ts'
import { type Outcomes, outcomeOf } from './order-outcomes.ts'
import {
  type ConsoleDecision,
  decisionNames,
  findSettled,
  mayFollow,
  statusesBefore,
  whyNot,
  whyNotIn,
  whyNotPaid,
} from './order-refusals.ts'
import { numberOf, renderName } from './order-rows.ts'
import { renderSums } from './order-sums.ts'
import {
  type Column,
  commandLine,
  csrfField,
  money,
  moreOf,
  type Page,
  rowLimit,
  shortCommandLine,
  state,
  stateIn,
  table,
  type Visit,
} from './page.ts'

/** The maximum number of orders that can be selected one by one. */
const mostSelected = 1000

/** Which orders a form means, and what is decided. */
interface Asked {
  readonly decision: ConsoleDecision
  /** The selected orders, or all that match the filter. */
  readonly chosen: { readonly ids: readonly string[] } | { readonly matching: Matching }
  /** The address of the filtered list. */
  readonly back: string
}

type Matching = Filter & { readonly until: string }

interface Kept {
  readonly sent: SentForms
  readonly outcomes: Outcomes
}

/** Shows a preview. Once it is confirmed, decides exactly these orders, and returns to the list. */
export async function decideSelected(
  visit: Visit,
  form: URLSearchParams,
  { sent, outcomes }: Kept,
): Promise<Reply> {
  const { service } = visit
  const decision = decisionNames.find((known) => known === form.get('decision'))
  if (decision === undefined) throw new Problem('VALIDATION_ERROR', 'Choose a decision.')
  await service.requireRole(`purchase.${decision}`, {})
  const asked = readAsked(visit, form, decision)
  if (form.get('confirmed') !== 'yes') return previewPage(visit, asked)
  return sent.once(visit, form, async () => {
    const orders = await selectFitting(visit, decision, selectionOf(asked))
    // Since the preview, another operator may have decided some orders, or a partner may have cancelled one.
    const mustBeSame = 'matching' in asked.chosen || decision === 'confirm'
    if (mustBeSame && form.get('expected') !== digestOf(decision, orders)) {
      return previewPage(visit, asked, 'changedSince')
    }
    visit.event.context.operation = `purchase.${decision}`
    const reason = form.get('reason') || undefined
    const tried = await decideOrders(service, orders, { decision, reason })
    const list = new URL(asked.back, visit.address)
    list.searchParams.set('outcome', outcomes.keep(visit, outcomeOf(visit, decision, tried)))
    return { goTo: `${list.pathname}${list.search}` }
  })
}

function readAsked(visit: Visit, form: URLSearchParams, decision: ConsoleDecision): Asked {
  const { say, service } = visit
  const address = form.get('filter') ?? ''
  const back = ownPath(`/orders${address}`)
  if (form.get('matching') === 'yes') {
    const filter = filterIn(parameterReader(address.replace(/^\?/, '')))
    // Orders that are placed after the preview are not included.
    const pinned = startOfDay(form.get('until') ?? '') || nextInstant(service.clock.now())
    const until = filter.until ?? pinned
    const proposed = decision === 'confirm' ? (true as const) : filter.proposed
    return { decision, chosen: { matching: { ...filter, until, proposed } }, back }
  }
  const ids = distinctIds(form.getAll('id'))
  if (ids.length === 0) throw new Problem('VALIDATION_ERROR', say('nothingSelected'))
  if (ids.length > mostSelected) {
    throw new Problem('VALIDATION_ERROR', say('tooManySelected', { count: mostSelected }))
  }
  return { decision, chosen: { ids }, back }
}

function selectionOf({ decision, chosen }: Asked): Selection {
  if ('ids' in chosen) return chosen
  const { status, ...filter } = chosen.matching
  const before: readonly Order['status'][] = statusesBefore[decision]
  return { filter: { ...filter, statuses: before.filter((each) => !status || each === status) } }
}

/** All orders that match a filter, without those whose payment prevents the decision. */
async function selectFitting(
  visit: Visit,
  decision: ConsoleDecision,
  selection: Selection,
): Promise<readonly OrderToDecide[]> {
  const orders = await selectToDecide(visit.service, decision, selection)
  if ('ids' in selection) return orders
  return orders.filter(
    (order) => !isRead(order) || whyNotPaid(visit, decision, order) === undefined,
  )
}

/** Whether orders have to be read, because the payment of each decides whether it is left out. */
async function isAboutMoney({ service }: Visit, decision: ConsoleDecision): Promise<boolean> {
  return (decision === 'settle' || decision === 'reject') && service.reads.hasCreditor()
}

/** A confirmation is about the proposals that the operator has seen. */
function digestOf(decision: ConsoleDecision, orders: readonly OrderToDecide[]): string {
  const texts = orders.map((order) => {
    const at = decision === 'confirm' && isRead(order) ? order.proposal?.at : undefined
    return `${order.share_purchase_id} ${at ?? ''}`
  })
  return createHash('sha256').update(texts.join('\n')).digest('hex')
}

/** What a preview shows. */
interface Previewed {
  readonly found: PreviewOfOrders
  /** The value that shows at the confirmation whether the orders are still the same. */
  readonly digest: string
  /** The orders that will be decided, if they were selected one by one. */
  readonly orders?: readonly Order[]
  readonly leftOut: Html | undefined
}

async function previewPage(visit: Visit, asked: Asked, note?: 'changedSince'): Promise<Page> {
  const { say, csrf, service } = visit
  const { decision, chosen, back } = asked
  const { found, digest, orders, leftOut } = await ('ids' in chosen
    ? previewSelected(visit, decision, chosen.ids)
    : previewMatching(visit, asked, chosen.matching))
  if (found.count === 0 && !leftOut) throw new Problem('VALIDATION_ERROR', say('nothingSelected'))
  const ids = found.share_purchase_ids
  const hidden =
    'matching' in chosen
      ? html`<input type="hidden" name="matching" value="yes"><input type="hidden" name="until" value="${chosen.matching.until}">`
      : ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)
  const isReasonNeeded = isProduction(visit.settings)
  const reason = html`<label>${say('reason')}<input name="reason" maxlength="${maximumReasonLength}"${isReasonNeeded && html` required`}></label>`
  const form = html`<form method="post" action="/orders" class="selection row">${csrfField(csrf)}
<input type="hidden" name="once" value="${service.random.traceId()}"><input type="hidden" name="expected" value="${digest}">
<input type="hidden" name="decision" value="${decision}"><input type="hidden" name="confirmed" value="yes">
<input type="hidden" name="filter" value="${back.slice('/orders'.length)}">${hidden}
${decision === 'reject' && reason}
<button class="${decision === 'reject' ? 'danger' : ''}">${say(decision)}</button> <a href="${back}">${say('back')}</a>
${renderCommand(visit, asked, ids)}</form>`
  const body = html`${note && html`<p class="note" role="status">${say(note)}</p>`}${renderSums(visit, found)}
${leftOut}
${orders && orders.length > 0 && renderOrders(visit, orders)}
${found.count > 0 ? form : html`<p><a href="${back}">${say('back')}</a></p>`}`
  const title = say('previewOf', { what: say(decision) })
  return { title, section: 'orders', body, isQuestion: true }
}

async function previewSelected(
  visit: Visit,
  decision: ConsoleDecision,
  ids: readonly string[],
): Promise<Previewed> {
  const { say, service } = visit
  const read = await service.reads.ordersOf(ids)
  const known = new Set(read.map(({ share_purchase_id: id }) => id))
  const approved = read.filter(({ status }) => status === 'approved')
  const settled = new Set([
    ...(await findSettled(visit, read)),
    // They are settled before those that depend on them.
    ...approved.map(({ share_purchase_id: id }) => id),
  ])
  const judged = read.map((order) => ({ order, why: whyNot(visit, decision, order, settled) }))
  const left: readonly LeftOut[] = [
    ...judged.flatMap(({ order, why }) => (why ? [{ who: renderName(order), order, why }] : [])),
    ...ids
      .filter((id) => !known.has(id.toLowerCase()))
      .map((id) => ({ who: html`<code>${id}</code>`, why: html`${say('noSuchOrder')}` })),
  ]
  const orders = judged.flatMap(({ order, why }) => (why ? [] : [order]))
  const leftOut = left.length > 0 ? renderLeftOut(visit, left) : undefined
  return { found: previewOf(orders), digest: digestOf(decision, orders), orders, leftOut }
}

interface LeftOut {
  readonly who: Html
  readonly order?: Order
  readonly why: Html
}

function renderLeftOut(visit: Visit, left: readonly LeftOut[]): Html {
  const { say } = visit
  return html`<h2>${say('leftOut', { count: left.length })}</h2>${table(
    say,
    say('leftOut', { count: left.length }),
    left.slice(0, rowLimit),
    [
      { head: 'investor', className: 'name', cell: ({ who }) => who },
      { head: 'status', cell: ({ order }) => order && state(visit, order.status) },
      {
        head: 'total',
        cell: ({ order }) => order && money(order.total, order.total_currency, visit),
        isNumber: true,
      },
      { head: 'reason', className: 'wide', cell: ({ why }) => why },
    ],
  )}${moreOf(visit, left)}`
}

async function previewMatching(
  visit: Visit,
  asked: Asked,
  { status, ...filter }: Matching,
): Promise<Previewed> {
  const { say, service } = visit
  const { decision } = asked
  const selection = selectionOf(asked)
  const [preview, counts] = await Promise.all([
    previewOrders(visit, decision, selection),
    service.reads.countOrders(filter),
  ])
  const left = Object.entries(counts).flatMap(([name, { count, isMore }]) => {
    const each = name as Order['status']
    const isLeft = count > 0 && !mayFollow(decision, each) && (!status || each === status)
    return isLeft ? [{ status: each, shown: numberOf(visit, count, isMore), why: undefined }] : []
  })
  const { unpaid } = preview
  const leftOut =
    left.length + unpaid.length === 0
      ? undefined
      : html`<h2>${say('left_alone')}</h2>${table(
          say,
          say('left_alone'),
          [...left, ...unpaid],
          [
            { head: 'status', cell: (row) => state(visit, row.status) },
            { head: 'count', cell: ({ shown }) => shown, isNumber: true },
            { head: 'reason', cell: (row) => row.why ?? whyNotIn(visit, decision, row.status) },
          ],
        )}`
  return { ...preview, leftOut }
}

/** Only a confirmation needs each order, because of its proposal, and a decision about money because of the payment. */
async function previewOrders(
  visit: Visit,
  decision: ConsoleDecision,
  selection: Selection,
): Promise<Pick<Previewed, 'found' | 'digest'> & { readonly unpaid: readonly UnpaidOrders[] }> {
  const { service } = visit
  const needsEach = decision === 'confirm' || (await isAboutMoney(visit, decision))
  if (!needsEach && 'filter' in selection) {
    const isPossible = selection.filter.statuses?.length !== 0
    const found = isPossible ? await previewFilter(service, selection.filter) : previewOf([])
    const ids = found.share_purchase_ids.map((share_purchase_id) => ({ share_purchase_id }))
    return { found, digest: digestOf(decision, ids), unpaid: [] }
  }
  const selected = await selectOrders(service, selection)
  const unpaid = new Map<string, UnpaidOrders & { count: number }>()
  const orders = selected.filter((order) => {
    const why = isRead(order) ? whyNotPaid(visit, decision, order) : undefined
    if (why === undefined || !isRead(order)) return true
    const count = (unpaid.get(why)?.count ?? 0) + 1
    unpaid.set(why, { status: order.status, why, count, shown: numberOf(visit, count) })
    return false
  })
  const found = previewOf(orders.filter(isRead))
  return { found, digest: digestOf(decision, orders), unpaid: [...unpaid.values()] }
}

/** Orders that are left out because of their payments. */
interface UnpaidOrders {
  readonly status: Order['status']
  readonly shown: string
  readonly why: string
}

function renderOrders(visit: Visit, orders: readonly Order[]): Html {
  const { say } = visit
  return html`<h2>${say('orders')}</h2>${table(say, say('orders'), orders.slice(0, rowLimit), [
    { head: 'investor', className: 'name', cell: renderName },
    { head: 'cooperative', cell: ({ cooperative }) => foreign(cooperative) },
    { head: 'shares', cell: ({ share_count }) => share_count, isNumber: true },
    { head: 'total', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
    ...proposalColumn(visit, orders),
  ])}${moreOf(visit, orders)}`
}

/** What is confirmed, if somebody has proposed something. */
function proposalColumn(visit: Visit, orders: readonly Order[]): readonly Column<Order>[] {
  if (orders.every(({ proposal }) => proposal === null)) return []
  const cell = ({ proposal }: Order) =>
    proposal &&
    html`${stateIn(visit, proposal.decision)}, ${foreign(proposal.operator)} ${proposal.reason && foreign(proposal.reason)}`
  return [{ head: 'proposed', cell }]
}

/** The command has no flags for some filters, but takes ids from a list. */
function renderCommand(visit: Visit, { decision, chosen }: Asked, ids: readonly string[]): Html {
  const reason = decision === 'reject' ? ' --reason REASON' : ''
  if ('ids' in chosen) {
    const about = (words: readonly string[]) => `purchase ${decision} ${words.join(' ')}${reason}`
    const words = ids.map(quoteWord)
    const short = words.length > 3 ? [...words.slice(0, 3), '…'] : words
    return shortCommandLine(visit, about(words), about(short))
  }
  const { organization, cooperative, until, status, proposed, ...others } = chosen.matching
  const [only, another] = statusesBefore[decision].filter((each) => !status || each === status)
  const all = decision === 'confirm' ? 'proposed' : another ? undefined : only
  const isPlain = Object.values(others).every((value) => value === undefined)
  if (all && isPlain && (decision === 'confirm' || !proposed)) {
    const flags = flagsOf({ organization, cooperative, before: until })
    return commandLine(visit, `${command('purchase', decision, `--all-${all}`, ...flags)}${reason}`)
  }
  const list = command('purchase', 'list', ...flagsOf(chosen.matching), '-o', 'csv')
  return commandLine(visit, list, `purchase ${decision} -${reason}`)
}
