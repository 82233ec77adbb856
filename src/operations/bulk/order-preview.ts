import { addMoney, currency, type Money, zeroMoney } from '../../domain/money.ts'
import {
  amount,
  count,
  id,
  ids,
  instantOrNull,
  listOf,
  plain,
  type Rendered,
  text,
  textOrNull,
} from '../../wire/view.ts'

export interface PreviewedOrder {
  readonly share_purchase_id: string
  readonly cooperative_id: string
  readonly cooperative_key: string | null
  readonly cooperative: string | null
  readonly total: Money
  readonly created_at: string
}

const previewedCooperative = plain('Previewed cooperative', {
  cooperative_id: id('Id of the cooperative.'),
  cooperative_key: textOrNull('Cooperative key.'),
  cooperative: textOrNull('Cooperative name.'),
  count: count('Number of share purchases.'),
  total: amount('Sum of the totals.'),
})

export const sharePurchasePreview = plain('Share purchase preview', {
  count: count('Number of share purchases.'),
  total: amount('Sum of the totals.'),
  total_currency: text('Currency, ISO 4217.'),
  oldest: instantOrNull('Time when the oldest order was placed.'),
  newest: instantOrNull('Time when the newest order was placed.'),
  cooperatives: listOf(previewedCooperative, 'Number and sum for each cooperative.'),
  share_purchase_ids: ids('Share purchase ids, for the decision.'),
})
export type PreviewOfOrders = Rendered<typeof sharePurchasePreview>

/** The orders and amounts of a decision, before it is made. */
export function previewOf(orders: readonly PreviewedOrder[]): PreviewOfOrders {
  const times = orders.map(({ created_at }) => created_at).sort()
  const groups = new Map<string, PreviewedOrder[]>()
  for (const order of orders) {
    const group = groups.get(order.cooperative_id)
    if (group) group.push(order)
    else groups.set(order.cooperative_id, [order])
  }
  return {
    count: orders.length,
    total: sumOf(orders),
    total_currency: currency,
    oldest: times.at(0) ?? null,
    newest: times.at(-1) ?? null,
    cooperatives: [...groups].map(([cooperative_id, group]) => ({
      cooperative_id,
      cooperative_key: group[0]?.cooperative_key ?? null,
      cooperative: group[0]?.cooperative ?? null,
      count: group.length,
      total: sumOf(group),
    })),
    share_purchase_ids: orders.map(({ share_purchase_id }) => share_purchase_id),
  }
}

export function sumOf(orders: readonly { readonly total: Money }[]): Money {
  return orders.reduce((sum, { total }) => addMoney(sum, total), zeroMoney)
}
