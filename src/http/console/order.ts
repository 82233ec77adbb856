import { Problem } from '../../domain/problem.ts'
import { maximumReasonLength } from '../../domain/share-purchases/share-purchase.ts'
import { parseUrl } from '../../domain/text.ts'
import { deriveAnnouncementId, deriveEventId } from '../../domain/webhooks/event.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { button, command, isProduction, mayRun } from './actions.ts'
import { renderEntries } from './audit.ts'
import { foreign, type Html, html, ownPath, pathTo } from './html.ts'
import { nameOf } from './investors.ts'
import { messageIn } from './messages.ts'
import {
  emptyList,
  eventTypeIn,
  facts,
  linkTo,
  money,
  moreOf,
  type Page,
  readerOf,
  rowLimit,
  rowsOf,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'
import { renderPayment } from './payment.ts'
import type { TextName } from './texts.ts'

const mostMoments = 100

type Order = Output<'purchase.show'>
type EventHistory = Output<'event.show'>
type Entry = Row<'audit.list'>

/** The list from which somebody came, which the address keeps while they decide. */
function listBefore(visit: Visit): string | undefined {
  const given = readerOf(visit)('list') ?? cameFrom(visit)
  const list = given === undefined ? undefined : ownPath(given)
  return list !== undefined && /^\/orders(?:\?|$)/.test(list) ? list : undefined
}

function cameFrom({ event, address }: Visit): string | undefined {
  const from = parseUrl(event.req.headers.get('referer') ?? '')
  return from?.host === address.host ? `${from.pathname}${from.search}` : undefined
}

/** An order with its whole history, and the possible decisions. */
export async function showOrder(visit: Visit, share_purchase_id: string): Promise<Page> {
  const { say } = visit
  const order = await visit.service.call('purchase.show', { share_purchase_id })
  const [events, person, entries] = await Promise.all([
    readEvents(visit, order),
    visit.service.call('investor.show', { investor_id: order.investor_id }),
    rowsOf(visit, 'audit.list', { order: order.share_purchase_id }, rowLimit),
  ])
  const list = listBefore(visit)
  const body = html`<p class="back no-print"><a href="${list ?? '/orders'}">${say('backToOrders')}</a></p>
${facts([
  [say('status'), state(visit, order.status)],
  [say('organization'), linkTo.partner(order.organization_id, order.organization)],
  [say('investor'), linkTo.investor(order.investor_id, nameOf(person))],
  [say('reference'), foreign(order.partner_customer_ref)],
  [say('cooperative'), linkTo.cooperative(order.cooperative_id, order.cooperative)],
  [say('shares'), order.share_count],
  [say('share_price'), money(order.price_per_share, order.total_currency, visit)],
  [say('entry_fee'), money(order.entry_fee, order.total_currency, visit)],
  [say('total'), money(order.total, order.total_currency, visit)],
  [say('mandate'), html`<code>${order.mandate_reference}</code>`],
  [say('account'), html`<code>${order.debtor_iban_masked}</code>`],
  [say('placed'), time(order.created_at)],
  [
    say('proposed'),
    order.proposal
      ? html`${stateIn(visit, order.proposal.decision)}, ${foreign(order.proposal.operator)}, ${time(order.proposal.at)}`
      : undefined,
  ],
  [say('changed'), time(order.updated_at)],
  [say('reason'), order.reason === null ? undefined : foreign(order.reason)],
  [
    say('rests_on'),
    order.rests_on?.length
      ? html`${order.rests_on.slice(0, rowLimit).map((id) => html`${linkTo.order(id)} `)}${moreOf(visit, order.rests_on)}`
      : undefined,
  ],
])}
<section class="no-print">${renderDecisions(visit, order, list)}
${renderPayment(visit, order)}</section>
<h2>${say('timeline')}</h2>${renderStory(visit, order, { events, entries })}
<section class="no-print"><h2>${say('deliveries')}</h2>${events.map((event) => renderEvent(visit, event))}
<h2>${say('audit')}</h2>${await renderEntries(visit, entries)}</section>`
  const id = order.share_purchase_id
  const commands = [
    command('purchase', 'show', id, '--json'),
    command('audit', 'list', '--order', id, '--json'),
  ]
  return {
    title: `${say('share_purchase')} ${order.share_purchase_id}`,
    section: 'orders',
    commands,
    body,
  }
}

/** Only decisions that the state of the order allows. */
function renderDecisions(
  visit: Visit,
  { status, proposal, payment, share_purchase_id: id }: Order,
  list: string | undefined,
): Html {
  const { say, settings, address } = visit
  const back = pathTo(address.pathname, { list })
  const part = { input: { share_purchase_id: id }, words: [id], back }
  const isSubmitted = status === 'submitted'
  const isOpen = isSubmitted || status === 'approved'
  const isReasonNeeded = isProduction(settings)
  const reason = html`<label>${say('reason')}<input name="input.reason" maxlength="${maximumReasonLength}"${isReasonNeeded && html` required`}></label>`
  const isUnpaid = payment !== null && payment.state !== 'paid'
  const unpaid = isUnpaid && sureField(visit, 'unpaid')
  const refunded = payment?.state === 'paid' && sureField(visit, 'refunded')
  const isUnderWay = payment?.state === 'collecting'
  if (!isOpen || !mayRun(visit, 'purchase.approve')) return html``
  return html`<h2>${say('decision')}</h2><div class="actions">
${proposal && button(visit, { ...part, input: { ...part.input, proposed_at: proposal.at }, operation: 'purchase.confirm' })}
${isSubmitted && button(visit, { ...part, operation: 'purchase.approve' })}
${!isSubmitted && button(visit, { ...part, operation: 'purchase.settle', fields: unpaid || undefined, words: isUnpaid ? [id, '--unpaid'] : [id], tone: proposal || isUnpaid ? 'quiet' : undefined })}
${isUnderWay ? html`<p class="soft">${say('paymentOverBank')}</p>` : button(visit, { ...part, operation: 'purchase.reject', tone: 'danger', fields: html`${reason}${refunded}`, words: [id, '--reason', 'REASON', ...(refunded ? ['--refunded'] : [])] })}
${isSubmitted && button(visit, { ...part, operation: 'purchase.cancel', tone: 'quiet' })}</div>`
}

/** A box that must be checked, because a decision about money cannot be undone. */
function sureField({ say }: Visit, name: 'unpaid' | 'refunded'): Html {
  return html`<label class="check"><input type="checkbox" name="input.${name}" value="true" required>${say(name)}</label>`
}

/** The ids of the events are derived from the order, its transitions and its direct debits, so no search is needed. */
async function readEvents(visit: Visit, order: Order): Promise<readonly EventHistory[]> {
  const ids = [
    ...order.history.map(({ status }) => deriveEventId(order.share_purchase_id, status)),
    ...(order.payment?.attempts ?? []).map(({ end_to_end_id: id }) => deriveAnnouncementId(id)),
  ]
  const found = await Promise.all(
    ids.map((event_id) => visit.service.call('event.show', { event_id }).catch(orMissing)),
  )
  return found.filter((event) => event !== undefined)
}

/** Events are removed after their retention, and legacy orders have none. */
function orMissing(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'EVENT_NOT_FOUND') return undefined
  throw error
}

