import { foreign, type Html, html } from './html.ts'
import {
  linkTo,
  type Page,
  readNames,
  rowsOf,
  run,
  state,
  table,
  time,
  type Visit,
} from './page.ts'

const mostTroubled = 100
const mostShown = 10

/** What needs someone today. Every number is a count by an index, every list is short. */
export async function showToday(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const [orders, events, dead, waiting, names] = await Promise.all([
    service.store.read(({ sharePurchases }) => sharePurchases.countByStatus()),
    run(visit, 'event.count', {}),
    rowsOf(visit, 'event.list', { state: 'dead', limit: mostTroubled }),
    rowsOf(visit, 'purchase.list', { status: 'submitted', limit: mostShown }),
    readNames(visit),
  ])
  const troubled = await countTroubled(visit, dead)
  const body = html`<ul class="cards">
${card(say('toApprove'), orders.submitted, '/orders?status=submitted')}
${card(say('toSettle'), orders.approved, '/orders?status=approved')}
${card(say('deadDeliveries'), events.dead, '/events?state=dead')}
${card(say('pendingEvents'), events.pending, '/events?state=pending')}</ul>
<h2>${say('toApprove')}</h2>
${table(say, say('orders'), waiting, [
  { head: 'id', cell: (row) => linkTo.order(row.share_purchase_id) },
  {
    head: 'partner',
    cell: (row) => foreign(names.organizations.get(row.organization_id)),
  },
  { head: 'cooperative', cell: (row) => foreign(names.cooperatives.get(row.cooperative_id)) },
  { head: 'total', cell: (row) => `${row.total} ${row.total_currency}`, isNumber: true },
  { head: 'placed', cell: (row) => time(row.created_at) },
])}
<h2>${say('troubled')}</h2>
${
  troubled.length === 0
    ? html`<p class="good">${say('noTrouble')}</p>`
    : table(say, say('events'), troubled, [
        {
          head: 'partner',
          cell: ({ id }) => linkTo.partner(id, names.organizations.get(id)),
        },
        { head: 'deadDeliveries', cell: ({ counts }) => html`${counts.dead} ${state('dead')}` },
        { head: 'pendingEvents', cell: ({ counts }) => counts.pending, isNumber: true },
      ])
}`
  return { title: say('today'), section: 'today', twin: 'event count --json', body }
}

function card(label: string, count: number, href: string): Html {
  return html`<li><strong>${count}</strong><a href="${href}">${label}</a></li>`
}

/** The organizations of the dead events that are shown. */
async function countTroubled(visit: Visit, dead: readonly { readonly organization_id: string }[]) {
  const ids = [...new Set(dead.map((event) => event.organization_id))]
  return Promise.all(
    ids.map(async (id) => ({ id, counts: await run(visit, 'event.count', { organization: id }) })),
  )
}
