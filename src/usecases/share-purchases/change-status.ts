import type { Holding } from '../../domain/holdings/holding.ts'
import {
  hasLiveDependency,
  lostDependencyReason,
  requireSettledDependency,
} from '../../domain/share-purchases/dependencies.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { applyTransition, type Transition } from '../../domain/share-purchases/transitions.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import {
  type OwnedSharePurchase,
  requireAnySharePurchase,
  requireSharePurchase,
} from './read-share-purchases.ts'
import { recordTransition } from './record-transition.ts'

/** For partners; operators use decideSharePurchase. */
export function cancelSharePurchase(
  service: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  return service.store.write(owned.investorId.toLowerCase(), async (records) => {
    const sharePurchase = await requireSharePurchase(records, owned)
    const step = { to: 'cancelled', at: service.clock.now() } as const
    return changeStatus(records, service, sharePurchase, step)
  })
}

export interface DecideSharePurchase {
  readonly sharePurchaseId: string
  readonly to: 'approved' | 'settled' | 'rejected' | 'cancelled'
  /** Recorded with a rejection, for people. */
  readonly reason?: string | null | undefined
}

/** For operators. */
export function decideSharePurchase(
  service: Service,
  decision: DecideSharePurchase,
): Promise<SharePurchase> {
  return service.store.write(decision.sharePurchaseId, (records) =>
    decideSharePurchaseIn(records, service, decision),
  )
}

/** Takes the records of a write that contains more than this decision. */
export async function decideSharePurchaseIn(
  records: Records,
  service: Service,
  { sharePurchaseId, to, reason }: DecideSharePurchase,
): Promise<SharePurchase> {
  const sharePurchase = await requireAnySharePurchase(records, sharePurchaseId)
  const step = { to, reason, at: service.clock.now() }
  return changeStatus(records, service, sharePurchase, step)
}

/** Runs inside the write that has read the order, so that of two concurrent changes one fails. */
async function changeStatus(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent'>,
  before: SharePurchase,
  step: Transition,
): Promise<SharePurchase> {
  const after = applyTransition(before, step)
  if (after.status === 'settled') {
    requireSettledDependency(after, await readDependencies(records, after))
  }
  const { organizationId, investorId, cooperativeId } = after
  const holding = await records.holdings.find(organizationId, investorId, cooperativeId)
  if (!holding) throw new Error('An order is stored without its holding.')
  const changed = await recordTransition(records, service, after, holding)
  if (after.status === 'rejected' || after.status === 'cancelled') {
    await rejectDependents(records, service, after, changed)
  }
  return after
}

/** Rejects orders that depended on an ended order and have no other dependency left, and so on. */
async function rejectDependents(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent'>,
  ended: SharePurchase,
  afterwards: Holding,
): Promise<void> {
  let holding = afterwards
  const lost = [ended]
  for (const carrier of lost) {
    for (const order of await records.sharePurchases.listPendingDependents(carrier)) {
      if (hasLiveDependency(await readDependencies(records, order, lost))) continue
      const step = {
        to: 'rejected',
        at: ended.updatedAt,
        reason: lostDependencyReason(carrier),
      } as const
      const rejected = applyTransition(order, step)
      holding = await recordTransition(records, service, rejected, holding)
      lost.push(rejected)
    }
  }
}

/** The stored dependencies of an order, without those in `lost`. */
async function readDependencies(
  { sharePurchases }: ReadableRecords,
  { organizationId, restsOn = [] }: SharePurchase,
  lost: readonly SharePurchase[] = [],
): Promise<readonly SharePurchase[]> {
  const ids = restsOn.filter((id) => lost.every(({ sharePurchaseId }) => sharePurchaseId !== id))
  const found = await Promise.all(ids.map((id) => sharePurchases.get(organizationId, id)))
  return found.filter((order) => order !== undefined)
}
