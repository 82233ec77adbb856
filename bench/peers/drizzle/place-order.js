import { and, eq, sql } from 'drizzle-orm'
import { investorNotFound } from '../api/investors.js'
import { createEvent, createOrder, digestOrder, isReplay } from '../api/order-rules.js'
import { contextOf, keysOf, readContext, rowsOf } from '../api/order-statements.js'
import { investors, sharePurchases } from './tables.js'

const uniqueViolation = '23505'

/** Another request has used the key since this one looked it up. */
class KeyTaken extends Error {}

/** Places an order with its holding, key, event and jobs in one commit. */
export async function placeOrder(db, queue, input) {
  const place = () => db.transaction((transaction) => placeIn(transaction, queue, input))
  const placed = await place().catch((error) => {
    if (error instanceof KeyTaken || error.cause?.code === uniqueViolation) return place()
    throw error
  })
  if (!placed.isReplay) queue.notify()
  return placed
}

async function placeIn(transaction, queue, { organizationId, investorId, key, request }) {
  const ids = { organizationId, investorId, key, cooperativeId: request.cooperative_id }
  // The second statement is sent with the first one and begins when that has the lock.
  const [, { rows }] = await Promise.all([
    lockInvestor(transaction, ids),
    transaction.execute(contextOf(sql, ids)),
  ])
  const { investor, cooperative, holding, keyUse, endpoints } = readContext(rows)
  if (!investor) throw investorNotFound()
  const digest = digestOrder(investor, request)
  if (isReplay(keyUse, digest)) {
    return { order: await readOrder(transaction, keyUse.share_purchase_id), isReplay: true }
  }
  const order = createOrder({ investor, cooperative, holding, request })
  await writeOrder(transaction, queue, { order, key, digest, endpoints })
  return { order, isReplay: false }
}

/** Orders of one investor are placed one after the other, because they share holdings. */
function lockInvestor(transaction, { organizationId, investorId }) {
  const isWanted = and(
    eq(investors.investor_id, investorId),
    eq(investors.organization_id, organizationId),
  )
  return transaction
    .select({ investor_id: investors.investor_id })
    .from(investors)
    .where(isWanted)
    .for('no key update')
}

async function readOrder(transaction, id) {
  const [order] = await transaction
    .select()
    .from(sharePurchases)
    .where(eq(sharePurchases.share_purchase_id, id))
  return order
}

async function writeOrder(transaction, queue, { order, key, digest, endpoints }) {
  const event = createEvent(order, order.created_at)
  const rows = rowsOf(sql, { order, key, digest, event })
  const [written] = await Promise.all([
    transaction.execute(sql`with ${rows} select ${keysOf(sql)}`),
    queue.add(transaction, event, endpoints),
  ])
  if (key !== undefined && written.rows[0].keys === 0) throw new KeyTaken()
}
