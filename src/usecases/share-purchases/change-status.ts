import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { type Transition, transition } from '../../domain/share-purchases/transitions.ts'
import type { Records } from '../../ports/store.ts'
import { recordTransition } from './record-transition.ts'

/** Inside the write that has read the order, so that of two who race for it one finds it changed. */
export async function changeStatus(
  records: Records,
  before: SharePurchase,
  step: Transition,
): Promise<SharePurchase> {
  const after = transition(before, step)
  const { organizationId, investorId, cooperativeId } = after
  const holding = await records.holdings.find(organizationId, investorId, cooperativeId)
  if (!holding) throw new Error('An order is stored without its holding.')
  await recordTransition(records, after, holding)
  return after
}
