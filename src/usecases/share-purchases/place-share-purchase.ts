import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { maskIban, toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import {
  type GivenConsent,
  missingProfileFields,
  type Profile,
} from '../../domain/investors/profile.ts'
import { currency } from '../../domain/money.ts'
import { Problem, requireValid, validationProblem } from '../../domain/problem.ts'
import {
  type Dependencies,
  resolveDependencies,
} from '../../domain/share-purchases/dependencies.ts'
import { chooseFate, scheduleFate } from '../../domain/share-purchases/fate.ts'
import {
  computeTerms,
  deriveMandateReference,
  type Fate,
  type FrozenOrder,
  type IdempotencyKey,
  resolveApplicantType,
  type SepaMandate,
  type SharePurchase,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase.ts'
import {
  holdingErrors,
  sharePurchaseErrors,
  tooManyDependents,
} from '../../domain/share-purchases/share-purchase-errors.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Cipher } from '../../ports/vault.ts'
import { openInvestor, requireInvestor } from '../investors/investors.ts'
import { readSearchTerms, type SearchTerms } from '../investors/search-terms.ts'
import type { Service } from '../service.ts'
import {
  addStoreErrors,
  exceedsDependents,
  listPossibleDependencies,
  lookUpMandate,
} from './find-share-purchase-errors.ts'
import { findOrOpenHolding } from './holdings.ts'
import {
  createKeyedRequest,
  findKeyUse,
  recordKeyUse,
  refuseReusedKey,
} from './idempotency-keys.ts'
import { recordTransition } from './record-transition.ts'

export interface PlaceSharePurchase {
  readonly organizationId: string
  readonly investorId: string
  readonly request: SharePurchaseRequest
  readonly idempotencyKey?: IdempotencyKey | undefined
  /** The id of the order, if it is derived and not random. */
  readonly sharePurchaseId?: string | undefined
  /** Only in staging. If absent, the fate of the investor or the IBAN applies. */
  readonly fate?: Fate | undefined
  /** Whether the order is in the file of an operator, where its cooperative may be unpublished. */
  readonly isOfFile?: boolean
}

export interface PlacedSharePurchase {
  readonly sharePurchase: SharePurchase
  /** Whether the order was placed by an earlier request with the same idempotency key. */
  readonly isReplay: boolean
}

export function placeSharePurchase(
  service: Service,
  input: PlaceSharePurchase,
): Promise<PlacedSharePurchase> {
  return service.store.write(subjects.investor(input.investorId), (records) =>
    placeSharePurchaseIn(records, service, input),
  )
}

/**
 * Uses the records of a write that contains more than this order. The steps follow DECISIONS.md,
 * D16; a replay comes before all checks that may have a different result now.
 */
export async function placeSharePurchaseIn(
  records: Records,
  service: Service,
  input: PlaceSharePurchase,
): Promise<PlacedSharePurchase> {
  const { organizationId, request } = input
  const now = service.clock.now()
  const possibleDependencies = await prefetch(records, input)
  const stored = await requireInvestor(records, organizationId, input.investorId)
  const investor = openInvestor(service.vault, stored)

  const keyed = createKeyedRequest(input, investor)
  const keyUse = keyed && (await findKeyUse(records, service, { keyed, now }))
  if (keyUse?.sharePurchase) return { sharePurchase: keyUse.sharePurchase, isReplay: true }

  const { maximumShareCount } = service.settings
  const context = { profile: investor.profile, maximumShareCount, now }
  const faults = sharePurchaseErrors(request, context)
  if (Object.keys(faults).length > 0) {
    const ordered = { investor, request, faults, isOfFile: input.isOfFile }
    throw validationProblem(await addStoreErrors(records, service, ordered))
  }
  if (keyUse) refuseReusedKey()

  const cooperative = await requireOrderable(records, input)
  const holding = await findOrOpenHolding(records, service, { investor, cooperative, now })
  const mandate = await lookUpMandate(records, service, { investor, ...request })
  const dependencies = resolveDependencies(
    request.shareCount,
    { rules: cooperative, holding },
    possibleDependencies,
  )
  requireValid({
    ...((await exceedsDependents(records, holding, dependencies)) && tooManyDependents),
    ...holdingErrors(request, cooperative, holding),
    ...mandate.faults,
  })
  requireCompleteProfile(investor)

  const sharePurchaseId = input.sharePurchaseId ?? service.random.id()
  const sharePurchase = await submitSharePurchase(records, service, {
    request,
    sharePurchaseId,
    investor,
    cooperative,
    dependencies,
    isFirstOfReference: mandate.isFirstOfReference,
    fate: input.fate,
    now,
  })
  await recordTransition(records, service, sharePurchase, holding)
  if (keyed) await recordKeyUse(records, service, { keyed, sharePurchase })
  return { sharePurchase, isReplay: false }
}

/**
 * Reads everything in one turn of the event loop, so that a database needs one round trip; later
 * steps get the same records. @returns possible dependencies, which change only together with the
 * holding that the write proves
 */
async function prefetch(
  records: Records,
  input: PlaceSharePurchase,
): Promise<readonly SharePurchase[]> {
  const { organizationId, request, idempotencyKey: used } = input
  const investorId = input.investorId.toLowerCase()
  const { cooperativeId } = request
  const clientIds = used ? [null, used.clientId] : []
  // The catalogue is cached, so this costs no round trip.
  const cooperative = await records.cooperatives.get(cooperativeId)
  const position = { organizationId, investorId, cooperativeId }
  const [possibleDependencies] = await Promise.all([
    cooperative
      ? listPossibleDependencies(records, position, { rules: cooperative, ...request })
      : [],
    records.investors.get(organizationId, investorId),
    records.holdings.find(organizationId, investorId, cooperativeId),
    ...clientIds.map((clientId) =>
      records.idempotencyRecords.get(organizationId, clientId, used?.key ?? ''),
    ),
    records.settings.get(),
    records.organizations.get(organizationId),
    records.webhookEndpoints.listByOrganization(organizationId),
  ])
  return possibleDependencies
}

function requireCompleteProfile(investor: Investor): void {
  const missing = missingProfileFields(investor)
  if (missing.length === 0) return
  throw new Problem(
    'INVESTOR_PROFILE_INCOMPLETE',
    `The investor's profile lacks ${missing.join(', ')}. Complete the profile before you place an order.`,
    { fields: missing },
  )
}

/** For partners, unpublished cooperatives do not exist. */
async function requireOrderable(
  { cooperatives }: ReadableRecords,
  { request, isOfFile }: PlaceSharePurchase,
): Promise<Cooperative> {
  const cooperative = await cooperatives.get(request.cooperativeId)
  if (cooperative && (cooperative.published || isOfFile)) return cooperative
  throw new Problem('COOPERATIVE_NOT_FOUND', 'No published cooperative has this cooperativeId.', {
    fields: ['cooperativeId'],
  })
}

export interface SubmitSharePurchase {
  readonly request: SharePurchaseRequest
  readonly sharePurchaseId: string
  readonly investor: Investor
  readonly cooperative: Cooperative
  readonly dependencies: Dependencies
  readonly isFirstOfReference: boolean
  readonly fate: Fate | undefined
  readonly now: Timestamp
}

/** Creates an order with frozen terms (spec: States and transitions), without storing it. */
async function submitSharePurchase(
  records: ReadableRecords,
  service: Service,
  input: SubmitSharePurchase,
): Promise<SharePurchase> {
  const { sharePurchaseId, investor, cooperative, now } = input
  const order = freezeOrder(input)
  const { debtorIban } = order.sepaMandate
  const fate =
    service.settings.environment === 'staging'
      ? chooseFate({ own: input.fate, ofInvestor: investor.fate, debtorIban })
      : undefined
  return createSharePurchase(records, service, {
    sharePurchaseId,
    investor,
    cooperative,
    order,
    fate,
    now,
  })
}

function freezeOrder(input: SubmitSharePurchase): FrozenOrder {
  const { request, sharePurchaseId, investor, cooperative, dependencies } = input
  const { shareCount } = request
  const { reference, signedAt } = request.sepaMandate
  const { debtorIban, terms, privacy } = derivePurchaseDefaults(investor.profile, request)
  return {
    shareCount,
    applicantType: resolveApplicantType(request, investor.profile),
    ...computeTerms(cooperative, { shareCount, isMember: dependencies.isMember }),
    restsOn: dependencies.restsOn,
    sepaMandate: {
      reference: reference ?? deriveMandateReference(sharePurchaseId),
      ...(input.isFirstOfReference && { isFirstOfReference: true }),
      signedAt,
      debtorIban,
    },
    consents: { terms, privacy, statute: { given: true, givenAt: request.statuteConsentGivenAt } },
  }
}

export interface CreateSharePurchase {
  readonly sharePurchaseId: string
  readonly investor: Pick<Investor, 'organizationId' | 'investorId' | 'sealedKey'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly order: FrozenOrder
  readonly fate: Fate | undefined
  readonly now: Timestamp
}

/** Creates a submitted order from its frozen terms, without storing it. */
export async function createSharePurchase(
  records: ReadableRecords,
  service: Service,
  { sharePurchaseId, investor, cooperative, order, fate, now }: CreateSharePurchase,
): Promise<SharePurchase> {
  const searchTerms = await readSearchTerms(records, service)
  const { organizationId, investorId, sealedKey } = investor
  return scheduleFate({
    sharePurchaseId,
    organizationId,
    investorId,
    cooperativeId: cooperative.id,
    status: 'submitted',
    currency,
    searchTerms: termsOfOrder(searchTerms, order.sepaMandate, sharePurchaseId),
    reason: null,
    ...(fate && { fate }),
    transitions: [{ to: 'submitted', at: now }],
    createdAt: now,
    updatedAt: now,
    ...order,
    sepaMandate: sealMandate(service.vault.of(sealedKey), order.sepaMandate),
  })
}

/** An issued reference needs no term, because the id of the order can be derived from it. */
export function termsOfOrder(
  searchTerms: SearchTerms,
  { debtorIban, reference }: Partial<FrozenOrder['sepaMandate']>,
  sharePurchaseId: string,
): readonly string[] {
  const isChosen = reference !== deriveMandateReference(sharePurchaseId)
  return searchTerms.ofOrder({ debtorIban, mandateReference: isChosen ? reference : undefined })
}

function sealMandate(
  cipher: Cipher,
  { debtorIban, ...mandate }: FrozenOrder['sepaMandate'],
): SepaMandate {
  return {
    sealedDebtorIban: cipher.seal(debtorIban),
    debtorIbanMasked: maskIban(debtorIban),
    ...mandate,
  }
}

export interface PurchaseDefaults {
  /** In electronic format. */
  readonly debtorIban: string
  readonly terms: GivenConsent
  readonly privacy: GivenConsent
}

/**
 * Takes missing values from the profile, and refuses an order if the profile lacks them, too. A complete profile
 * lacks none of them. Spec gap: see DECISIONS.md, D13.
 */
export function derivePurchaseDefaults(
  profile: Profile | null,
  { sepaMandate }: Pick<SharePurchaseRequest, 'sepaMandate'>,
): PurchaseDefaults {
  const debtorIban = sepaMandate.debtorIban ?? profile?.bankAccount?.iban
  return {
    debtorIban: toElectronicFormat(debtorIban ?? refuseWithout('sepaMandate.debtorIban')),
    terms: requireGiven(profile, 'terms'),
    privacy: requireGiven(profile, 'privacy'),
  }
}

function requireGiven(profile: Profile | null, name: 'terms' | 'privacy'): GivenConsent {
  const consent = profile?.consents[name]
  return consent?.given ? consent : refuseWithout(`consents.${name}`)
}

function refuseWithout(path: string): never {
  throw new Problem(
    'PURCHASE_DEFAULTS_UNAVAILABLE',
    `${path} was not sent, and the investor's profile has no value to use instead.`,
    { fields: [path] },
  )
}
