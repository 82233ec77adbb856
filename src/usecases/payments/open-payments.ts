import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { openPayment } from '../../domain/payments/payment.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { batchSize, readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'

/**
 * Opens the payments of approved orders that have none, because they were approved before the cooperative had a
 * creditor. A second run after a crash opens the rest.
 */
export async function openMissingPayments(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  { id: cooperativeId }: Cooperative,
): Promise<void> {
  const approved = readInBatches(store, {
    list: ({ sharePurchases }, page) =>
      sharePurchases.list({ cooperativeId, status: 'approved', ...page }),
    idOf: ({ sharePurchaseId }: SharePurchase) => sharePurchaseId,
    size: batchSize,
  })
  for await (const orders of approved) {
    const known = await store.read(({ payments }) =>
      Promise.all(orders.map(({ sharePurchaseId }) => payments.get(sharePurchaseId))),
    )
    const missing = orders.filter((_, index) => known[index] === undefined)
    if (missing.length === 0) continue
    await store.write(subjects.all('payments'), (records) =>
      openEach(records, missing, clock.now()),
    )
  }
}

/** Reads the orders again, because one may have been decided meanwhile. */
async function openEach(
  { sharePurchases, payments }: Records,
  orders: readonly SharePurchase[],
  now: SharePurchase['createdAt'],
): Promise<void> {
  await Promise.all(
    orders.map(async ({ organizationId, sharePurchaseId }) => {
      const [order, payment] = await Promise.all([
        sharePurchases.get(organizationId, sharePurchaseId),
        payments.get(sharePurchaseId),
      ])
      if (order?.status === 'approved' && !payment) await payments.put(openPayment(order, now))
    }),
  )
}
