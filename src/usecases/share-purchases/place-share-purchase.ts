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
import { errorsOf, partsOf, type Sent, Unfit } from '../../domain/sent.ts'
import { chooseFate, scheduleFate } from '../../domain/share-purchases/fate.ts'
import {
  computeTerms,
  deriveMandateReference,
  type Fate,
  type FrozenOrder,
  resolveApplicantType,
  type SepaMandate,
  type SharePurchase,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase.ts'
import { sharePurchaseErrors } from '../../domain/share-purchases/share-purchase-errors.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Cipher } from '../../ports/vault.ts'
import { openInvestor, requireInvestor } from '../investors/investors.ts'
import { readSearchTerms, type SearchTerms } from '../investors/search-terms.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'
import { type Position, readPosition } from './holdings.ts'
import {
  createKeyedRequest,
  findKeyUse,
  findReplayed,
  recordKeyUse,
  refuseReusedKey,
} from './idempotency-keys.ts'
import { findFirstUse, findMandateErrors } from './mandates.ts'
import { recordTransition } from './record-transition.ts'

export interface PlaceSharePurchase {
  readonly organizationId: string
  readonly investorId: string
  readonly request: Sent<SharePurchaseRequest>
  readonly idempotencyKey?: string | undefined
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
 * Uses the records of a write that contains more than this order. The refusals come in the order of DECISIONS.md, D16; a
 * replay comes before all checks that may have a different result now.
 */
export async function placeSharePurchaseIn(
  records: Records,
  service: Service,
  input: PlaceSharePurchase,
): Promise<PlacedSharePurchase> {
  const { organizationId, investorId, request, idempotencyKey } = input
  const parts = partsOf(request)
  const now = service.clock.now()
  const {
    investor: known,
    position,
    firstUse,
    keyUse,
  } = await readTogether({
    investor: requireInvestor(records, organizationId, investorId),
    position: readPosition(records, service, { ...input, ...parts }),
    firstUse: findFirstUse(records, organizationId, parts.sepaMandate?.reference),
    keyUse:
      idempotencyKey === undefined
        ? undefined
        : findKeyUse(records, organizationId, idempotencyKey, now),
  })
  const investor = openInvestor(service.vault, known)

  const keyed =
    idempotencyKey !== undefined && !(request instanceof Unfit)
      ? createKeyedRequest(idempotencyKey, request, investor)
      : undefined
  const replayed = keyed && keyUse && (await findReplayed(records, service, keyed, keyUse))
  if (replayed) return { sharePurchase: replayed, isReplay: true }

  const { maximumShareCount } = service.settings
  const own = sharePurchaseErrors(parts, { profile: investor.profile, maximumShareCount, now })
  const mandate = { sent: parts.sepaMandate, investor, firstUse, own }
  const ofStore = {
    ...position?.errors,
    ...(await findMandateErrors(records, service, mandate)),
  }
  if (request instanceof Unfit || Object.keys(own).length > 0) {
    throw validationProblem(errorsOf(request, { ...ofStore, ...own }))
  }
  if (keyUse) refuseReusedKey()
  if (!position) throw cooperativeNotFound()
  requireValid(ofStore)
  requireCompleteProfile(investor)

  const sharePurchaseId = input.sharePurchaseId ?? service.random.id()
  const order = freezeOrder({ request, sharePurchaseId, investor, firstUse, ...position })
  const { debtorIban } = order.sepaMandate
  const chosen = { own: input.fate, ofInvestor: investor.fate, debtorIban }
  const sharePurchase = await createSharePurchase(records, service, {
    sharePurchaseId,
    investor,
    cooperative: position.cooperative,
    order,
    fate: service.settings.environment === 'staging' ? chooseFate(chosen) : undefined,
    now,
  })
  await recordTransition(records, service, sharePurchase, position.holding)
  if (keyed) await recordKeyUse(records, service, { keyed, sharePurchase })
  return { sharePurchase, isReplay: false }
}

function cooperativeNotFound(): Problem {
  const detail = 'No published cooperative has this cooperativeId.'
  return new Problem('COOPERATIVE_NOT_FOUND', detail, { fields: ['cooperativeId'] })
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

interface OrderToFreeze extends Pick<Position, 'cooperative' | 'dependencies'> {
  readonly request: SharePurchaseRequest
  readonly sharePurchaseId: string
  readonly investor: Investor
  readonly firstUse: SharePurchase | undefined
}

/** The terms of today's prices and of the profile (spec: States and transitions). */
function freezeOrder(placed: OrderToFreeze): FrozenOrder {
  const { request, sharePurchaseId, investor, cooperative, dependencies, firstUse } = placed
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
      ...(reference !== null && firstUse === undefined && { isFirstOfReference: true }),
      signedAt,
      debtorIban,
    },
    consents: { terms, privacy, statute: { given: true, givenAt: request.statuteConsentGivenAt } },
  }
}

export interface CreateSharePurchase {
  readonly sharePurchaseId: string
  readonly investor: Pick<Investor, 'organizationId' | 'investorId' | 'encryptedKey'>
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
  const { organizationId, investorId, encryptedKey } = investor
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
    sepaMandate: encryptMandate(service.vault.of(encryptedKey), order.sepaMandate),
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

function encryptMandate(
  cipher: Cipher,
  { debtorIban, ...mandate }: FrozenOrder['sepaMandate'],
): SepaMandate {
  return {
    encryptedDebtorIban: cipher.encrypt(debtorIban),
    debtorIbanMasked: maskIban(debtorIban),
    ...mandate,
  }
}

/**
 * Takes missing values from the profile, and refuses an order if the profile lacks them, too. A complete profile
 * lacks none of them. Spec gap: see DECISIONS.md, D13.
 */
export function derivePurchaseDefaults(
  profile: Profile | null,
  { sepaMandate }: Pick<SharePurchaseRequest, 'sepaMandate'>,
) {
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
