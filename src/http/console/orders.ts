import { createHash } from 'node:crypto'
import type { HTTPResponse } from 'h3'
import { Problem } from '../../domain/problem.ts'
import { inBatches, type RelatedOrder } from '../../domain/share-purchases/dependencies.ts'
import {
  maximumReasonLength,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import { nextInstant, startOfDay } from '../../domain/timestamp.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { requireRoleAs } from '../../operations/run-audited.ts'
import { previewOf } from '../../operations/share-purchases.ts'
import { parameterReader, type ReadParameter } from '../query.ts'
import { streamOf } from '../render-error.ts'
import { command, isProduction, mayRun, type Reply } from './actions.ts'
import {
  download,
  flagsOf,
  foreign,
  type Html,
  html,
  ownPath,
  pathTo,
  quoteWord,
  readChoice,
} from './html.ts'
import {
  batchesOf,
  callerOf,
  commandLine,
  cooperativeFilter,
  csrfField,
  dayFields,
  facts,
  filterField,
  linkTo,
  money,
  moreOf,
  options,
  type Page,
  partnerFilter,
  readerOf,
  readPart,
  rowLimit,
  run,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'
import type { TextName } from './texts.ts'

type Order = Row<'purchase.list'>
type Status = Order['status']

/** The maximum number of orders that can be selected one by one. */
const mostSelected = 1000

interface Kind {
  readonly operation: 'purchase.approve' | 'purchase.settle' | 'purchase.reject'
  /** The statuses that the orders may have. A filter that names no status selects the first one. */
  readonly from: readonly Status[]
  /** If one order depends on another, whether the dependency or the dependent order is decided first. */
  readonly first?: 'dependency' | 'dependent'
}

const decisions = {
  approve: { operation: 'purchase.approve', from: ['submitted'] },
  settle: { operation: 'purchase.settle', from: ['approved'], first: 'dependency' },
  reject: { operation: 'purchase.reject', from: ['submitted', 'approved'], first: 'dependent' },
} as const satisfies Readonly<Record<string, Kind>>

type Decision = keyof typeof decisions
const decisionNames = Object.keys(decisions) as readonly Decision[]

/** The filters of the address. */
function filterIn(read: ReadParameter) {
  const day = (name: string) => startOfDay(read(name) ?? '') || undefined
  return {
    status: readChoice(read, 'status', sharePurchaseStatuses),
    organization: read('organization'),
    cooperative: read('cooperative'),
    proposed: read('proposed') ? (true as const) : undefined,
    investor: read('investor'),
    since: day('since'),
    until: day('until'),
    settled_since: day('settled_since'),
    settled_until: day('settled_until'),
    sort: read('sort') === 'created_at' ? ('created_at' as const) : ('-created_at' as const),
  }
}

export async function listOrders(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const filter = filterIn(readerOf(visit))
  const [{ shown, pages }, form] = await Promise.all([
    readPart(visit, 'purchase.list', filter, (row) => row.share_purchase_id),
    renderFilter(visit),
  ])
  const mayDecide = decisionNames.some((name) => mayRun(visit, decisions[name].operation))
  const selectBox = ({ share_purchase_id: id }: Order) =>
    html`<input type="checkbox" name="id" value="${id}" aria-label="${id}">`
  const rowsShown = table(say, say('orders'), shown, [
    ...(mayDecide ? [{ head: 'select' as const, cell: selectBox }] : []),
    { head: 'order', cell: (row) => linkTo.order(row.share_purchase_id) },
    { head: 'status', cell: (row) => state(visit, row.status) },
    { head: 'partner', cell: (row) => foreign(row.organization) },
    { head: 'reference', cell: (row) => foreign(row.partner_customer_ref) },
    { head: 'cooperative', cell: (row) => foreign(row.cooperative) },
    { head: 'shares', cell: (row) => row.share_count, isNumber: true },
    { head: 'total', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
    { head: 'placed', cell: (row) => time(row.created_at) },
  ])
  const body = html`${form}
${mayDecide && shown.length > 0 ? renderSelection(visit, rowsShown) : rowsShown}
${pages}
${shown.length > 0 && renderSheet(visit, html`<a href="/orders/sums${address.search}">${say('sums')}</a>`)}`
  const oldestFirst = filter.settled_since || filter.settled_until ? 'settled_at' : 'created_at'
  const sort = filter.sort === 'created_at' ? oldestFirst : undefined
  const list = command('purchase', 'list', ...flagsOf({ ...filter, sort }))
  const commands = [`${list} --json`, `${list} -o csv`]
  return { title: say('orders'), section: 'orders', commands, body }
}

function renderSheet({ say, csrf, address: { search } }: Visit, link: Html): Html {
  return html`<form method="post" action="/orders.csv${search}" class="pages">${csrfField(csrf)}<input type="hidden" name="back" value="/orders${search}">
${link} <button class="quiet">${say('csv')}</button></form>`
}

/** The columns that bookkeeping needs. */
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
  const filter = filterIn(readerOf(visit))
  const lines = visit.files.renderCsv(await batchesOf(visit, 'purchase.list', filter), csvKeys)
  return download('orders.csv', 'text/csv; charset=utf-8', await streamOf(lines, visit))
}

/** How many orders match the filter and what they cost, in total and for each cooperative. */
export async function showSums(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const { status, sort: _, ...filter } = filterIn(readerOf(visit))
  const statuses = status === undefined ? sharePurchaseStatuses : [status]
  const found = await run(visit, 'purchase.preview', { ...filter, statuses: [...statuses] })
  const body = html`${renderSums(visit, found)}
${renderSheet(visit, html`<a href="/orders${address.search}">${say('back')}</a>`)}`
  const commands = command('purchase', 'list', ...flagsOf({ status, ...filter }), '--json')
  return { title: say('sums'), section: 'orders', commands, body }
}

function renderSums(visit: Visit, found: Preview): Html {
  const { say } = visit
  const { total_currency: currency } = found
  const cooperatives = found.cooperatives.toSorted((one, other) =>
    (one.cooperative ?? '').localeCompare(other.cooperative ?? '', 'de'),
  )
  return html`${facts([
    [say('count'), found.count],
    [say('sum'), money(found.total, currency, visit)],
    [say('oldest'), time(found.oldest)],
    [say('newest'), time(found.newest)],
  ])}
<h2>${say('cooperatives')}</h2>
${table(say, say('cooperatives'), cooperatives, [
  { head: 'cooperative', cell: (row) => linkTo.cooperative(row.cooperative_id, row.cooperative) },
  { head: 'count', cell: ({ count }) => count, isNumber: true },
  { head: 'sum', cell: ({ total }) => money(total, currency, visit), isNumber: true },
])}`
}

async function renderFilter(visit: Visit): Promise<Html> {
  const { say } = visit
  const chosen = readerOf(visit)
  const partner = await partnerFilter(visit)
  const cooperative = await cooperativeFilter(visit)
  const statuses = sharePurchaseStatuses.map((status) => [status, stateIn(visit, status)] as const)
  return html`<form class="row" action="/orders">
${filterField(visit, { name: 'status', label: 'status', values: statuses })}
${filterField(visit, { name: 'proposed', label: 'proposed', values: [['true', say('yes')]] })}${partner}${cooperative}
<label>${say('investor')}<input name="investor" value="${chosen('investor')}"></label>
${dayFields(visit)}${dayFields(visit, ['settled_since', 'settled_until'])}
<label>${say('sort')}<select name="sort">${options(
    [
      ['-created_at', say('newestFirst')],
      ['created_at', say('oldestFirst')],
    ],
    chosen('sort'),
  )}</select></label>
<button class="quiet">${say('show')}</button></form>`
}

/** The list with boxes, and below it the possible decisions about the selected orders. */
function renderSelection({ say, csrf, address }: Visit, list: Html): Html {
  return html`<form method="post" action="/orders">${csrfField(csrf)}
<input type="hidden" name="filter" value="${address.search}">
<label class="check" hidden><input type="checkbox" id="all">${say('selectAll')}</label>
${list}
<p class="choice"><label>${say('decision')}<select name="decision">${options(
    decisionNames.map((name) => [name, say(name)] as const),
    undefined,
  )}</select></label>
<label class="check"><input type="checkbox" name="matching" value="yes">${say('allThatMatch')}</label>
<button>${say('preview')}</button></p></form>`
}

type Preview = Output<'purchase.preview'>

/** Which orders a form means: those that were selected, or all that match a filter. */
interface Selected {
  readonly name: Decision
  /** The selected orders; empty if a filter selects. */
  readonly ids: readonly string[]
  /** The address of the filtered list, for the link back. */
  readonly back: string
  readonly matching?: Matching | undefined
}

type Matching = Omit<ReturnType<typeof filterIn>, 'sort' | 'status'> & { readonly status: Status }

/** Shows a preview, and decides exactly these orders when the form is confirmed. */
export async function decideOrders(visit: Visit, form: URLSearchParams): Promise<Reply> {
  const name = decisionNames.find((known) => known === form.get('decision'))
  if (name === undefined) throw new Problem('VALIDATION_ERROR', 'Choose a decision.')
  await requireRoleAs(visit.service, callerOf(visit), decisions[name].operation, {})
  const selected = readSelection(visit, form, name)
  if (form.get('confirmed') !== 'yes') return previewPage(visit, selected)
  const rows = await readRows(visit, selected)
  // Since the preview, another operator may have decided some orders, or a partner may have cancelled one.
  const isSame =
    !selected.matching || form.get('expected') === digestOfIds(rows.map(({ id }) => id))
  if (!isSame) return previewPage(visit, selected, 'changedSince')
  return decidedPage(visit, { ...selected, rows, reason: form.get('reason') || undefined })
}

function readSelection(visit: Visit, form: URLSearchParams, name: Decision): Selected {
  const address = form.get('filter') ?? ''
  const back = ownPath(`/orders${address}`)
  if (form.get('matching') !== 'yes') {
    const ids = [...new Set(form.getAll('id'))]
    if (ids.length === 0) throw nothingSelected(visit)
    if (ids.length > mostSelected) {
      throw new Problem('VALIDATION_ERROR', `Select at most ${mostSelected} orders.`)
    }
    return { name, ids, back }
  }
  const { sort: _, ...filter } = filterIn(parameterReader(address.replace(/^\?/, '')))
  const from: readonly Status[] = decisions[name].from
  const { status = from[0] } = filter
  if (status === undefined || !from.includes(status)) throw nothingSelected(visit)
  // Orders that are placed after the preview are not included.
  const until = filter.until ?? nextInstant(visit.service.clock.now())
  return { name, ids: [], back, matching: { ...filter, status, until } }
}

function nothingSelected({ say }: Visit): Problem {
  return new Problem('VALIDATION_ERROR', say('nothingSelected'))
}

async function preview(visit: Visit, { ids, matching }: Selected): Promise<Preview> {
  if (matching) {
    const { status, ...filter } = matching
    return run(visit, 'purchase.preview', { ...filter, statuses: [status] })
  }
  const shown = await showEach(visit, ids)
  return { ...previewOf(shown), share_purchase_ids: shown.map((order) => order.share_purchase_id) }
}

function showEach(visit: Visit, ids: readonly string[]) {
  return Promise.all(ids.map((id) => run(visit, 'purchase.show', { share_purchase_id: id })))
}

/** Reads only what a decision needs, because there may be many orders. */
async function readRows(visit: Visit, { ids, matching }: Selected) {
  const toRelatedOrder = ({ share_purchase_id: id, rests_on: restsOn }: Order | ShownOrder) => ({
    id,
    restsOn: restsOn ?? [],
  })
  if (!matching) return (await showEach(visit, ids)).map(toRelatedOrder)
  const rows: RelatedOrder[] = []
  for await (const batch of await batchesOf(visit, 'purchase.list', matching)) {
    rows.push(...batch.map(toRelatedOrder))
  }
  return rows
}

type ShownOrder = Output<'purchase.show'>

function digestOfIds(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join(' ')).digest('hex')
}

async function previewPage(visit: Visit, selected: Selected, note?: TextName): Promise<Page> {
  const { say, csrf } = visit
  const { name, back, matching } = selected
  const found = await preview(visit, selected)
  if (found.count === 0) throw nothingSelected(visit)
  const { share_purchase_ids: ids } = found
  const filter = matching ? pathTo('', matching) : back.slice('/orders'.length)
  const hidden = matching
    ? html`<input type="hidden" name="matching" value="yes"><input type="hidden" name="expected" value="${digestOfIds(ids)}">`
    : ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)
  const body = html`${note && html`<p class="note" role="status">${say(note)}</p>`}${renderSums(visit, found)}
<form method="post" action="/orders" class="row">${csrfField(csrf)}
<input type="hidden" name="decision" value="${name}"><input type="hidden" name="confirmed" value="yes">
<input type="hidden" name="filter" value="${filter}">${hidden}
${name === 'reject' && reasonField(visit)}
<button class="${name === 'approve' ? '' : 'danger'}">${say(name)}</button> <a href="${back}">${say('back')}</a>
${renderCommand(visit, selected)}</form>`
  return { title: say('previewOf', { what: say(name) }), section: 'orders', body }
}

