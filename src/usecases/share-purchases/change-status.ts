import type { Holding } from '../../domain/holdings/holding.ts'
import {
  isCarried,
  reasonOfLoss,
  requireSettledCarrier,
} from '../../domain/share-purchases/carriers.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { type Transition, transition } from '../../domain/share-purchases/transitions.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { recordTransition } from './record-transition.ts'

/** Inside the write that has read the order, so that of two who race for it one finds it changed. */
export async function changeStatus(
  records: Records,
  service: Pick<Service, 'settings'>,
  before: SharePurchase,
  step: Transition,
): Promise<SharePurchase> {
  const after = transition(before, step)
  if (after.status === 'settled') {
    requireSettledCarrier(after, await readCarriers(records, after))
  }
  const { organizationId, investorId, cooperativeId } = after
  const holding = await records.holdings.find(organizationId, investorId, cooperativeId)
  if (!holding) throw new Error('An order is stored without its holding.')
  const changed = await recordTransition(records, service, after, holding)
  if (after.status === 'rejected' || after.status === 'cancelled') {
    await rejectUncarried(records, service, after, changed)
  }
  return after
}

/** Those that rested on it go with it, unless something else carries them, and so do those that rested on them. */
async function rejectUncarried(
  records: Records,
  service: Pick<Service, 'settings'>,
  ended: SharePurchase,
  afterwards: Holding,
): Promise<void> {
  let holding = afterwards
  const lost = [ended]
  for (const carrier of lost) {
    for (const order of await records.sharePurchases.listPendingOn(carrier)) {
      if (isCarried(await readCarriers(records, order, lost))) continue
      const step = { to: 'rejected', at: ended.updatedAt, reason: reasonOfLoss(carrier) } as const
      const rejected = transition(order, step)
      holding = await recordTransition(records, service, rejected, holding)
      lost.push(rejected)
    }
  }
}

/** The orders that an order rests on, without those that are known to be `lost`. */
async function readCarriers(
  { sharePurchases }: ReadableRecords,
  { organizationId, restsOn = [] }: SharePurchase,
  lost: readonly SharePurchase[] = [],
): Promise<readonly SharePurchase[]> {
  const ids = restsOn.filter((id) => lost.every(({ sharePurchaseId }) => sharePurchaseId !== id))
  const found = await Promise.all(ids.map((id) => sharePurchases.get(organizationId, id)))
  return found.filter((order) => order !== undefined)
}
