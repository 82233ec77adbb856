import { moneyFromMinorUnits, parseSum, toMinorUnits, zeroMoney } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import type { OperationName, Output, Row } from '../../operations/operations.ts'
import { command, isProduction, mayRun, ownPath, type Reply } from './actions.ts'
import { foreign, type Html, html, quoteWord } from './html.ts'
import {
  csrfField,
  facts,
  linkTo,
  money,
  options,
  type Page,
  readNames,
  rowsOf,
  run,
  samePage,
  state,
  table,
  time,
  type Visit,
} from './page.ts'

type Order = Row<'purchase.list'>
type Status = Order['status']

const pageSize = 50
/** One decision of a form is not larger, so that its answer comes soon. */
const mostDecided = 1000

const decisions = {
  approve: { operation: 'purchase.approve', from: 'submitted', isOldestFirst: true },
  settle: { operation: 'purchase.settle', from: 'approved', isOldestFirst: true },
  // Orders that rest on others end before these.
  reject: { operation: 'purchase.reject', from: 'submitted', isOldestFirst: false },
} as const satisfies Readonly<
  Record<string, { operation: OperationName; from: Status; isOldestFirst: boolean }>
>

type Decision = keyof typeof decisions
const decisionNames = Object.keys(decisions) as readonly Decision[]

/** The filters of the address. */
function filterIn(parameters: URLSearchParams) {
  const read = (name: string) => parameters.get(name) || undefined
  const status = sharePurchaseStatuses.find((known) => known === parameters.get('status'))
  return {
    status,
    organization: read('organization'),
    cooperative: read('cooperative'),
    investor: read('investor'),
    since: read('since'),
    until: read('until'),
    sort:
      parameters.get('sort') === 'created_at' ? ('created_at' as const) : ('-created_at' as const),
  }
}