/** The command has no flags for some filters, but takes ids from a list. */
function renderCommand(visit: Visit, { name, ids, matching }: Selected): Html {
  const reason = name === 'reject' ? ' --reason REASON' : ''
  if (!matching) {
    const named = ids.slice(0, 3).map(quoteWord).join(' ')
    return commandLine(visit, `purchase ${name} ${named}${ids.length > 3 ? ' …' : ''}${reason}`)
  }
  const { status, organization, cooperative, until, ...others } = matching
  if (Object.values(others).every((value) => value === undefined)) {
    const flags = flagsOf({ organization, cooperative, before: until })
    return commandLine(visit, `${command('purchase', name, `--all-${status}`, ...flags)}${reason}`)
  }
  const list = command('purchase', 'list', ...flagsOf(matching), '-o', 'csv')
  return commandLine(visit, list, `purchase ${name} -${reason}`)
}

function reasonField({ say, service }: Visit): Html {
  const required = isProduction(service.settings) && html` required`
  return html`<label>${say('reason')}<input name="reason" maxlength="${maximumReasonLength}"${required}></label>`
}

interface Confirmed extends Selected {
  readonly rows: readonly RelatedOrder[]
  readonly reason: string | undefined
}

/** Each order is decided separately, and orders on which others depend come first. */
async function decidedPage(visit: Visit, confirmed: Confirmed): Promise<Page> {
  const { say } = visit
  const { name, back } = confirmed
  const { done, proposed, refusals, left } = await decideEach(visit, confirmed)
  const body = html`<p class="note" role="status">${say('decided', { count: done, refused: refusals.length })}
${proposed > 0 && say('proposedToDecide', { count: proposed })} ${left > 0 && say('leftUndecided', { count: left })}</p>
${
  refusals.length > 0 &&
  table(say, say('refused'), refusals.slice(0, rowLimit), [
    { head: 'id', cell: ({ id }) => linkTo.order(id) },
    { head: 'reason', cell: ({ why }) => foreign(why) },
  ])
}${moreOf(visit, refusals)}<p><a href="${back}">${say('back')}</a></p>`
  return { title: say(name), section: 'orders', body }
}

