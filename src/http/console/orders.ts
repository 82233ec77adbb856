import { currency } from '../../domain/money.ts'
import { type Counted, type OrderSort, totalOf } from '../../domain/share-purchases/order-list.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import { command, mayRun } from './actions.ts'
import { flagsOf, foreign, type Html, html } from './html.ts'
import { showList } from './list-address.ts'
import {
  type Filter,
  filterIn,
  noPlace,
  type Order,
  placeIn,
  renderOrderFilter,
  sortIn,
  timeKeyOf,
} from './order-filter.ts'
import { type Outcomes, showOutcome } from './order-outcomes.ts'
import { type ConsoleDecision, decisionNames, mayFollow } from './order-refusals.ts'
import { numberOf, renderBox, renderName } from './order-rows.ts'
import { renderSheet } from './order-sums.ts'
import {
  type Column,
  csrfField,
  emptyPage,
  money,
  type Page,
  partnersLink,
  readerOf,
  rowLimit,
  samePage,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'
import type { TextName } from './texts.ts'

/** Orders by status and filter, and what an operator can decide about the selected ones. */
export function listOrders(visit: Visit, outcomes: Outcomes): Promise<Page> {
  return showList(visit, {
    title: visit.say('orders'),
    section: 'orders',
    path: '/orders',
    show: () => showOrders(visit, outcomes),
    renderFilter: () => renderOrderFilter(visit),
  })
}

async function showOrders(visit: Visit, outcomes: Outcomes): Promise<Page> {
  const { say, address, service } = visit
  const read = readerOf(visit)
  const filter = filterIn(read)
  const sort = sortIn(read)
  const [page, form] = await Promise.all([
    service.reads.orders(filter, { sort, place: placeIn(read), size: rowLimit }),
    renderOrderFilter(visit),
  ])
  const outcome = await showOutcome(visit, outcomes, page.orders)
  const decisions = decisionsAbout(visit, filter, page.orders)
  const isSelectable = decisions.length > 0 && (page.orders.length > 0 || outcome.selected.size > 0)
  const boxes: Column<Order> = {
    head: 'select',
    className: 'box',
    cell: (row) => renderBox(visit, row, outcome.selected.has(row.share_purchase_id)),
  }
  const columns = [...(isSelectable ? [boxes] : []), ...columnsOf(visit, filter, page)]
  const list = table(
    say,
    say('orders'),
    page.orders,
    columns,
    emptyPage(visit, 'empty.orders', partnersLink(visit)),
  )
  const isUnsorted = page.sort.key !== sort.key
  const body = html`${form}
${renderTabs(visit, filter, page)}
${isUnsorted && html`<p class="note">${say('tooManyToSort')}</p>`}
${isSelectable ? renderSelection(visit, { above: outcome.body, list, decisions, page }) : html`${outcome.body}${list}`}
${renderPlace(visit, page)}
${page.orders.length > 0 && renderSheet(visit, html`<a href="/orders/sums${address.search}">${say('sums')}</a>`)}`
  const flags = flagsOf({ ...filter, sort: sortOfCommand(filter, page.sort) })
  const line = command('purchase', 'list', ...flags)
  const commands = [`${line} --json`, `${line} -o csv`]
  return { title: say('orders'), section: 'orders', commands, body }
}

/** The command lists the newest orders first, unless a flag says something else. */
function sortOfCommand(filter: Filter, { key, isDescending }: OrderSort): string | undefined {
  if (key === 'created_at') return isDescending ? undefined : timeKeyOf(filter)
  return `${isDescending ? '-' : ''}${key}`
}

/** The list of each status, with the number of its orders. */
function renderTabs(visit: Visit, { status: chosen }: Filter, { counts }: OrderPage): Html {
  const { say } = visit
  const tab = (status: Filter['status'], label: string) => {
    const href = samePage(visit, { ...noPlace, status })
    const isChosen = status === chosen
    return html`<li><a href="${href}"${isChosen && html` aria-current="page"`}>${label} <span class="count">${shownCount(visit, totalOf(counts, status))}</span></a></li>`
  }
  // The service makes no drafts, but a store may have some.
  const shown = sharePurchaseStatuses.filter(
    (status) => status !== 'draft' || status === chosen || counts.draft.count > 0,
  )
  return html`<nav class="tabs" aria-label="${say('status')}"><ul>${tab(undefined, say('all'))}${shown.map((status) => tab(status, stateIn(visit, status)))}</ul></nav>`
}

type OrderPage = Awaited<ReturnType<Visit['service']['reads']['orders']>>

function shownCount(visit: Visit, { count, isMore }: Counted): string {
  return numberOf(visit, count, isMore)
}

function columnsOf(
  visit: Visit,
  filter: Filter,
  { sort, isSortable }: OrderPage,
): readonly Column<Order>[] {
  const isBySettlement = timeKeyOf(filter) === 'settled_at'
  /** A list that is too long is sorted by time only. */
  const order = (key: OrderSort['key'], isDescendingFirst = false): Column<Order>['order'] => {
    if (!isSortable && key !== 'created_at') return undefined
    const isNow = sort.key === key
    const isDescending = isNow ? !sort.isDescending : isDescendingFirst
    return {
      href: samePage(visit, { ...noPlace, sort: `${isDescending ? '-' : ''}${key}` }),
      now: isNow ? (sort.isDescending ? 'descending' : 'ascending') : undefined,
    }
  }
  return [
    { head: 'investor', className: 'name', order: order('investor'), cell: renderName },
    {
      head: 'status',
      className: 'status',
      order: order('status'),
      cell: (row) =>
        html`${state(visit, row.status)} ${row.payment_state !== null && row.status === 'approved' && state(visit, row.payment_state)}`,
    },
    {
      head: 'organization',
      className: 'organization',
      order: order('organization'),
      cell: (row) => foreign(row.organization),
    },
    {
      head: 'cooperative',
      className: 'cooperative',
      order: order('cooperative'),
      cell: (row) => foreign(row.cooperative),
    },
    {
      head: 'shares',
      className: 'shares',
      order: order('share_count', true),
      cell: (row) => row.share_count,
      isNumber: true,
    },
    {
      head: 'total',
      className: 'total',
      order: order('total', true),
      cell: (row) => money(row.total, row.total_currency, visit),
      isNumber: true,
    },
    {
      head: isBySettlement ? 'settled' : 'placed',
      className: 'placed',
      order: order('created_at', true),
      cell: (row) => time(isBySettlement ? row.settled_at : row.created_at),
    },
  ]
}

/** Decisions that the role may make, and that are possible in the chosen status. */
function decisionsAbout(
  visit: Visit,
  { status, proposed }: Filter,
  orders: readonly Order[],
): readonly ConsoleDecision[] {
  const isProposed = proposed || orders.some(({ proposal }) => proposal !== null)
  return decisionNames.filter(
    (name) =>
      mayRun(visit, `purchase.${name}`) &&
      (status === undefined || mayFollow(name, status)) &&
      (name !== 'confirm' || isProposed),
  )
}

const buttonClasses: Readonly<Record<ConsoleDecision, string>> = {
  approve: '',
  settle: '',
  reject: 'danger',
  confirm: 'quiet',
}

interface Selectable {
  readonly above: Html
  readonly list: Html
  readonly decisions: readonly ConsoleDecision[]
  readonly page: OrderPage
}

/** The list with boxes, and the bar with the possible decisions, which stays in view. */
function renderSelection(visit: Visit, { above, list, decisions, page }: Selectable): Html {
  const { say, csrf, address } = visit
  const filter = new URLSearchParams(address.search)
  filter.delete('outcome')
  const given = filter.size > 0 ? `?${filter}` : ''
  const total = totalOf(page.counts, filterIn(readerOf(visit)).status)
  const everyOne = say('allSelected', { count: shownCount(visit, total) })
  return html`<form method="post" action="/orders">${csrfField(csrf)}
<input type="hidden" name="filter" value="${given}">
${above}
<label class="check"><input type="checkbox" id="all">${say('selectPage')}</label>
${list}
<div class="selection" id="selection" data-currency="${currency}" data-none="${say('noneSelected')}" data-some="${say('someSelected', { count: '{count}', sum: '{sum}' })}" data-every="${everyOne}">
<span class="unscripted">${say('decideSelected')}</span><span class="sum" aria-live="polite">${say('noneSelected')}</span>
<label class="check"><input type="checkbox" name="matching" value="yes"><span>${say('allThatMatch', { count: shownCount(visit, total) })} <span class="more">${say('ofThisList')}</span></span></label>
<span class="buttons">${decisions.map((name) => html`<button name="decision" value="${name}"${buttonClasses[name] !== '' && html` class="${buttonClasses[name]}"`}>${say(name)}</button> `)}</span></div></form>`
}

/** Which part of the list is shown, and links to other parts. */
function renderPlace(visit: Visit, page: OrderPage): Html {
  const { say } = visit
  const { orders, skipped, total, hasPrevious, hasNext } = page
  const [first, last] = [orders.at(0), orders.at(-1)]
  if (!first || !last) return html``
  const place =
    skipped === undefined
      ? say('someOf', { count: numberOf(visit, orders.length), total: shownCount(visit, total) })
      : say('range', {
          from: numberOf(visit, skipped + 1),
          to: numberOf(visit, skipped + orders.length),
          total: shownCount(visit, total),
        })
  const link = (label: TextName, where: Readonly<Record<string, string>>, rel?: 'prev' | 'next') =>
    html`<a${rel && html` rel="${rel}"`} href="${samePage(visit, { ...noPlace, ...where })}">${say(label)}</a> `
  return html`<nav class="pages" aria-label="${say('pagesOfList')}"><span>${place}</span>
${hasPrevious && link('first', {})}${hasPrevious && link('previous', { before: first.share_purchase_id }, 'prev')}${hasNext && link('next', { after: last.share_purchase_id }, 'next')}${hasNext && link('last', { last: 'yes' })}</nav>`
}
