import { isUuid } from '../../domain/ids.ts'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { collectErrors, type DeepPartial, type FieldErrors } from '../../domain/problem.ts'
import { hasLapsed, usesMandate } from '../../domain/share-purchases/mandate-lapse.ts'
import {
  isMandateReference,
  type SharePurchase,
  type SharePurchaseRequest,
  sharePurchaseIdOfReference,
} from '../../domain/share-purchases/share-purchase.ts'
import { lapsedMandate } from '../../domain/share-purchases/share-purchase-errors.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'

/** The order that was the first to use a mandate; undefined if the reference is new, or no reference. */
export async function findFirstUse(
  records: ReadableRecords,
  organizationId: string,
  reference: string | null | undefined,
): Promise<SharePurchase | undefined> {
  // References that we issue are derived from ids of orders, so they are unique.
  if (reference == null || !isMandateReference(reference)) return undefined
  const chosen = await records.sharePurchases.findByMandateReference(organizationId, reference)
  return chosen ?? findIssued(records, organizationId, reference)
}

interface UsedMandate {
  readonly sent: DeepPartial<SharePurchaseRequest['sepaMandate']> | undefined
  readonly investor: Investor
  readonly firstUse: SharePurchase | undefined
  /** Errors that do not depend on the store. */
  readonly own: FieldErrors
}

/**
 * A mandate belongs to one account, so its reference stays with the IBAN of its first use. Without a use for 36
 * months it lapses. A reference or an account that is invalid itself is not compared.
 */
export async function findMandateErrors(
  records: ReadableRecords,
  { vault, clock }: Service,
  { sent: { reference, debtorIban, signedAt } = {}, investor, firstUse, own }: UsedMandate,
): Promise<FieldErrors> {
  if (reference === undefined || own['sepaMandate.reference']) return {}
  const { organizationId, profile } = investor
  const account = own['sepaMandate.debtorIban'] ? undefined : debtorIban
  const iban = account === null ? profile?.bankAccount?.iban : account
  const isOther =
    firstUse !== undefined &&
    iban !== undefined &&
    toElectronicFormat(iban) !== (await openDebtorIban(firstUse))
  const now = clock.now()
  const isLapsed = signedAt !== undefined && hasLapsed(signedAt, now) && !(await isUsed())
  return collectErrors({
    'sepaMandate.reference': isOther && 'was already used with a different debtor IBAN',
    'sepaMandate.signedAt': isLapsed && lapsedMandate,
  })

  /** The first use may have been by another investor of the partner. */
  async function openDebtorIban({ investorId, sepaMandate }: SharePurchase): Promise<string> {
    const owner =
      investorId === investor.investorId
        ? investor
        : await records.investors.get(organizationId, investorId)
    return vault.of(owner?.encryptedKey).decrypt(sepaMandate.encryptedDebtorIban)
  }

  /** Whether an order of the last 36 months has used the mandate. */
  async function isUsed(): Promise<boolean> {
    if (reference == null) return false
    const uses = await readTogether({
      last: records.sharePurchases.findLastUseOfMandate(organizationId, reference),
      issued: findIssued(records, organizationId, reference),
    })
    return [uses.last, uses.issued].some(
      (use) => use && usesMandate(use) && !hasLapsed(use.createdAt, now),
    )
  }
}

/** The order for which the service issued the reference. */
async function findIssued(
  { sharePurchases }: ReadableRecords,
  organizationId: string,
  reference: string,
): Promise<SharePurchase | undefined> {
  const id = sharePurchaseIdOfReference(reference)
  const issued =
    id !== undefined && isUuid(id) ? await sharePurchases.get(organizationId, id) : undefined
  return issued && sharePurchaseIdOfReference(issued.sepaMandate.reference) === id
    ? issued
    : undefined
}
