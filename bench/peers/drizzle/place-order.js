import { and, eq, gt, sql } from 'drizzle-orm'
import { investorNotFound } from '../api/investors.js'
import { createEvent, createOrder, digestOrder, isReplay } from '../api/order-rules.js'
import { listEndpoints, recordEvent } from './record-event.js'
import { cooperatives, holdings, idempotencyKeys, investors, sharePurchases } from './tables.js'

const uniqueViolation = '23505'
const isExpired = sql`${idempotencyKeys.created_at} <= now() - interval '24 hours'`

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
  const cooperativeId = request.cooperative_id
  const [investor, cooperative, holding, keyUse, endpoints] = await readContext(transaction, {
    ...{ organizationId, investorId, cooperativeId, key },
  })
  if (!investor) throw investorNotFound()
  const digest = digestOrder(investor, request)
  if (isReplay(keyUse, digest)) {
    return { order: await readOrder(transaction, keyUse.share_purchase_id), isReplay: true }
  }
  const order = createOrder({ investor, cooperative, holding, request })
  const event = createEvent(order, order.created_at)
  // The statements are sent together, in this sequence.
  const [, , keyed] = await Promise.all([
    transaction.insert(sharePurchases).values(order),
    addToHolding(transaction, order),
    key !== undefined && recordKey(transaction, { order, key, digest }),
    ...recordEvent(transaction, queue, event, endpoints),
  ])
  if (keyed && keyed.length === 0) throw new KeyTaken()
  return { order, isReplay: false }
}

/**
 * The first statement locks the investor, because orders of one investor share holdings. The others
 * are sent with it and begin when it has the lock.
 */
function readContext(transaction, { organizationId, investorId, cooperativeId, key }) {
  const first = async (rows) => (await rows)[0]
  return Promise.all([
    first(
      transaction
        .select()
        .from(investors)
        .where(
          and(eq(investors.investor_id, investorId), eq(investors.organization_id, organizationId)),
        )
        .for('no key update'),
    ),
    first(
      transaction.select().from(cooperatives).where(eq(cooperatives.cooperative_id, cooperativeId)),
    ),
    first(
      transaction
        .select()
        .from(holdings)
        .where(
          and(eq(holdings.investor_id, investorId), eq(holdings.cooperative_id, cooperativeId)),
        ),
    ),
    key !== undefined &&
      first(
        transaction
          .select()
          .from(idempotencyKeys)
          .where(
            and(
              eq(idempotencyKeys.organization_id, organizationId),
              eq(idempotencyKeys.key, key),
              gt(idempotencyKeys.created_at, sql`now() - interval '24 hours'`),
            ),
          ),
      ),
    listEndpoints(transaction, organizationId),
  ])
}

async function readOrder(transaction, id) {
  const [order] = await transaction
    .select()
    .from(sharePurchases)
    .where(eq(sharePurchases.share_purchase_id, id))
  return order
}

function addToHolding(transaction, { investor_id, cooperative_id, share_count }) {
  return transaction
    .insert(holdings)
    .values({ investor_id, cooperative_id, pending_shares: share_count })
    .onConflictDoUpdate({
      target: [holdings.investor_id, holdings.cooperative_id],
      set: {
        pending_shares: sql`${holdings.pending_shares} + excluded.pending_shares`,
        updated_at: new Date(),
      },
    })
}

/** @returns no row if another request holds the key */
function recordKey(transaction, { order, key, digest }) {
  const { organization_id, share_purchase_id } = order
  return transaction
    .insert(idempotencyKeys)
    .values({ organization_id, key, digest, share_purchase_id })
    .onConflictDoUpdate({
      target: [idempotencyKeys.organization_id, idempotencyKeys.key],
      set: { digest, share_purchase_id, created_at: new Date() },
      setWhere: isExpired,
    })
    .returning({ key: idempotencyKeys.key })
}
