import { createHash } from 'node:crypto'
import type { HTTPResponse } from 'h3'
import { Problem } from '../../domain/problem.ts'
import {
  maximumReasonLength,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import { quoteWord } from '../../domain/text.ts'
import { nextInstant, startOfDay } from '../../domain/timestamp.ts'
import {
  type DecidedOrder,
  type Decision,
  decideOrders,
  isRead,
  type OrderToDecide,
  previewFilter,
  refusalOf,
  type Selection,
  selectOrders,
  selectToDecide,
} from '../../operations/bulk/decide-orders.ts'
import { previewOf } from '../../operations/bulk/order-preview.ts'
import { type Failed, isFailed, isOutage, type Tried } from '../../operations/bulk/try-each.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { parameterReader, type ReadParameter } from '../query.ts'
import { streamOf } from '../render-error.ts'
import { command, isProduction, mayRun, type Reply } from './actions.ts'
import { download, flagsOf, foreign, type Html, html, ownPath, pathTo, readChoice } from './html.ts'
import {
  commandLine,
  cooperativeFilter,
  csrfField,
  dayFields,
  facts,
  filterField,
  filterForm,
  linkTo,
  money,
  moreOf,
  options,
  type Page,
  partnerFilter,
  readerOf,
  readPart,
  rowLimit,
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

/** The statuses that orders may have before a decision. A filter that names no status selects the first one. */
const statusesBefore = {
  approve: ['submitted'],
  settle: ['approved'],
  reject: ['submitted', 'approved'],
} as const satisfies Partial<Record<Decision, readonly Status[]>>

type ConsoleDecision = keyof typeof statusesBefore
const decisionNames = Object.keys(statusesBefore) as readonly ConsoleDecision[]

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
    readPart(visit, 'purchase.list', filter, idOf),
    renderFilter(visit),
  ])
  const mayDecide = decisionNames.some((name) => mayRun(visit, `purchase.${name}`))
  const selectBox = ({ share_purchase_id: id }: Order) =>
    html`<input type="checkbox" name="id" value="${id}" aria-label="${id}">`
  const rowsShown = table(say, say('orders'), shown, [
    ...(mayDecide ? [{ head: 'select' as const, cell: selectBox }] : []),
    { head: 'share_purchase', cell: (row) => linkTo.order(row.share_purchase_id) },
    { head: 'status', cell: (row) => state(visit, row.status) },
    { head: 'organization', cell: (row) => foreign(row.organization) },
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

const idOf = (order: OrderToDecide) => order.share_purchase_id

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
  const lines = visit.files.renderCsv(visit.service.list('purchase.list', filter), csvKeys)
  return download('orders.csv', 'text/csv; charset=utf-8', await streamOf(lines, visit))
}

/** How many orders match the filter and what they cost, in total and for each cooperative. */
export async function showSums(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const { status, sort: _, ...filter } = filterIn(readerOf(visit))
  const statuses = status === undefined ? sharePurchaseStatuses : [status]
  const found = await visit.service.call('purchase.preview', { ...filter, statuses: [...statuses] })
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
  return filterForm(
    visit,
    '/orders',
    html`${filterField(visit, { name: 'status', label: 'status', values: statuses })}
${filterField(visit, { name: 'proposed', label: 'proposed', values: [['true', say('yes')]] })}${partner}${cooperative}
<label>${say('investor')}<input name="investor" value="${chosen('investor')}"></label>
${dayFields(visit)}${dayFields(visit, ['settled_since', 'settled_until'])}
<label>${say('sort')}<select name="sort">${options(
      [
        ['-created_at', say('newestFirst')],
        ['created_at', say('oldestFirst')],
      ],
      chosen('sort'),
    )}</select></label>`,
  )
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

/** Which orders a form means, and what is decided. */
interface Asked {
  readonly decision: ConsoleDecision
  readonly selection: Selection
  /** The filter, if the form means all orders that match it. */
  readonly matching?: Matching | undefined
  /** The address of the filtered list, for the link back. */
  readonly back: string
}

type Matching = Omit<ReturnType<typeof filterIn>, 'sort' | 'status'> & { readonly status: Status }

/** Shows a preview, and decides exactly these orders when the form is confirmed. */
export async function decideSelected(visit: Visit, form: URLSearchParams): Promise<Reply> {
  const { service } = visit
  const decision = decisionNames.find((known) => known === form.get('decision'))
  if (decision === undefined) throw new Problem('VALIDATION_ERROR', 'Choose a decision.')
  await service.requireRole(`purchase.${decision}`, {})
  const asked = readAsked(visit, form, decision)
  const { selection, matching } = asked
  if (form.get('confirmed') !== 'yes') return previewPage(visit, asked)
  const orders = await selectToDecide(service, decision, selection)
  // Since the preview, another operator may have decided some orders, or a partner may have cancelled one.
  const isSame = !matching || form.get('expected') === digestOf(orders.map(idOf))
  if (!isSame) return previewPage(visit, asked, 'changedSince')
  visit.event.context.operation = `purchase.${decision}`
  const reason = form.get('reason') || undefined
  return reportPage(visit, asked, await decideOrders(service, orders, { decision, reason }))
}

function readAsked(visit: Visit, form: URLSearchParams, decision: ConsoleDecision): Asked {
  const { say, service } = visit
  const nothingSelected = new Problem('VALIDATION_ERROR', say('nothingSelected'))
  const address = form.get('filter') ?? ''
  const back = ownPath(`/orders${address}`)
  if (form.get('matching') !== 'yes') {
    const ids = form.getAll('id')
    if (ids.length === 0) throw nothingSelected
    if (ids.length > mostSelected) {
      throw new Problem('VALIDATION_ERROR', `Select at most ${mostSelected} orders.`)
    }
    return { decision, selection: { ids }, back }
  }
  const { sort: _, ...given } = filterIn(parameterReader(address.replace(/^\?/, '')))
  const possible: readonly Status[] = statusesBefore[decision]
  const { status = possible[0], ...filter } = given
  if (status === undefined || !possible.includes(status)) throw nothingSelected
  // Orders that are placed after the preview are not included.
  const until = filter.until ?? nextInstant(service.clock.now())
  const selection = { filter: { ...filter, until, statuses: [status] } }
  return { decision, selection, matching: { status, ...filter, until }, back }
}

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join(' ')).digest('hex')
}

