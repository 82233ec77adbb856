import { electronicForm } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import { orderOfIssuedReference } from '../../domain/share-purchases/mandate-reference.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { SharePurchaseRequest } from '../../domain/share-purchases/share-purchase-request.ts'
import { isUuid } from '../../domain/uuid.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'

export interface LookedUpReference {
  readonly faults: FieldErrors
  readonly isFirstOfReference: boolean
}

interface MandateOfInvestor {
  readonly sepaMandate: Pick<SharePurchaseRequest['sepaMandate'], 'reference' | 'debtorIban'>
  readonly investor: Investor
}

/** A mandate is given for one account, so its reference stays with the IBAN that it was first used with. */
export async function lookUpReference(
  records: ReadableRecords,
  { vault }: Service,
  { sepaMandate: { reference, debtorIban }, investor }: MandateOfInvestor,
): Promise<LookedUpReference> {
  // One that we issue is derived from an id that is in no other order.
  if (reference === null) return { faults: {}, isFirstOfReference: false }
  const { organizationId, profile } = investor
  const first = await findFirst(records, organizationId, reference)
  if (!first) return { faults: {}, isFirstOfReference: true }
  const iban = debtorIban ?? profile?.bankAccount?.iban
  const isOther =
    iban !== undefined && electronicForm(iban) !== vault.open(first.sepaMandate.sealedDebtorIban)
  const fault = 'has been used before with another debtor IBAN'
  return { faults: isOther ? { 'sepa_mandate.reference': fault } : {}, isFirstOfReference: false }
}

async function findFirst(
  { sharePurchases }: ReadableRecords,
  organizationId: string,
  reference: string,
): Promise<SharePurchase | undefined> {
  const chosen = await sharePurchases.findByMandateReference(organizationId, reference)
  if (chosen) return chosen
  const id = orderOfIssuedReference(reference)
  const issued =
    id !== undefined && isUuid(id) ? await sharePurchases.get(organizationId, id) : undefined
  return issued && orderOfIssuedReference(issued.sepaMandate.reference) === id ? issued : undefined
}
