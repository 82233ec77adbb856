import { eq } from 'drizzle-orm'
import { endpoints, events } from './tables.js'

/** The endpoints that get the events of an organization. */
export function listEndpoints(transaction, organizationId) {
  return transaction
    .select({ endpoint_id: endpoints.endpoint_id })
    .from(endpoints)
    .where(eq(endpoints.organization_id, organizationId))
}

/** Statements that store an event and a job for each endpoint in the transaction. */
export function recordEvent(transaction, queue, event, receivers) {
  const { event_id } = event
  const deliveries = receivers.map(({ endpoint_id }) => ({ event_id, endpoint_id }))
  return [
    transaction.insert(events).values(event),
    ...(deliveries.length > 0 ? [queue.add(transaction, deliveries)] : []),
  ]
}
