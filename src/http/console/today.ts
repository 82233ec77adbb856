import { renderEntries } from './audit.ts'
import { foreign, type Html, html } from './html.ts'
import { counted, linkTo, money, type Page, rowsOf, table, time, type Visit } from './page.ts'
import { locales } from './texts.ts'

const mostTroubled = 100
const mostShown = 10
/** The maximum number of pending deliveries of an endpoint that are read. The oldest ones failed first. */
const mostAsked = 5

/** The tasks of today. Every number is counted by an index, and every list is short. */
export async function showToday(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const [{ orders, events, chart, owners }, waiting] = await Promise.all([
    service.reads.today(),
    rowsOf(visit, 'purchase.list', { status: 'submitted' }, mostShown),
  ])
  const entries = await rowsOf(visit, 'audit.list', { actor: 'operator' }, mostShown)
  const [troubled, names] = await Promise.all([
    findTroubled(visit, owners),
    service.reads.namesOf({ organizations: [...owners] }),
  ])
  const body = html`<ul class="cards">
${card(say('toApprove'), counted(orders.submitted, visit), '/orders?status=submitted')}
${card(say('toSettle'), counted(orders.approved, visit), '/orders?status=approved')}
${card(say('deadDeliveries'), counted(events.dead, visit), '/events?state=dead')}
${card(say('pendingEvents'), counted(events.pending, visit), '/events?state=pending')}</ul>
<h2>${say('ordersPerDay')}</h2>${renderChart(visit, chart)}
<h2>${say('toApprove')}</h2>
${
  waiting.length === 0
    ? html`<p class="soft">${say('noneWaiting')}</p>`
    : table(say, say('orders'), waiting, [
        { head: 'share_purchase', cell: (row) => linkTo.order(row.share_purchase_id) },
        { head: 'organization', cell: (row) => foreign(row.organization) },
        { head: 'cooperative', cell: (row) => foreign(row.cooperative) },
        {
          head: 'total',
          cell: (row) => money(row.total, row.total_currency, visit),
          isNumber: true,
        },
        { head: 'placed', cell: (row) => time(row.created_at) },
      ])
}
<h2>${say('troubled')}</h2>
${
  troubled.length === 0
    ? html`<p class="good">${say('noTrouble')}</p>`
    : table(say, say('events'), troubled, [
        {
          head: 'organization',
          cell: ({ id }) => linkTo.partner(id, names.get(id)),
        },
        {
          head: 'deadDeliveries',
          cell: ({ id, counts }) =>
            counts.dead > 0 &&
            html`<a class="bad" href="/events?state=dead&amp;organization=${id}">${counted(counts.dead, visit, mostTroubled)}</a>`,
          isNumber: true,
        },
        {
          head: 'pendingEvents',
          cell: ({ counts }) => counted(counts.pending, visit, mostTroubled),
          isNumber: true,
        },
        {
          head: 'reason',
          cell: ({ failures }) =>
            failures.map(({ url, why }) => html`<div>${foreign(url)}: ${foreign(why)}</div>`),
        },
      ])
}
<h2>${say('deeds')}</h2>${renderEntries(visit, entries)}
<p><a href="/audit?actor=operator">${say('wholeAudit')}</a></p>`
  const commands = [
    ...['submitted', 'approved'].map((status) => `purchase list --status ${status} --json`),
    'event list --state dead --json',
    'audit list --actor operator --json',
  ]
  return { title: say('today'), section: 'today', commands, body }
}

interface Day {
  readonly day: string
  readonly count: number
}

const [barWidth, chartHeight] = [44, 120]

function renderChart(visit: Visit, days: readonly Day[]): Html {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const { say } = visit
  const label = days.map(({ day, count }) => `${day}: ${counted(count, visit)}`).join(', ')
  if (days.every(({ count }) => count === 0)) return html`<p class="soft">${say('noOrders')}</p>`
  const short = new Intl.DateTimeFormat(locales[visit.language], {
    ...({ day: 'numeric', month: visit.language === 'de' ? 'numeric' : 'short' } as const),
    timeZone: 'UTC',
  })
  const bars = days.map(({ day, count }, index) => {
    const height = Math.round((count / most) * chartHeight)
    const [left, top] = [index * barWidth, chartHeight - height + 16]
    return html`<rect x="${left + 4}" y="${top}" width="${barWidth - 8}" height="${height}"></rect>
<text x="${left + barWidth / 2}" y="${top - 4}" text-anchor="middle">${counted(count, visit)}</text>
<text class="day" x="${left + barWidth / 2}" y="${chartHeight + 36}" text-anchor="middle">${short.format(new Date(day))}</text>`
  })
  return html`<svg class="chart" role="img" viewBox="0 0 ${days.length * barWidth} ${chartHeight + 40}" aria-label="${say('ordersPerDay')}: ${label}">${bars}</svg>`
}

function card(label: string, count: string, href: string): Html {
  return html`<li><strong>${count}</strong><a href="${href}">${label}</a></li>`
}

/** The failure of the newest dead event, for use if no pending delivery shows what is wrong. */
async function lastFailure(visit: Visit, organization: string) {
  const filter = { state: 'dead', organization, sort: '-created_at' } as const
  const [newest] = await rowsOf(visit, 'event.list', filter, 1)
  if (!newest) return []
  const { deliveries, attempts } = await visit.service.call('event.show', {
    event_id: newest.event_id,
  })
  const last = attempts.findLast(({ delivered }) => !delivered)
  const url = deliveries.find((delivery) => delivery.state === 'dead')?.url
  return last && url ? [{ url, why: last.detail ?? last.failure ?? '' }] : []
}

/** Organizations with dead events, or with an endpoint that did not accept its oldest pending delivery. */
async function findTroubled(visit: Visit, owners: ReadonlySet<string>) {
  const found = await Promise.all(
    [...owners].map(async (id) => {
      const [counts, endpoints] = await Promise.all([
        visit.service.call('event.count', { organization: id, limit: mostTroubled }),
        visit.service.call('webhook.list', { organization: id }),
      ])
      const failures = await Promise.all(
        endpoints.map(async (endpoint) => {
          const { webhook_endpoint_id: id } = endpoint
          const { failure: why } = await visit.service.reads.pendingOf(id, mostAsked)
          return why === null ? [] : [{ url: endpoint.url, why }]
        }),
      )
      const found = failures.flat()
      const isOver = found.length === 0 && counts.dead > 0
      return { id, counts, failures: isOver ? await lastFailure(visit, id) : found }
    }),
  )
  return found.filter(({ counts, failures }) => counts.dead > 0 || failures.length > 0)
}
