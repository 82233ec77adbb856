import type { HTTPResponse } from 'h3'
import { maximumCounted } from '../../domain/page.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import type { Output } from '../../operations/operations.ts'
import { streamOf } from '../render-error.ts'
import { command } from './actions.ts'
import { download, flagsOf, type Html, html } from './html.ts'
import { showList } from './list-address.ts'
import { filterIn, type Order, renderOrderFilter } from './order-filter.ts'
import { numberOf } from './order-rows.ts'
import {
  csrfField,
  facts,
  linkTo,
  money,
  type Page,
  readerOf,
  samePage,
  table,
  time,
  type Visit,
} from './page.ts'

/** Links to what can be made of the list, and a button for a file with all of it. */
export function renderSheet({ say, csrf, address: { search } }: Visit, link: Html): Html {
  return html`<form method="post" action="/orders.csv${search}" class="pages">${csrfField(csrf)}<input type="hidden" name="back" value="/orders${search}">
${link} <button class="quiet">${say('csv')}</button></form>`
}

/** The columns that bookkeeping needs. No names of persons: the file leaves the service. */
const csvKeys: readonly (keyof Order)[] = [
  'share_purchase_id',
  'status',
  'organization',
  'partner_customer_ref',
  'cooperative_key',
  'cooperative',
  'share_count',
  'price_per_share',
  'entry_fee',
  'total',
  'total_currency',
  'mandate_reference',
  'reason',
  'created_at',
  'updated_at',
  'settled_at',
] as const

/** All orders that match the filter, in one file. */
export async function exportOrders(visit: Visit): Promise<HTTPResponse> {
  const read = readerOf(visit)
  const sort = read('sort') === 'created_at' ? 'created_at' : '-created_at'
  const found = visit.service.list('purchase.list', { ...filterIn(read), sort })
  const lines = visit.files.renderCsv(found, csvKeys)
  return download('orders.csv', 'text/csv; charset=utf-8', await streamOf(lines, visit))
}

/**
 * How many orders match the filter and what they cost, in total and for each cooperative. Adding up a long list reads each
 * of its orders, so the page does that only when somebody asks for it.
 */
export function showSums(visit: Visit): Promise<Page> {
  return showList(visit, {
    title: visit.say('sums'),
    section: 'orders',
    path: '/orders',
    show: () => addUp(visit),
    renderFilter: () => renderOrderFilter(visit),
  })
}

async function addUp(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const read = readerOf(visit)
  const { status, ...filter } = filterIn(read)
  const statuses = [...(status === undefined ? sharePurchaseStatuses : [status])]
  const limit = read('all') === 'true' ? undefined : maximumCounted + 1
  const found = await visit.service.call('purchase.preview', { ...filter, statuses, limit })
  const isCut = limit !== undefined && found.count === limit
  const body = html`${isCut ? renderLongList(visit) : renderSums(visit, found)}
${renderSheet(visit, html`<a href="/orders${address.search}">${say('back')}</a>`)}`
  const commands = command('purchase', 'list', ...flagsOf({ status, ...filter }), '--json')
  return { title: say('sums'), section: 'orders', commands, body }
}

function renderLongList(visit: Visit): Html {
  const { say } = visit
  return html`<p class="note">${say('longSums', { count: numberOf(visit, maximumCounted) })}</p>
<p><a class="button" href="${samePage(visit, { all: 'true' })}">${say('addUpAll')}</a></p>`
}

export function renderSums(visit: Visit, found: Output<'purchase.preview'>): Html {
  const { say } = visit
  const { total_currency: currency } = found
  const cooperatives = found.cooperatives.toSorted((one, other) =>
    (one.cooperative ?? '').localeCompare(other.cooperative ?? '', 'de'),
  )
  return html`${facts([
    [say('count'), numberOf(visit, found.count)],
    [say('sum'), money(found.total, currency, visit)],
    [say('oldest'), time(found.oldest)],
    [say('newest'), time(found.newest)],
  ])}
<h2>${say('cooperatives')}</h2>
${table(say, say('cooperatives'), cooperatives, [
  { head: 'cooperative', cell: (row) => linkTo.cooperative(row.cooperative_id, row.cooperative) },
  { head: 'count', cell: ({ count }) => numberOf(visit, count), isNumber: true },
  { head: 'sum', cell: ({ total }) => money(total, currency, visit), isNumber: true },
])}`
}
