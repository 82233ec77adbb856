// What is due, and the collections of direct debits.
import { createHash } from 'node:crypto'
import { currency } from '../../domain/money.ts'
import { collectionStates } from '../../domain/payments/debit-collection.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { command, type Form, mayRun, type Reply, readInput, type SentForms } from './actions.ts'
import { flagsOf, foreign, type Html, html, readChoice } from './html.ts'
import { messageIn } from './messages.ts'
import { numberOf } from './order-rows.ts'
import {
  commandLine,
  cooperativeFilter,
  csrfField,
  filterField,
  filterForm,
  linkTo,
  money,
  moreOf,
  options,
  type Page,
  readerOf,
  readPart,
  rowLimit,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'

type Creditor = Awaited<ReturnType<Visit['service']['reads']['creditors']>>[number]

/** A day, which is the same in every time zone. */
export function day(date: string | null | undefined, { language }: Pick<Visit, 'language'>): Html {
  if (!date) return html`–`
  const format = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  return html`<time datetime="${date}">${format.format(new Date(date))}</time>`
}

export async function showPayments(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const read = readerOf(visit)
  const filter = {
    cooperative: read('cooperative'),
    state: readChoice(read, 'state', collectionStates),
  }
  const [creditors, names, { shown, pages }, cooperative] = await Promise.all([
    service.reads.creditors(),
    service.reads.cooperativeNames(),
    readPart(visit, 'collection.list', filter, ({ collection_id: id }) => id),
    cooperativeFilter(visit),
  ])
  const states = collectionStates.map((name) => [name, stateIn(visit, name)] as const)
  const isFiltered = filter.cooperative !== undefined || filter.state !== undefined
  const body = html`${renderPlaces(visit, '/payments')}
<h2>${say('creditors')}</h2>
${creditors.length === 0 ? html`<p class="soft">${say('noCreditor')} <a href="/catalogue">${say('catalogue')}</a></p>` : renderCreditors(visit, creditors)}
${creditors.length > 0 && mayRun(visit, 'collection.create') && renderCollect(visit, creditors)}
<h2>${say('collections')}</h2>
${(shown.length > 0 || isFiltered) && filterForm(visit, '/payments', html`${filterField(visit, { name: 'state', label: 'state', values: states })}${cooperative}`)}
${shown.length === 0 && !isFiltered ? html`<p class="soft">${say('noCollections')}</p>` : renderCollections(visit, shown, names)}
${pages}`
  const commands = [
    command('collection', 'list', ...flagsOf(filter), '--json'),
    'payment list --state due --json',
  ]
  return { title: say('payments'), section: 'payments', commands, body }
}

const places = {
  '/payments': 'collections',
  '/statements': 'statements',
  '/payment-report': 'paymentReport',
} as const

/** Links to the pages about money. @param here the page that is shown, if it is one of them */
export function renderPlaces({ say }: Pick<Visit, 'say'>, here?: keyof typeof places): Html {
  const links = Object.entries(places).map(
    ([path, name]) =>
      html`<a href="${path}"${path === here && html` aria-current="page"`}>${say(name)}</a> `,
  )
  return html`<p class="choices">${links}</p>`
}

/** Where an operator continues after payments have come or come back. */
export function renderNext({ say }: Pick<Visit, 'say'>): Html {
  return html`<p><a href="/orders?status=approved&payment_state=paid">${say('paidToSettle')}</a> · <a href="/orders?payment_state=returned">${say('returnedPayments')}</a></p>`
}

function renderCreditors(visit: Visit, creditors: readonly Creditor[]): Html {
  const { say } = visit
  const sum = (row: Creditor, name: 'due' | 'collecting' | 'returned') => {
    const { count, total } = row[name]
    if (count === 0) return '–'
    const href = `/orders?payment_state=${name}&cooperative=${row.cooperative_id}`
    return html`${money(total, currency, visit)} <a href="${href}">(${numberOf(visit, count)})</a>`
  }
  return html`${table(say, say('creditors'), creditors.slice(0, rowLimit), [
    { head: 'cooperative', cell: (row) => linkTo.cooperative(row.cooperative_id, row.cooperative) },
    { head: 'due', cell: (row) => sum(row, 'due'), isNumber: true },
    { head: 'collecting', cell: (row) => sum(row, 'collecting'), isNumber: true },
    { head: 'returned', cell: (row) => sum(row, 'returned'), isNumber: true },
    { head: 'next_due_date', cell: (row) => day(row.next_due_date, visit) },
  ])}${moreOf(visit, creditors)}${renderNext(visit)}`
}

function renderCollect(visit: Visit, creditors: readonly Creditor[]): Html {
  const { say, csrf } = visit
  const choices = creditors.map(
    ({ cooperative_key: key, cooperative }) => [key, cooperative] as const,
  )
  return html`<h2>${say('collect')}</h2><p class="soft">${say('collectHint')}</p>
<form method="post" action="/payments" class="row">${csrfField(csrf)}
<label>${say('cooperative')}<select name="input.cooperative">${options([['', say('all')], ...choices], undefined)}</select></label>
<label>${say('due_date')}<input type="date" name="input.due"></label>
<label>${say('limit')}<input type="number" name="input.limit" min="1" inputmode="numeric" size="8"></label>
<button>${say('previewStatement')}</button> ${commandLine(visit, 'collection create --dry-run')}</form>`
}

type Collection = Row<'collection.list'>

type Names = Awaited<ReturnType<Visit['service']['reads']['cooperativeNames']>>

function renderCollections(visit: Visit, rows: readonly Collection[], names: Names): Html {
  const { say } = visit
  return table(say, say('collections'), rows, [
    {
      head: 'due_date',
      cell: (row) => html`<a href="/payments/${row.collection_id}">${day(row.due_date, visit)}</a>`,
    },
    { head: 'state', cell: (row) => state(visit, row.state) },
    { head: 'cooperative', cell: (row) => cooperativeLink(names, row.cooperative_key) },
    { head: 'count', cell: (row) => numberOf(visit, row.count), isNumber: true },
    { head: 'sum', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
    { head: 'created', cell: (row) => time(row.created_at) },
    { head: 'exported', cell: (row) => time(row.exported_at) },
    { head: 'booked_on', cell: (row) => day(row.booked_on, visit) },
  ])
}

/** @param names of all cooperatives by key */
export function cooperativeLink(names: Names, key: string): Html {
  const { id, name } = names.get(key) ?? {}
  return id === undefined ? foreign(key) : linkTo.cooperative(id, name)
}

type Created = Output<'collection.create'>

/** First shows what would be collected, and what is left out, then collects exactly that. */
export async function collectDue(
  visit: Visit,
  form: Form,
  { sent }: { readonly sent: SentForms },
): Promise<Reply> {
  const { service } = visit
  await service.requireRole('collection.create', {})
  const input = readInput(form, 'collection.create')
  const preview = () => service.call('collection.create', { ...input, dry_run: true })
  if (form.get('confirmed') !== 'yes') return previewPage(visit, form, await preview())
  return sent.once(visit, form, async () => {
    const found = await preview()
    if (form.get('expected') !== digestOf(found)) {
      return previewPage(visit, form, found, 'changedPayments')
    }
    visit.event.context.operation = 'collection.create'
    const { collections } = await service.call('collection.create', input)
    const [only] = collections.length === 1 ? collections : []
    return {
      goTo: `/payments${only ? `/${only.collection_id}` : ''}?done=collection.create`,
    }
  })
}

/** The ids of a dry run are other ones each time. */
function digestOf({ collections, left_out }: Created): string {
  const rows = collections.map(({ collection_id: _, message_id: __, ...row }) => row)
  return createHash('sha256')
    .update(JSON.stringify([rows, left_out]))
    .digest('hex')
}

async function previewPage(
  visit: Visit,
  form: Form,
  created: Created,
  note?: 'changedPayments',
): Promise<Page> {
  const { say, csrf, service } = visit
  const { collections, left_out: left, shortened } = created
  const names = await service.reads.cooperativeNames()
  const given = [...form].filter(([name, value]) => name.startsWith('input.') && value !== '')
  const words = given.flatMap(([name, value]) => [`--${name.slice('input.'.length)}`, value])
  const body = html`${note && html`<p class="note" role="status">${say(note)}</p>`}
${collections.length === 0 && html`<p>${say('nothingDue')}</p>`}
${
  collections.length > 0 &&
  html`<h2>${say('toCollect')}</h2>${table(say, say('toCollect'), collections.slice(0, rowLimit), [
    { head: 'cooperative', cell: (row) => cooperativeLink(names, row.cooperative_key) },
    { head: 'due_date', cell: (row) => day(row.due_date, visit) },
    { head: 'count', cell: (row) => numberOf(visit, row.count), isNumber: true },
    { head: 'sum', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
  ])}${moreOf(visit, collections)}`
}
${shortened.length > 0 && html`<p class="note">${say('shortenedNames', { count: numberOf(visit, shortened.length) })}</p>`}
${left.length > 0 && (await renderLeftOut(visit, left, names))}
${
  collections.length > 0
    ? html`<form method="post" action="/payments" class="row">${csrfField(csrf)}<input type="hidden" name="once" value="${service.random.traceId()}">
<input type="hidden" name="confirmed" value="yes"><input type="hidden" name="expected" value="${digestOf(created)}">
${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${say('collect')}</button> <a href="/payments">${say('back')}</a> ${commandLine(visit, command('collection', 'create', ...words))}</form>`
    : html`<p><a href="/payments">${say('back')}</a></p>`
}`
  return { title: say('previewCollect'), section: 'payments', body, isQuestion: true }
}

async function renderLeftOut(visit: Visit, left: Created['left_out'], names: Names): Promise<Html> {
  const { say } = visit
  const shown = left.slice(0, rowLimit)
  const orders = await namesOf(visit, shown)
  const title = say('leftOut', { count: left.length })
  return html`<h2>${title}</h2>${table(say, title, shown, [
    {
      head: 'share_purchase',
      cell: ({ share_purchase_id: id }) => linkTo.order(id, orders.get(id)?.investor),
    },
    { head: 'cooperative', cell: (row) => cooperativeLink(names, row.cooperative_key) },
    { head: 'reason', className: 'wide', cell: ({ reason }) => messageIn(visit, reason) },
  ])}${moreOf(visit, left)}`
}

/** The orders of some rows, by id, with the names of their investors and partners. */
export async function namesOf(
  { service }: Visit,
  rows: readonly { readonly share_purchase_id: string | null }[],
) {
  const ids = rows.flatMap(({ share_purchase_id: id }) => id ?? [])
  const orders = await service.reads.ordersOf(ids)
  return new Map(orders.map((order) => [order.share_purchase_id, order]))
}
