import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import { isUuid } from '../../domain/ids.ts'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { collectErrors, type DeepPartial, type FieldErrors } from '../../domain/problem.ts'
import {
  type Dependencies,
  maximumDependents,
  mayDepend,
  resolveDependencies,
} from '../../domain/share-purchases/dependencies.ts'
import { hasLapsed, usesMandate } from '../../domain/share-purchases/mandate-lapse.ts'
import type {
  SharePurchase,
  SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase.ts'
import { sharePurchaseIdOfReference } from '../../domain/share-purchases/share-purchase.ts'
import {
  holdingErrors,
  lapsedMandate,
  sharePurchaseErrors,
  tooManyDependents,
} from '../../domain/share-purchases/share-purchase-errors.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { PositionKey } from '../../ports/collections.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { type InvestorReference, openInvestor, requireInvestor } from '../investors/investors.ts'
import type { Service } from '../service.ts'
import { findOrOpenHolding } from './holdings.ts'

interface Ordered {
  readonly investor: Investor
  readonly request: DeepPartial<SharePurchaseRequest>
  /** Errors that do not depend on the store. */
  readonly faults: FieldErrors
  /** Whether the cooperative may be unpublished. */
  readonly isOfFile?: boolean | undefined
}

/**
 * Returns all errors of an order as far as it can be read. Throws if the investor is not the
 * caller's.
 */
export async function findSharePurchaseErrors(
  service: Service,
  {
    organizationId,
    investorId,
    request,
  }: InvestorReference & { request: DeepPartial<SharePurchaseRequest> },
): Promise<FieldErrors> {
  return service.store.read(async (records) => {
    const stored = await requireInvestor(records, organizationId, investorId)
    const investor = openInvestor(service.vault, stored)
    const { maximumShareCount } = service.settings
    const context = { profile: investor.profile, maximumShareCount, now: service.clock.now() }
    const faults = sharePurchaseErrors(request, context)
    return addStoreErrors(records, service, { investor, request, faults })
  })
}

/** Adds the errors that depend on stored records. */
export async function addStoreErrors(
  records: ReadableRecords,
  service: Service,
  ordered: Ordered,
): Promise<FieldErrors> {
  return {
    ...(await findHoldingErrors(records, service, ordered)),
    ...(await findMandateErrors(records, service, ordered)),
    ...ordered.faults,
  }
}

/** Returns no errors if the cooperative is unknown: that problem is reported once nothing else is wrong. */
async function findHoldingErrors(
  records: ReadableRecords,
  service: Service,
  { investor, request: { cooperativeId, shareCount }, isOfFile }: Ordered,
): Promise<FieldErrors> {
  if (cooperativeId === undefined || shareCount === undefined) return {}
  const cooperative = await records.cooperatives.get(cooperativeId)
  if (!cooperative || !(cooperative.published || isOfFile)) return {}
  const now = service.clock.now()
  const holding = await findOrOpenHolding(records, service, { investor, cooperative, now })
  const order = { shareCount, rules: cooperative }
  const possible = await listPossibleDependencies(records, holding, order)
  const dependencies = resolveDependencies(shareCount, { rules: cooperative, holding }, possible)
  return {
    ...((await exceedsDependents(records, holding, dependencies)) && tooManyDependents),
    ...holdingErrors({ shareCount }, cooperative, holding),
  }
}

/** The orders of a position on which a new one may depend; none are read if it cannot depend on any. */
export async function listPossibleDependencies(
  { sharePurchases }: ReadableRecords,
  position: PositionKey,
  { shareCount, rules }: { readonly shareCount: number; readonly rules: Cooperative },
): Promise<readonly SharePurchase[]> {
  return mayDepend(shareCount, rules) ? sharePurchases.listOldestPossibleDependencies(position) : []
}

/**
 * Whether an order would depend on others although `maximumDependents` of its position already do.
 */
export async function exceedsDependents(
  { sharePurchases }: ReadableRecords,
  holding: Holding,
  { restsOn }: Pick<Dependencies, 'restsOn'>,
): Promise<boolean> {
  // Each order has at least one share, so most positions need no check.
  if (restsOn.length === 0 || holding.pendingShares < maximumDependents) return false
  const last = { offset: maximumDependents - 1, limit: 1 }
  return (await sharePurchases.listPendingDependents(holding, last)).length > 0
}

/** Empty if the reference is missing or invalid itself. */
async function findMandateErrors(
  records: ReadableRecords,
  service: Service,
  { investor, request: { sepaMandate = {} }, faults }: Ordered,
): Promise<FieldErrors> {
  const { reference, signedAt } = sepaMandate
  if (reference === undefined || faults['sepaMandate.reference']) return {}
  // An invalid IBAN is not compared.
  const debtorIban = faults['sepaMandate.debtorIban'] ? undefined : sepaMandate.debtorIban
  const mandate = { reference, signedAt, debtorIban }
  return (await lookUpMandate(records, service, { sepaMandate: mandate, investor })).faults
}

export interface LookedUpMandate {
  readonly faults: FieldErrors
  readonly isFirstOfReference: boolean
}

interface MandateOfInvestor {
  readonly sepaMandate: Pick<SharePurchaseRequest['sepaMandate'], 'reference'> &
    DeepPartial<SharePurchaseRequest['sepaMandate']>
  readonly investor: Investor
}

/**
 * A mandate belongs to one account, so its reference stays with the IBAN of its first use. Without a use for 36
 * months it lapses.
 */
export async function lookUpMandate(
  records: ReadableRecords,
  { vault, clock }: Service,
  { sepaMandate: { reference, debtorIban, signedAt }, investor }: MandateOfInvestor,
): Promise<LookedUpMandate> {
  const { organizationId, profile } = investor
  // References that we issue are derived from ids of orders, so they are unique.
  const first = reference === null ? undefined : await findFirst(records, organizationId, reference)
  const iban = debtorIban === null ? profile?.bankAccount?.iban : debtorIban
  const isOther =
    first !== undefined &&
    iban !== undefined &&
    toElectronicFormat(iban) !== (await openDebtorIban(records, vault, first, investor))
  const now = clock.now()
  const isUsed = async () =>
    reference !== null && (await isUsedMandate(records, { organizationId, reference, now }))
  const isLapsed = signedAt !== undefined && hasLapsed(signedAt, now) && !(await isUsed())
  return {
    faults: collectErrors({
      'sepaMandate.reference': isOther && 'was already used with a different debtor IBAN',
      'sepaMandate.signedAt': isLapsed && lapsedMandate,
    }),
    isFirstOfReference: reference !== null && first === undefined,
  }
}

interface UsedMandate {
  readonly organizationId: string
  readonly reference: string
  readonly now: Timestamp
}

/** Whether an order of the last 36 months has used the mandate. */
async function isUsedMandate(
  records: ReadableRecords,
  { organizationId, reference, now }: UsedMandate,
): Promise<boolean> {
  const { sharePurchases } = records
  const uses = await Promise.all([
    sharePurchases.findLastUseOfMandate(organizationId, reference),
    findIssued(records, organizationId, reference),
  ])
  return uses.some((use) => use && usesMandate(use) && !hasLapsed(use.createdAt, now))
}

/** The first use may have been by another investor of the partner. */
async function openDebtorIban(
  { investors }: ReadableRecords,
  vault: Vault,
  { organizationId, investorId, sepaMandate }: SharePurchase,
  own: Investor,
): Promise<string> {
  const owner =
    investorId === own.investorId ? own : await investors.get(organizationId, investorId)
  return vault.of(owner?.sealedKey).open(sepaMandate.sealedDebtorIban)
}

async function findFirst(
  records: ReadableRecords,
  organizationId: string,
  reference: string,
): Promise<SharePurchase | undefined> {
  const chosen = await records.sharePurchases.findByMandateReference(organizationId, reference)
  return chosen ?? findIssued(records, organizationId, reference)
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
