import { sql } from 'kysely'
import { createEvent, refuseCancelled } from './order-rules.js'
import { addedJobs, deliveriesOf, eventOf } from './order-statements.js'

/** Cancels an order that has not been decided. @returns undefined if there is no such order */
export function cancelOrder(db, { organizationId, investorId, purchaseId }) {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('share_purchases')
      .selectAll()
      .where('share_purchase_id', '=', purchaseId)
      .where('investor_id', '=', investorId)
      .where('organization_id', '=', organizationId)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return undefined
    refuseCancelled(found)
    const order = { ...found, status: 'cancelled', updated_at: new Date() }
    await writeCancelled(transaction, order)
    return order
  })
}

function writeCancelled(transaction, order) {
  const { share_purchase_id, status, updated_at, investor_id, cooperative_id, share_count } = order
  const event = createEvent(order, updated_at)
  return sql`
    with cancelled as (
      update share_purchases set status = ${status}, updated_at = ${updated_at}
      where share_purchase_id = ${share_purchase_id}
    ), held as (
      update holdings
      set pending_shares = pending_shares - ${share_count}, updated_at = ${updated_at}
      where investor_id = ${investor_id} and cooperative_id = ${cooperative_id}
    ), ${eventOf(event)}, ${deliveriesOf(event)}
    select ${addedJobs}
  `.execute(transaction)
}
