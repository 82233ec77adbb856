import type { DirectDebit } from '../../domain/payments/debit-collection.ts'
import {
  deriveMandateReference,
  sharePurchaseIdOfReference,
} from '../../domain/share-purchases/share-purchase.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** Newest first; nobody uses a mandate more often. */
const mostUses = 50

/**
 * The direct debits of a cooperative with this reference. An issued reference contains the id of the order, whose payment
 * names its direct debits, so no list has them.
 */
export async function listDebitsOfMandate(
  { payments, directDebits }: ReadableRecords,
  cooperativeId: string,
  reference: string,
): Promise<readonly DirectDebit[]> {
  const issuedFor = sharePurchaseIdOfReference(reference)
  const [chosen, payment] = await Promise.all([
    directDebits.listByMandate(cooperativeId, reference, mostUses),
    issuedFor === undefined ? undefined : payments.get(issuedFor),
  ])
  if (payment?.cooperativeId !== cooperativeId) return chosen
  const own = await Promise.all(
    payment.attempts.map(({ endToEndId }) => directDebits.get(endToEndId)),
  )
  const issued = own.flatMap((debit) =>
    debit?.mandateReference === deriveMandateReference(payment.sharePurchaseId) ? debit : [],
  )
  return [...issued, ...chosen]
}
