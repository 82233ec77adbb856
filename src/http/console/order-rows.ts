import { foreign, type Html, html } from './html.ts'
import type { Order } from './order-filter.ts'
import { counted, type Visit } from './page.ts'

/** A number as the language writes it. */
export function numberOf(visit: Visit, count: number, isMore = false): string {
  return counted(count, visit, isMore ? count : Number.POSITIVE_INFINITY)
}

/** The person or company that buys the shares, as a person who decides knows them. */
function nameOfBuyer(order: Order): string {
  return order.investor ?? order.partner_customer_ref ?? order.share_purchase_id
}

/** The link of a row, which the styles extend to the whole row. */
export function renderName(order: Order): Html {
  const reference = order.investor === null ? null : order.partner_customer_ref
  return html`<a class="whole" href="/orders/${order.share_purchase_id}">${foreign(nameOfBuyer(order))}</a>${reference !== null && html` <small class="soft">${foreign(reference)}</small>`}`
}

/** The script sums up the totals of the selected orders. */
export function renderBox({ say }: Visit, order: Order, isChecked: boolean): Html {
  const { share_purchase_id: id, total } = order
  const label = say('selectOrder', { name: nameOfBuyer(order) })
  return html`<label><input type="checkbox" name="id" value="${id}" data-total="${total}" aria-label="${label}"${isChecked && html` checked`}></label>`
}