interface Moment {
  readonly at: string
  readonly what: Html
}

interface Past {
  readonly events: readonly EventHistory[]
  readonly entries: readonly Entry[]
}

function renderStory(visit: Visit, order: Order, { events, entries }: Past): Html {
  const { say } = visit
  const transitions: Moment[] = order.history.map(({ at, status }) => {
    const by = actorOf(entries, status)
    return {
      at,
      what: html`${state(visit, status)} ${by !== undefined && foreign(say('by', { by }))}`,
    }
  })
  const attempts = events.flatMap((event) => {
    const moment = (kind: TextName, { at, ...attempt }: Attempt & { readonly at: string }) => ({
      at,
      what: html`<a href="/events/${event.event_id}">${say(kind)}</a>: ${outcomeOf(visit, attempt)}`,
    })
    return [
      ...event.attempts.map((attempt) => moment('webhook', attempt)),
      ...(event.mail?.attempts ?? []).map((attempt) => moment('attemptsAtMail', attempt)),
    ]
  })
  const moments = [...transitions, ...attempts].toSorted((left, right) =>
    left.at < right.at ? -1 : left.at > right.at ? 1 : 0,
  )
  // After many replays, operators look for the newest attempts.
  const shown = moments.slice(-mostMoments)
  const left = moments.length - shown.length
  return html`${left > 0 && html`<p class="soft">${say('earlier', { count: left })}</p>`}<ol class="story">${shown.map(({ at, what }) => html`<li>${time(at)} ${what}</li>`)}</ol>`
}

/** Who moved an order to a status, as far as the shown entries of the audit say. */
function actorOf(entries: readonly Entry[], status: string): string | undefined {
  const entry = entries.find(({ changes }) =>
    changes.some(
      ({ record, after }) => record === 'share_purchase' && after?.['status'] === status,
    ),
  )
  return entry?.actor.name
}

export interface Attempt {
  readonly delivered: boolean
  readonly written?: boolean
  readonly status: number | null
  readonly failure: string | null
  readonly detail: string | null
  readonly duration_ms: number
}

/** How an attempt ended. */
export function outcomeOf(
  visit: Visit,
  { delivered, written, status, failure, detail, duration_ms: ms }: Attempt,
): Html {
  if (written) return html`${state(visit, 'written')} (${ms}\u00a0ms)`
  if (delivered) return html`${state(visit, 'delivered')} ${status} (${ms}\u00a0ms)`
  return html`${state(visit, 'failed')}: ${messageIn(visit, detail ?? `${failure} ${status ?? ''}`)} (${ms}\u00a0ms)`
}

function renderEvent(visit: Visit, event: EventHistory): Html {
  const { event_id } = event
  const replay = {
    input: { event_id },
    words: [event_id],
    operation: 'event.replay',
    tone: 'quiet',
  } as const
  return html`<h3><code>${event.type}</code> ${linkTo.event(event_id)} ${state(visit, event.state)}</h3>
${renderDeliveries(visit, event, eventTypeIn(visit, event.type))}
${(event.deliveries.length > 0 || event.mail) && button(visit, replay)}`
}

/** To whom an event is sent, and how far that is. */
export function renderDeliveries(visit: Visit, event: EventHistory, caption: string): Html {
  const { say } = visit
  const deliveries = [
    ...event.deliveries.map((delivery) => ({ ...delivery, to: delivery.url ?? '–' })),
    ...(event.mail ? [{ ...event.mail, to: say('attemptsAtMail') }] : []),
  ]
  return html`${table(
    say,
    caption,
    deliveries.slice(0, rowLimit),
    [
      { head: 'address', cell: ({ to }) => foreign(to) },
      { head: 'state', cell: (delivery) => state(visit, delivery.state) },
      {
        head: 'nextAttempt',
        cell: (delivery) => time(delivery.next_attempt_at ?? delivery.due_since),
      },
      { head: 'reason', cell: ({ dead_because: why }) => why && say(why) },
    ],
    emptyList(visit, 'empty.deliveries'),
  )}${moreOf(visit, deliveries)}`
}