/** Writes that wait at the same time share one sync of the disk. */
const width = 16

async function decideEach(visit: Visit, { name, rows, reason }: Confirmed) {
  const { operation } = decisions[name]
  const refusals: { readonly id: string; readonly why: string }[] = []
  const counts = { done: 0, proposed: 0, left: 0 }
  let isOut = false
  const decide = async (share_purchase_id: string) => {
    const input = { share_purchase_id, ...(name === 'reject' && { reason }) }
    try {
      const { proposal } = await run(visit, operation, input)
      counts[proposal ? 'proposed' : 'done'] += 1
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'FORBIDDEN') throw error
      if (error.code !== 'SERVICE_UNAVAILABLE') {
        refusals.push({ id: share_purchase_id, why: error.message })
        return
      }
      counts.left += 1
      isOut = true
    }
  }
  visit.event.context.operation = operation
  for (const ids of toBatches(name, rows)) {
    for (let start = 0; start < ids.length; start += width) {
      const batch = ids.slice(start, start + width)
      // While the store cannot be reached, all other orders would only wait for the same refusal.
      if (isOut) counts.left += batch.length
      else await Promise.all(batch.map(decide))
    }
  }
  return { ...counts, refusals }
}

function toBatches(name: Decision, rows: readonly RelatedOrder[]) {
  const { first }: Kind = decisions[name]
  if (first === undefined) return [rows.map(({ id }) => id)]
  return first === 'dependency' ? inBatches(rows) : inBatches(rows).toReversed()
}