export async function listOrders(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const filter = filterIn(address.searchParams)
  const after = address.searchParams.get('after') || undefined
  const [rows, names] = await Promise.all([
    rowsOf(visit, 'purchase.list', { ...filter, after, limit: pageSize + 1 }),
    readNames(visit),
  ])
  const shown = rows.slice(0, pageSize)
  const mayDecide = decisionNames.some((name) => mayRun(visit, decisions[name].operation))
  const list = table(say, say('orders'), shown, [
    ...(mayDecide ? [{ head: 'select' as const, cell: selectBox }] : []),
    { head: 'id', cell: (row) => linkTo.order(row.share_purchase_id) },
    { head: 'status', cell: (row) => state(row.status) },
    { head: 'partner', cell: (row) => foreign(names.organizations.get(row.organization_id)) },
    { head: 'reference', cell: (row) => foreign(row.partner_customer_ref) },
    { head: 'cooperative', cell: (row) => foreign(names.cooperatives.get(row.cooperative_id)) },
    { head: 'shares', cell: (row) => row.share_count, isNumber: true },
    { head: 'total', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
    { head: 'placed', cell: (row) => time(row.created_at) },
  ])
  const body = html`${renderFilter(visit, names)}
${mayDecide && shown.length > 0 ? renderSelection(visit, list) : list}
${rows.length > pageSize && renderPages(visit, shown.at(-1))}`
  const twin = command('purchase', 'list', ...flagsOf(filter), '--json')
  return { title: say('orders'), section: 'orders', twin, body }
}

function selectBox({ share_purchase_id: id }: Order): Html {
  return html`<input type="checkbox" name="id" value="${id}" aria-label="${id}">`
}

function renderPages(visit: Visit, last: Order | undefined): Html {
  const { say } = visit
  return html`<p class="pages"><a href="${samePage(visit, { after: undefined })}">${say('first')}</a>
<a href="${samePage(visit, { after: last?.share_purchase_id })}" rel="next">${say('next')}</a></p>`
}

type Names = Awaited<ReturnType<typeof readNames>>

function renderFilter({ say, address }: Visit, { organizations, cooperatives }: Names): Html {
  const chosen = address.searchParams
  const all = ['', say('all')] as const
  return html`<form class="row" action="/orders">
<label>${say('status')}<select name="status">${options([all, ...sharePurchaseStatuses.map((status) => [status, status] as const)], chosen.get('status'))}</select></label>
<label>${say('partner')}<select name="organization">${options([all, ...organizations], chosen.get('organization'))}</select></label>
<label>${say('cooperative')}<select name="cooperative">${options([all, ...cooperatives], chosen.get('cooperative'))}</select></label>
<label>${say('investor')}<input name="investor" value="${chosen.get('investor')}"></label>
<label>${say('sort')}<select name="sort">${options(
    [
      ['-created_at', say('newestFirst')],
      ['created_at', say('oldestFirst')],
    ],
    chosen.get('sort'),
  )}</select></label>
<button class="quiet">${say('show')}</button></form>`
}

/** The list with boxes, and below it what can be decided about the selected orders. */
function renderSelection({ say, csrf, address }: Visit, list: Html): Html {
  return html`<form method="post" action="/orders">${csrfField(csrf)}
<input type="hidden" name="filter" value="${address.search}">
<label class="check" hidden><input type="checkbox" id="all">${say('selectAll')}</label>
${list}
<p class="row actions"><label>${say('decision')}<select name="decision">${options(
    decisionNames.map((name) => [name, say(name)] as const),
    undefined,
  )}</select></label>
<label class="check"><input type="checkbox" name="matching" value="yes">${say('allThatMatch')}</label>
<button>${say('preview')}</button></p></form>`
}

function flagsOf(filter: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
}

/** Shows what would be decided, and decides exactly that when the form comes back confirmed. */
export async function decideOrders(visit: Visit, form: URLSearchParams): Promise<Reply> {
  const name = decisionNames.find((known) => known === form.get('decision'))
  if (name === undefined) throw new Problem('VALIDATION_ERROR', 'Choose a decision.')
  const ids = form.get('matching') ? await idsThatMatch(visit, form, name) : form.getAll('id')
  if (ids.length === 0) throw new Problem('VALIDATION_ERROR', visit.say('nothingSelected'))
  if (ids.length > mostDecided) {
    throw new Problem('VALIDATION_ERROR', `Select at most ${mostDecided} orders.`)
  }
  const orders = await Promise.all(
    [...new Set(ids)].map((share_purchase_id) =>
      run(visit, 'purchase.show', { share_purchase_id }),
    ),
  )
  const reason = form.get('reason') || undefined
  const back = ownPath(`/orders${form.get('filter') ?? ''}`)
  if (form.get('confirmed') !== 'yes') return previewPage(visit, { name, orders, back })
  return decidedPage(visit, { name, orders, back, reason })
}

async function idsThatMatch(visit: Visit, form: URLSearchParams, name: Decision) {
  const filter = filterIn(new URLSearchParams(form.get('filter') ?? ''))
  const status = filter.status ?? decisions[name].from
  const rows = await rowsOf(visit, 'purchase.list', { ...filter, status, limit: mostDecided })
  return rows.map(({ share_purchase_id: id }) => id)
}

type ShownOrder = Output<'purchase.show'>

function groupByCooperative(orders: readonly ShownOrder[]): Map<string, ShownOrder[]> {
  const groups = new Map<string, ShownOrder[]>()
  for (const order of orders) {
    const group = groups.get(order.cooperative_id) ?? []
    group.push(order)
    groups.set(order.cooperative_id, group)
  }
  return groups
}

interface Selected {
  readonly name: Decision
  readonly orders: readonly ShownOrder[]
  readonly back: string
  readonly reason?: string | undefined
}

async function previewPage(visit: Visit, { name, orders, back }: Selected): Promise<Page> {
  const { say, csrf } = visit
  const { cooperatives } = await readNames(visit)
  const oldestFirst = orders.toSorted(byTime)
  const groups = groupByCooperative(orders)
  const ids = orders.map((order) => order.share_purchase_id)
  const body = html`${facts([
    [say('count'), orders.length],
    [say('sum'), sumOf(orders, visit)],
    [say('oldest'), time(oldestFirst[0]?.created_at)],
    [say('newest'), time(oldestFirst.at(-1)?.created_at)],
  ])}
<h2>${say('cooperative')}</h2>
${table(
  say,
  say('cooperative'),
  [...groups],
  [
    { head: 'cooperative', cell: ([id]) => linkTo.cooperative(id, cooperatives.get(id)) },
    { head: 'count', cell: ([, group]) => group.length, isNumber: true },
    { head: 'sum', cell: ([, group]) => sumOf(group, visit), isNumber: true },
  ],
)}
<form method="post" action="/orders" class="row">${csrfField(csrf)}
<input type="hidden" name="decision" value="${name}"><input type="hidden" name="confirmed" value="yes">
<input type="hidden" name="filter" value="${back.slice('/orders'.length)}">
${ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)}
${name === 'reject' && reasonField(visit)}
<button class="${name === 'approve' ? '' : 'danger'}">${say(name)}</button> <a href="${back}">${say('back')}</a>
<code>coopshare purchase ${name} ${ids.slice(0, 3).map(quoteWord).join(' ')}${ids.length > 3 && ' …'}</code></form>`
  return { title: say('previewOf', { what: say(name) }), section: 'orders', body }
}

function reasonField({ say, service }: Visit): Html {
  const required = isProduction(service.settings) && html` required`
  return html`<label>${say('reason')}<input name="reason" maxlength="200"${required}></label>`
}

/** Each order is decided by itself, the ones on which others rest first. */
async function decidedPage(visit: Visit, { name, orders, back, reason }: Selected): Promise<Page> {
  const { operation, isOldestFirst } = decisions[name]
  const oldestFirst = orders.toSorted(byTime)
  const refusals: { readonly id: string; readonly why: string }[] = []
  visit.event.context.operation = operation
  for (const { share_purchase_id: id } of isOldestFirst ? oldestFirst : oldestFirst.toReversed()) {
    try {
      await run(visit, operation, { share_purchase_id: id, ...(name === 'reject' && { reason }) })
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'FORBIDDEN') throw error
      refusals.push({ id, why: error.message })
    }
  }
  const { say } = visit
  const count = orders.length - refusals.length
  const body = html`<p class="note" role="status">${say('decided', { count, refused: refusals.length })}</p>
${
  refusals.length > 0 &&
  table(say, say('refused'), refusals, [
    { head: 'id', cell: ({ id }) => linkTo.order(id) },
    { head: 'reason', cell: ({ why }) => foreign(why) },
  ])
}<p><a href="${back}">${say('back')}</a></p>`
  return { title: say(name), section: 'orders', body }
}

interface Dated {
  readonly created_at: string
}

function byTime(left: Dated, right: Dated): number {
  return left.created_at < right.created_at ? -1 : left.created_at > right.created_at ? 1 : 0
}

function sumOf(
  orders: readonly { readonly total: string; readonly total_currency: string }[],
  visit: Visit,
): string {
  const units = orders.map(({ total }) => toMinorUnits(parseSum(total) ?? zeroMoney))
  const sum = moneyFromMinorUnits(units.reduce((all, each) => all + each, 0n))
  return money(sum, orders[0]?.total_currency ?? 'EUR', visit)
}
