import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import { type Footing, footingOf, maybeRests } from '../../domain/share-purchases/carriers.ts'
import type { IdempotencyKey } from '../../domain/share-purchases/idempotency-key.ts'
import { positionFaults } from '../../domain/share-purchases/position-faults.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { sharePurchaseFaults } from '../../domain/share-purchases/share-purchase-faults.ts'
import type { SharePurchaseRequest } from '../../domain/share-purchases/share-purchase-request.ts'
import type { Records } from '../../ports/store.ts'
import { openInvestor } from '../investors/personal-data.ts'
import { requireInvestor } from '../investors/require-investor.ts'
import { requireSound, unsound } from '../require-sound.ts'
import type { Service } from '../service.ts'
import { findOrOpenHolding } from './find-or-open-holding.ts'
import { addStoredFaults } from './find-share-purchase-faults.ts'
import { findKeyUse, keyedRequest, occupyKey, refuseReusedKey } from './key-use.ts'
import { lookUpReference } from './look-up-reference.ts'
import { recordTransition } from './record-transition.ts'
import { requireCompleteProfile } from './require-complete-profile.ts'
import { requirePublishedCooperative } from './require-published-cooperative.ts'
import { submitSharePurchase } from './submit-share-purchase.ts'

export interface PlaceSharePurchase {
  readonly organizationId: string
  readonly investorId: string
  readonly request: SharePurchaseRequest
  readonly idempotencyKey?: IdempotencyKey | undefined
  /** Where the id is derived and not drawn. */
  readonly sharePurchaseId?: string | undefined
}

export interface PlacedSharePurchase {
  readonly sharePurchase: SharePurchase
  /** The order was placed earlier, under the same idempotency key. */
  readonly isReplay: boolean
}

export function placeSharePurchase(
  service: Service,
  input: PlaceSharePurchase,
): Promise<PlacedSharePurchase> {
  return service.store.write(input.investorId.toLowerCase(), (records) =>
    placeSharePurchaseIn(records, service, input),
  )
}

/**
 * All of one order, for callers whose write holds more than that. Its steps are in the order of DECISIONS.md, order of
 * checks; a replay goes before everything that may have changed since the order was placed.
 */
export async function placeSharePurchaseIn(
  records: Records,
  service: Service,
  input: PlaceSharePurchase,
): Promise<PlacedSharePurchase> {
  const { organizationId, request } = input
  const now = service.clock.now()
  await readTogether(records, input)
  const stored = await requireInvestor(records, organizationId, input.investorId)
  const investor = openInvestor(service.vault, stored)

  const keyed = keyedRequest(input, investor)
  const keyUse = keyed && (await findKeyUse(records, service, { keyed, now }))
  if (keyUse?.sharePurchase) return { sharePurchase: keyUse.sharePurchase, isReplay: true }

  const { maximumShareCount } = service.settings
  const context = { profile: investor.profile, maximumShareCount, now }
  const faults = sharePurchaseFaults(request, context)
  if (Object.keys(faults).length > 0) {
    throw unsound(await addStoredFaults(records, service, { investor, request, faults }))
  }
  if (keyUse) refuseReusedKey()

  const cooperative = await requirePublishedCooperative(records, request.cooperativeId)
  const holding = await findOrOpenHolding(records, service, { investor, cooperative, now })
  const reference = await lookUpReference(records, service, { ...request, investor })
  requireSound({ ...positionFaults(request, cooperative, holding), ...reference.faults })
  requireCompleteProfile(investor)

  const sharePurchaseId = input.sharePurchaseId ?? service.random.id()
  const footing = await findFooting(records, input, { rules: cooperative, holding })
  const terms = { request, sharePurchaseId, investor, cooperative, footing, ...reference, now }
  const sharePurchase = submitSharePurchase(service, terms)
  await recordTransition(records, service, sharePurchase, holding)
  if (keyed) await occupyKey(records, service, { keyed, sharePurchase })
  return { sharePurchase, isReplay: false }
}

/** In one turn, so that a database answers in one round trip; the steps that follow see the same answers. */
async function readTogether(records: Records, input: PlaceSharePurchase): Promise<void> {
  const { organizationId, request, idempotencyKey: used } = input
  const investorId = input.investorId.toLowerCase()
  const clientIds = used ? [null, used.clientId] : []
  await Promise.all([
    records.investors.get(organizationId, investorId),
    records.holdings.find(organizationId, investorId, request.cooperativeId),
    ...clientIds.map((clientId) =>
      records.idempotencyRecords.get(organizationId, clientId, used?.key ?? ''),
    ),
    records.cooperatives.get(request.cooperativeId),
    records.organizations.get(organizationId),
    records.webhookEndpoints.listByOrganization(organizationId),
  ])
}

/** The pending orders change with the holding, which is proven, so no other order of the same position comes between. */
async function findFooting(
  { sharePurchases }: Records,
  { request: { shareCount } }: PlaceSharePurchase,
  standing: { readonly rules: Cooperative; readonly holding: Holding },
): Promise<Footing> {
  const { rules, holding } = standing
  const isNeeded = maybeRests(shareCount, rules, holding)
  const pending = isNeeded ? await sharePurchases.listOldestPending(holding) : []
  return footingOf(shareCount, standing, pending)
}
