import { integer, is, string, type } from 'superstruct'
import { addMoney, multiplyMoney, parseMoney } from '../../domain/money.ts'
import { findDiffering, findFirst, isBody } from './expectations.ts'
import type { Answer } from './pinned-contract.ts'

const Order = type({
  share_count: integer(),
  price_per_share: string(),
  entry_fee: string(),
  total: string(),
})

/** The total of an order is computed, and whoever pays computes it, too. */
export function expectTotals({ body }: Answer): string | undefined {
  const items = isBody(body) && Array.isArray(body['items']) ? body['items'] : []
  return findFirst([
    () => findTotalFault(body, ''),
    ...items.map((item, index) => () => findTotalFault(item, `/items/${index}`)),
  ])
}

function findTotalFault(body: unknown, place: string): string | undefined {
  if (!is(body, Order)) return undefined
  const price = parseMoney(body.price_per_share)
  const fee = parseMoney(body.entry_fee)
  if (price === undefined || fee === undefined) return undefined
  const total = addMoney(multiplyMoney(price, body.share_count), fee)
  return findDiffering({ total }, body, place)
}
