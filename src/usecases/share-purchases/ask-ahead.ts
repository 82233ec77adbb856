import type { ReadableRecords } from '../../ports/store.ts'
import type { PlaceSharePurchase } from './place-share-purchase.ts'

/**
 * Asks at once for all that an order needs: where the store is another machine, it answers in one round trip, and
 * remembers the answers for the steps that need them. The investor comes first, because whoever places an order for the
 * same one waits there.
 */
export async function askAhead(
  records: ReadableRecords,
  { organizationId, investorId, request, idempotencyKey: used }: PlaceSharePurchase,
): Promise<void> {
  const id = investorId.toLowerCase()
  await Promise.all([
    records.investors.get(organizationId, id),
    records.holdings.find(organizationId, id, request.cooperativeId),
    ...(used ? [null, used.clientId] : []).map((clientId) =>
      records.idempotencyRecords.get(organizationId, clientId, used?.key ?? ''),
    ),
    records.cooperatives.get(request.cooperativeId),
    records.organizations.get(organizationId),
    records.webhookEndpoints.listByOrganization(organizationId),
  ])
}
