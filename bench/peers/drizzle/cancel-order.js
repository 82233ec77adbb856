import { and, eq, sql } from 'drizzle-orm'
import { createEvent, refuseCancelled } from '../api/order-rules.js'
import { endpoints, events, holdings, sharePurchases } from './tables.js'

/** Cancels an order that has not been decided. @returns undefined if there is no such order */
export async function cancelOrder(db, queue, { organizationId, investorId, purchaseId }) {
  const cancelled = await db.transaction(async (transaction) => {
    const isWanted = and(
      eq(sharePurchases.share_purchase_id, purchaseId),
      eq(sharePurchases.investor_id, investorId),
      eq(sharePurchases.organization_id, organizationId),
    )
    const [found] = await transaction.select().from(sharePurchases).where(isWanted).for('update')
    if (!found) return undefined
    refuseCancelled(found)
    const order = { ...found, status: 'cancelled', updated_at: new Date() }
    const event = createEvent(order, order.updated_at)
    await Promise.all([
      ...writeCancelled(transaction, order),
      transaction.insert(events).values(event),
      queue.add(transaction, event, await listEndpoints(transaction, organizationId)),
    ])
    return order
  })
  if (cancelled) queue.notify()
  return cancelled
}

async function listEndpoints(transaction, organizationId) {
  const rows = await transaction
    .select({ endpoint_id: endpoints.endpoint_id })
    .from(endpoints)
    .where(eq(endpoints.organization_id, organizationId))
  return rows.map(({ endpoint_id }) => endpoint_id)
}

function writeCancelled(transaction, order) {
  const { share_purchase_id, status, updated_at, investor_id, cooperative_id, share_count } = order
  return [
    transaction
      .update(sharePurchases)
      .set({ status, updated_at })
      .where(eq(sharePurchases.share_purchase_id, share_purchase_id)),
    transaction
      .update(holdings)
      .set({ pending_shares: sql`${holdings.pending_shares} - ${share_count}`, updated_at })
      .where(
        and(eq(holdings.investor_id, investor_id), eq(holdings.cooperative_id, cooperative_id)),
      ),
  ]
}
