import { addMoney, zeroMoney } from '../../domain/money.ts'
import type { OrderSum } from '../../domain/share-purchases/share-purchase.ts'
import { addDays } from '../../domain/timestamp.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { renderEntries } from './audit.ts'
import { exact, renderDays } from './day-chart.ts'
import { foreign, type Html, html } from './html.ts'
import { messageIn } from './messages.ts'
import {
  counted,
  elapsed,
  emptyList,
  linkTo,
  money,
  type Page,
  partnersLink,
  readerOf,
  rowsOf,
  state,
  table,
  type Visit,
} from './page.ts'
import { successOf } from './partners.ts'

const mostTroubled = 100
/** The maximum number of pending deliveries of an endpoint that are read. The oldest ones failed first. */
const mostPending = 20
const mostShown = 10
/** Of the entries of statements that wait for a person. */
const mostUnmatched = 100
/** Of the orders that wait longest. */
const mostWaiting = 5
/** The lengths of the chart, in days. */
const lengths = [7, 30, 90] as const

/** The tasks of today. Every number is kept or counted by an index, and every list is short. */
export async function showToday(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const asked = readerOf(visit)('days')
  const length = lengths.find((each) => String(each) === asked) ?? 30
  const oldest = (status: 'submitted' | 'approved') =>
    rowsOf(visit, 'purchase.list', { status }, mostWaiting)
  const [{ orders, events, days, owners }, creditors, submitted, approved, entries] =
    await Promise.all([
      service.reads.today(length),
      service.reads.creditors(),
      oldest('submitted'),
      oldest('approved'),
      rowsOf(visit, 'audit.list', { actor: 'operator' }, mostShown),
    ])
  const troubled = await findTroubled(visit, owners)
  const unmatched = creditors.length > 0 ? await service.reads.unmatched(mostUnmatched) : []
  const [today] = days.slice(-1)
  const placedToday = today && `/orders?since=${today.day}`
  const settledToday = today && `/orders?settled_since=${today.day}`
  const isEmpty = days.every(({ placed, settled }) => placed.count + settled.count === 0)
  const isNew = Object.values(orders).every(({ count }) => count === 0)
  const body = html`${isNew && emptyList(visit, 'empty.today', partnersLink(visit))}<ul class="cards">
${sumCard(visit, 'toApprove', orders.submitted, '/orders?status=submitted')}
${sumCard(visit, 'toSettle', orders.approved, '/orders?status=approved')}
${today && sumCard(visit, 'placedToday', today.placed, placedToday ?? '')}
${today && sumCard(visit, 'settledToday', today.settled, settledToday ?? '')}
${
  creditors.length > 0 &&
  html`${sumCard(visit, 'duePayments', sumOf(creditors, 'due'), '/payments')}
${sumCard(visit, 'returnedPayments', sumOf(creditors, 'returned'), '/orders?payment_state=returned')}
${card(say('toAssign'), counted(unmatched.length, visit, mostUnmatched), '/statements#assign')}`
}
${card(say('deadDeliveries'), counted(events.dead, visit), '/events?state=dead')}
${card(say('pendingEvents'), counted(events.pending, visit), '/events?state=pending')}</ul>
<h2>${say('lastDays', { count: length })}</h2>
<p class="choices">${lengths.map((each) => html`<a href="/?days=${each}"${each === length && html` aria-current="true"`}>${say('lastDays', { count: each })}</a> `)}</p>
${
  isEmpty
    ? html`<p class="soft">${say('noOrders', { count: length })}</p>`
    : renderDays(
        visit,
        days.map((day) => ({ ...day, next: addDays(day.day, 1) })),
      )
}
<h2>${say('waitsLongest')}</h2>
${submitted.length + approved.length === 0 && html`<p class="soft">${say('nothingWaitsForYou')}</p>`}
${renderWaiting(visit, 'forDecision', submitted)}${renderWaiting(visit, 'forSettlement', approved)}
<h2>${say('troubled')}</h2>
${renderTroubled(visit, troubled)}
<h2>${say('deeds')}</h2>${await renderEntries(visit, entries)}
<p><a href="/audit?actor=operator">${say('wholeAudit')}</a></p>`
  const commands = [
    ...['submitted', 'approved'].map((status) => `purchase list --status ${status} --json`),
    'webhook list --json',
    'event list --state dead --json',
    'audit list --actor operator --json',
  ]
  return { title: say('today'), section: 'today', commands, body }
}

type Creditors = Awaited<ReturnType<Visit['service']['reads']['creditors']>>

function sumOf(creditors: Creditors, what: 'due' | 'returned'): OrderSum {
  return creditors.reduce(
    (sum, { [what]: one }) => ({
      count: sum.count + one.count,
      total: addMoney(sum.total, one.total),
    }),
    { count: 0, total: zeroMoney },
  )
}

function sumCard(
  visit: Visit,
  label:
    | 'toApprove'
    | 'toSettle'
    | 'placedToday'
    | 'settledToday'
    | 'duePayments'
    | 'returnedPayments',
  { count, total }: OrderSum,
  href: string,
): Html {
  const amount = html`<span class="amount">${money(total, 'EUR', visit)}</span>`
  return card(visit.say(label), html`${exact(visit, count)}`, href, amount)
}

function card(label: string, count: Html | string, href: string, amount?: Html): Html {
  return html`<li><strong>${count}</strong>${amount}<a href="${href}">${label}</a></li>`
}

type Order = Row<'purchase.list'>

