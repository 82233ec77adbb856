import { paymentStates } from '../../domain/payments/payment.ts'
import {
  type OrderPlace,
  type OrderSort,
  orderSortKeys,
} from '../../domain/share-purchases/order-list.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import { startOfDay } from '../../domain/timestamp.ts'
import type { Row } from '../../operations/operations.ts'
import type { ReadParameter } from '../query.ts'
import { type Html, html, readChoice } from './html.ts'
import {
  chosenIn,
  cooperativeFilter,
  dayFields,
  filterField,
  filterForm,
  partnerFilter,
  stateIn,
  type Visit,
} from './page.ts'

export type Order = Row<'purchase.list'>

/** The filters of the address of the list of orders. */
export function filterIn(read: ReadParameter) {
  const day = (name: string) => startOfDay(read(name) ?? '') || undefined
  return {
    status: readChoice(read, 'status', sharePurchaseStatuses),
    organization: read('organization'),
    cooperative: read('cooperative'),
    proposed: read('proposed') ? (true as const) : undefined,
    investor: read('investor'),
    payment_state: readChoice(read, 'payment_state', paymentStates),
    since: day('since'),
    until: day('until'),
    settled_since: day('settled_since'),
    settled_until: day('settled_until'),
  }
}

export type Filter = ReturnType<typeof filterIn>

const sorts = orderSortKeys.flatMap((key) => [key, `-${key}`])

/** The newest orders come first, unless the address says something else. */
export function sortIn(read: ReadParameter): OrderSort {
  const sort = readChoice(read, 'sort', sorts) ?? '-created_at'
  const key = orderSortKeys.find((known) => known === sort.replace(/^-/, '')) ?? 'created_at'
  return { key, isDescending: sort.startsWith('-') }
}

export function placeIn(read: ReadParameter): OrderPlace {
  return { after: read('after'), before: read('before'), isLast: read('last') !== undefined }
}

/** The parameters of the address that say which part of the list is shown. */
export const noPlace = { after: undefined, before: undefined, last: undefined } as const

/** The key of the time by which the list is sorted and filtered, as in commands. */
export function timeKeyOf({ settled_since, settled_until }: Filter): 'created_at' | 'settled_at' {
  return settled_since || settled_until ? 'settled_at' : 'created_at'
}

const filtersBehind = [
  'proposed',
  'investor',
  'payment_state',
  'since',
  'until',
  'settled_since',
  'settled_until',
] as const

export async function renderOrderFilter(visit: Visit): Promise<Html> {
  const { say } = visit
  const chosen = (name: string) => chosenIn(visit, name)
  const [partner, cooperative] = await Promise.all([partnerFilter(visit), cooperativeFilter(visit)])
  const kept = ['status', 'sort'].filter(chosen)
  const isOpen = filtersBehind.some(chosen)
  const fields = html`${kept.map((name) => html`<input type="hidden" name="${name}" value="${chosen(name)}">`)}
${partner}${cooperative}
<details class="more"${isOpen && html` open`}><summary>${say('moreFilters')}</summary><div class="row">
${filterField(visit, { name: 'proposed', label: 'proposed', values: [['true', say('yes')]] })}
${filterField(visit, { name: 'payment_state', label: 'payment_state', values: paymentStates.map((each) => [each, stateIn(visit, each)] as const) })}
<label>${say('investor')}<input name="investor" value="${chosen('investor')}"></label>
${dayFields(visit)}${dayFields(visit, ['settled_since', 'settled_until'])}</div></details>`
  return filterForm(visit, '/orders', fields)
}