async function previewPage(visit: Visit, asked: Asked, note?: TextName): Promise<Page> {
  const { say, csrf, service } = visit
  const { decision, selection, matching, back } = asked
  const orders = 'ids' in selection ? await selectOrders(service, selection) : []
  const leftOut = orders.flatMap((order) => {
    const problem = refusalOf(decision, order)
    return problem ? [{ id: order.share_purchase_id, problem }] : []
  })
  const isDecidable = (order: OrderToDecide) => !refusalOf(decision, order)
  const found =
    'ids' in selection
      ? previewOf(orders.filter(isRead).filter(isDecidable))
      : await previewFilter(service, selection.filter)
  if (found.count === 0 && leftOut.length === 0) {
    throw new Problem('VALIDATION_ERROR', say('nothingSelected'))
  }
  const ids = found.share_purchase_ids
  const filter = matching ? pathTo('', matching) : back.slice('/orders'.length)
  const hidden = matching
    ? html`<input type="hidden" name="matching" value="yes"><input type="hidden" name="expected" value="${digestOf(ids)}">`
    : ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)
  const isReasonNeeded = isProduction(visit.settings)
  const reason = html`<label>${say('reason')}<input name="reason" maxlength="${maximumReasonLength}"${isReasonNeeded && html` required`}></label>`
  const form = html`<form method="post" action="/orders" class="row">${csrfField(csrf)}
<input type="hidden" name="decision" value="${decision}"><input type="hidden" name="confirmed" value="yes">
<input type="hidden" name="filter" value="${filter}">${hidden}
${decision === 'reject' && reason}
<button class="${decision === 'approve' ? '' : 'danger'}">${say(decision)}</button> <a href="${back}">${say('back')}</a>
${renderCommand(visit, decision, matching ?? ids)}</form>`
  const body = html`${note && html`<p class="note" role="status">${say(note)}</p>`}${renderSums(visit, found)}
${leftOut.length > 0 && html`<h2>${say('left_alone')}</h2>${renderFailed(visit, 'left_alone', leftOut)}`}
${found.count > 0 ? form : html`<p><a href="${back}">${say('back')}</a></p>`}`
  return { title: say('previewOf', { what: say(decision) }), section: 'orders', body }
}

/** The command has no flags for some filters, but takes ids from a list. */
function renderCommand(
  visit: Visit,
  decision: ConsoleDecision,
  selected: Matching | readonly string[],
): Html {
  const reason = decision === 'reject' ? ' --reason REASON' : ''
  if (!('status' in selected)) {
    const named = selected.slice(0, 3).map(quoteWord).join(' ')
    const more = selected.length > 3 ? ' …' : ''
    return commandLine(visit, `purchase ${decision} ${named}${more}${reason}`)
  }
  const { status, organization, cooperative, until, ...others } = selected
  if (Object.values(others).every((value) => value === undefined)) {
    const flags = flagsOf({ organization, cooperative, before: until })
    const all = command('purchase', decision, `--all-${status}`, ...flags)
    return commandLine(visit, `${all}${reason}`)
  }
  const list = command('purchase', 'list', ...flagsOf(selected), '-o', 'csv')
  return commandLine(visit, list, `purchase ${decision} -${reason}`)
}

function reportPage(
  visit: Visit,
  { decision, back }: Asked,
  tried: readonly Tried<DecidedOrder>[],
): Page {
  const { say } = visit
  const failed = tried.filter(isFailed)
  const refused = failed.filter((each) => !isOutage(each))
  const left = failed.length - refused.length
  const decided = tried.flatMap((each) => (isFailed(each) ? [] : each.result))
  const proposed = decided.filter(({ proposal }) => proposal !== null).length
  const counts = { count: decided.length - proposed, refused: refused.length }
  const body = html`<p class="note" role="status">${say('decided', counts)}
${proposed > 0 && say('proposedToDecide', { count: proposed })} ${left > 0 && say('leftUndecided', { count: left })}</p>
${refused.length > 0 && renderFailed(visit, 'refused', refused)}<p><a href="${back}">${say('back')}</a></p>`
  return { title: say(decision), section: 'orders', body }
}

/** Orders that were not decided, each with its reason. A fault of the service is logged. */
function renderFailed(visit: Visit, caption: TextName, failed: readonly Failed[]): Html {
  const { say, logger, event } = visit
  const { requestId = '' } = event.context
  const rows = failed.map(({ id, problem }) => {
    if (problem instanceof Problem) return { id, why: problem.message }
    logger.error({ requestId, error: problem }, 'A request failed.')
    return { id, why: say('failed') }
  })
  return html`${table(say, say(caption), rows.slice(0, rowLimit), [
    { head: 'id', cell: ({ id }) => linkTo.order(id) },
    { head: 'reason', cell: ({ why }) => foreign(why) },
  ])}${moreOf(visit, rows)}`
}