/** The oldest orders of a status, which wait for a decision or for their settlement. */
function renderWaiting(
  visit: Visit,
  what: 'forDecision' | 'forSettlement',
  orders: readonly Order[],
): Html {
  const { say } = visit
  if (orders.length === 0) return html``
  return html`<h3>${say(what)}</h3>${table(say, say(what), orders, [
    { head: 'share_purchase', cell: (row) => linkTo.order(row.share_purchase_id) },
    { head: 'organization', cell: (row) => foreign(row.organization) },
    { head: 'cooperative', cell: (row) => foreign(row.cooperative) },
    { head: 'total', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
    { head: 'waitingFor', cell: (row) => elapsed(visit, row.created_at), isNumber: true },
  ])}`
}

type Endpoint = Output<'webhook.list'>[number]

/** An endpoint that does not accept its events, or a partner whose dead events no endpoint explains. */
interface Troubled {
  readonly organization_id: string
  readonly organization: string | null
  readonly url: string
  readonly endpoint?: Endpoint
  readonly pending: number
  readonly dead: number
  readonly why: string | null
}

function renderTroubled(visit: Visit, troubled: readonly Troubled[]): Html {
  const { say } = visit
  if (troubled.length === 0) return html`<p class="good">${say('noTrouble')}</p>`
  const left = troubled.length - mostShown
  return html`${table(say, say('troubled'), troubled.slice(0, mostShown), [
    { head: 'organization', cell: (row) => linkTo.partner(row.organization_id, row.organization) },
    {
      head: 'webhook_endpoint',
      className: 'address',
      cell: ({ url, endpoint }) =>
        html`${foreign(url)} ${endpoint?.paused_at && state(visit, 'paused')}`,
    },
    {
      head: 'success24h',
      cell: ({ endpoint }) => (endpoint ? successOf(visit, endpoint) : '–'),
      isNumber: true,
    },
    {
      head: 'waitingDeliveries',
      cell: ({ pending }) => counted(pending, visit, mostPending),
      isNumber: true,
    },
    {
      head: 'deadDeliveries',
      cell: ({ dead, organization_id: id }) =>
        dead > 0 &&
        html`<a class="bad" href="/events?state=dead&amp;organization=${id}">${counted(dead, visit, mostTroubled)}</a>`,
      isNumber: true,
    },
    { head: 'reason', cell: ({ why }) => messageIn(visit, why ?? '–') },
  ])}${left > 0 && html`<p class="soft">${say('more', { count: left })}</p>`}`
}

/**
 * Endpoints whose last attempts have failed or that are paused while events wait, the least successful first, and then
 * partners with older dead events.
 * @param owners the partners of the oldest dead and pending events
 */
async function findTroubled(
  visit: Visit,
  owners: ReadonlySet<string>,
): Promise<readonly Troubled[]> {
  const { service } = visit
  const endpoints = await service.call('webhook.list', {})
  const suspects = endpoints
    .filter(
      (each) => each.failed_24h > 0 || each.paused_at !== null || owners.has(each.organization_id),
    )
    .toSorted(
      (one, other) => percentOf(one) - percentOf(other) || other.failed_24h - one.failed_24h,
    )
    .slice(0, mostTroubled)
  const partners = [...new Set([...suspects.map((each) => each.organization_id), ...owners])]
  const deadOf = new Map(
    await Promise.all(
      partners.map(async (organization) => {
        const { dead } = await service.call('event.count', { organization, limit: mostTroubled })
        return [organization, dead] as const
      }),
    ),
  )
  const found = await Promise.all(
    suspects.map(async (endpoint): Promise<readonly Troubled[]> => {
      const { webhook_endpoint_id: id, organization_id, organization, url } = endpoint
      const { pending, failure } = await service.reads.pendingOf(id, mostPending)
      const isStuck = endpoint.paused_at !== null && pending > 0
      if (endpoint.failed_24h === 0 && failure === null && !isStuck) return []
      const dead = deadOf.get(organization_id) ?? 0
      return [{ organization_id, organization, url, endpoint, pending, dead, why: failure }]
    }),
  )
  const explained = new Set(found.flat().map((each) => each.organization_id))
  const others = partners.filter((id) => !explained.has(id) && (deadOf.get(id) ?? 0) > 0)
  const names = await service.reads.namesOf({ organizations: others })
  const unexplained = await Promise.all(
    others.slice(0, mostShown).map(async (id): Promise<Troubled> => {
      const { url, why } = await lastFailure(visit, id)
      const organization = names.get(id) ?? null
      return { organization_id: id, organization, url, pending: 0, dead: deadOf.get(id) ?? 0, why }
    }),
  )
  return [...found.flat(), ...unexplained]
}

/** Endpoints without an attempt come after those that fail. */
function percentOf({ success_percent_24h: percent }: Endpoint): number {
  return percent ?? 100
}

/** The failure of the newest dead event, for use if no pending delivery shows what is wrong. */
async function lastFailure(
  visit: Visit,
  organization: string,
): Promise<{ readonly url: string; readonly why: string | null }> {
  const filter = { state: 'dead', organization, sort: '-created_at' } as const
  const [newest] = await rowsOf(visit, 'event.list', filter, 1)
  if (!newest) return { url: '', why: null }
  const { deliveries, attempts } = await visit.service.call('event.show', {
    event_id: newest.event_id,
  })
  const last = attempts.findLast(({ delivered }) => !delivered)
  const url = deliveries.find((delivery) => delivery.state === 'dead')?.url
  return { url: url ?? '', why: last?.detail ?? last?.failure ?? null }
}
