import { isDeepStrictEqual } from 'node:util'
import { hasRole, localAdministrator } from '../../domain/operators/operator.ts'
import type { MoneyOfOperator } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import {
  nameOrders,
  type Proposal,
  type SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import { requireTransition } from '../../domain/share-purchases/transitions.ts'
import { nowAfter, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { requireFittingMoney } from '../payments/payment-of-order.ts'
import type { Service } from '../service.ts'
import {
  changeOrder,
  type DecideSharePurchase,
  decideHeldOrder,
  type HeldOrder,
  listOrphans,
  requireReason,
} from './change-status.ts'
import { requireAnySharePurchase } from './read-share-purchases.ts'

/**
 * A service stores at its start which decisions need a second operator. The rule belongs to the store, so that no
 * command on the store itself depends on the environment of its user.
 */
export async function recordFourEyes(service: Service): Promise<void> {
  const fourEyes = [...(service.settings.fourEyes ?? [])].sort()
  const isRecorded = async ({ settings }: ReadableRecords) =>
    isDeepStrictEqual((await settings.get())?.fourEyes ?? [], fourEyes)
  if (await service.store.read(isRecorded)) return
  await service.store.write(subjects.all('settings'), async ({ settings }) => {
    const found = await settings.get()
    if (!found) throw new Error('A service has started on a store without settings.')
    const { fourEyes: _, ...stored } = found
    await settings.put({ ...stored, ...(fourEyes.length > 0 && { fourEyes }) })
  })
}

interface DecisionOfOperator extends Omit<DecideSharePurchase, 'organizationId' | 'money'> {
  readonly money?: MoneyOfOperator | undefined
}

/** Makes the decision of an operator, or proposes it if another operator has to confirm. */
export async function decideOrPropose(
  service: Service,
  { sharePurchaseId, to, reason, money }: DecisionOfOperator,
): Promise<SharePurchase> {
  const known = await findOrder(service, sharePurchaseId)
  return changeOrder(service, known, async (records, held) => {
    if (to === 'cancelled' && (await needsSecond(records, service, 'rejected'))) {
      await requireNoOrphans(records, held.order)
    }
    if ((to === 'settled' || to === 'rejected') && (await needsSecond(records, service, to))) {
      return propose(records, service, held, { to, reason, money })
    }
    return decideHeldOrder(records, service, held, { to, reason, money })
  })
}

function findOrder({ store }: Service, id: string): Promise<SharePurchase> {
  return store.read((records) => requireAnySharePurchase(records, id))
}

/** Otherwise one operator alone could reject an order, by cancelling the order on which it depends. */
async function requireNoOrphans(records: ReadableRecords, order: SharePurchase): Promise<void> {
  requireTransition(order.status, 'cancelled')
  const orphans = await listOrphans(records, order)
  if (orphans.length === 0) return
  throw new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `Other share purchases would be rejected with this one, and another operator has to confirm each rejection: ${nameOrders(orphans)}. Cancel or reject them first, or propose to reject this one with \`coopshare purchase reject\`.`,
  )
}

async function propose(
  records: Records,
  { clock, operator }: Service,
  { order, payment }: HeldOrder,
  { to, reason = null, money }: Pick<Proposal, 'to'> & Pick<DecisionOfOperator, 'reason' | 'money'>,
): Promise<SharePurchase> {
  const { operatorId, name: operatorName } = operator ?? localAdministrator
  requireTransition(order.status, to)
  requireFittingMoney(to, payment, money)
  if (to === 'rejected' && !reason) await requireReason(records)
  const { proposal, status, updatedAt } = order
  const isSame =
    proposal?.to === to && proposal.money === money && [null, proposal.reason].includes(reason)
  if (isSame && (await mayStillDecide(records, proposal))) return order
  // A confirmation names a proposal by its time, so each proposal must be later than the previous one. An approval may
  // have ended that one at the same time.
  const previousTime = proposal?.at ?? (status === 'approved' ? updatedAt : undefined)
  const at = nowAfter(previousTime, clock.now())
  const author = { operatorId, operatorName, at }
  const proposed = { ...order, proposal: { to, reason, ...(money && { money }), ...author } }
  await records.sharePurchases.put(proposed)
  return proposed
}

/** Whether the author of a proposal could still decide. Otherwise a single person decides. */
async function mayStillDecide(
  { operators }: ReadableRecords,
  { operatorId }: Proposal,
): Promise<boolean> {
  const author = await operators.get(operatorId)
  // The local administrator has no record.
  return author === undefined || (author.state === 'active' && hasRole(author, 'operator'))
}

async function needsSecond(
  { settings }: ReadableRecords,
  { settings: { fourEyes: own = [] } }: Service,
  decision: Proposal['to'],
): Promise<boolean> {
  const stored = (await settings.get())?.fourEyes ?? []
  return own.includes(decision) || stored.includes(decision)
}

/**
 * Makes the decision that another operator has proposed.
 * @param proposedAt the time of the proposal that the operator has seen, or null; a newer one is refused
 */
export async function confirmDecision(
  service: Service,
  id: string,
  proposedAt: Timestamp | null,
): Promise<SharePurchase> {
  const { operatorId } = service.operator ?? localAdministrator
  const known = await findOrder(service, id)
  return changeOrder(service, known, async (records, held) => {
    const { proposal } = held.order
    if (!proposal) {
      throw new Problem(
        'SHARE_PURCHASE_ILLEGAL_STATE',
        'Nobody has proposed a decision on this share purchase, or the share purchase has changed since. Look at it with `coopshare purchase show`.',
      )
    }
    const { operatorName } = proposal
    if (proposal.at !== proposedAt) {
      throw new Problem(
        'SHARE_PURCHASE_ILLEGAL_STATE',
        'The proposed decision is not the one that you have seen. Look at the share purchase again before you confirm.',
      )
    }
    if (proposal.operatorId === operatorId) {
      throw new Problem(
        'FORBIDDEN',
        `${operatorName} has proposed this decision, so another operator has to confirm it.`,
      )
    }
    if (!(await mayStillDecide(records, proposal))) {
      throw new Problem(
        'SHARE_PURCHASE_ILLEGAL_STATE',
        `${operatorName}, who has proposed this decision, was disabled or may no longer decide. Propose the decision again, and let another operator confirm it.`,
      )
    }
    return decideHeldOrder(records, service, held, proposal)
  })
}
