import type { Holding } from '../../domain/holdings/holding.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import {
  groupByDependency,
  isOrphan,
  lostDependencyReason,
  mayHaveDependents,
  requireSettledDependency,
} from '../../domain/share-purchases/dependencies.ts'
import { bankReturnReason, isSuspended, scheduleFate } from '../../domain/share-purchases/fate.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { applyTransition, type Transition } from '../../domain/share-purchases/transitions.ts'
import { nextTurn } from '../../machine/time.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { type MoneyOfDecision, recordPaymentOf } from '../payments/payment-of-order.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'
import {
  type OrganizationSharePurchase,
  type OwnedSharePurchase,
  requireAnySharePurchase,
  requireOrganizationSharePurchase,
  requireSharePurchase,
} from './read-share-purchases.ts'
import { recordTransition } from './record-transition.ts'

/** An order with the holding that it changes, and its payment if there is one. */
export interface HeldOrder {
  readonly order: SharePurchase
  readonly holding: Holding
  readonly payment: Payment | undefined
}

/**
 * Changes an order in a write about its investor.
 * @param known the order as it was found; it may have changed since
 */
export function changeOrder<Result>(
  { store }: Pick<Service, 'store'>,
  known: SharePurchase,
  work: (records: Records, held: HeldOrder) => Promise<Result>,
): Promise<Result> {
  return store.write(subjects.investor(known.investorId), async (records) =>
    work(records, await readHeldOrder(records, known)),
  )
}

/** An order stays in its position, so both are found in one round trip. */
export async function readHeldOrder(
  { sharePurchases, holdings, payments }: ReadableRecords,
  known: SharePurchase,
): Promise<HeldOrder> {
  const { organizationId, investorId, cooperativeId, sharePurchaseId } = known
  const { order, holding, payment } = await readTogether({
    order: sharePurchases.get(organizationId, sharePurchaseId),
    holding: holdings.find(organizationId, investorId, cooperativeId),
    payment: payments.get(sharePurchaseId),
  })
  if (!order || !holding) throw new Error('An order is stored without its holding, or is gone.')
  return { order, holding, payment }
}

/** Partners cancel orders with this function; operators use decideSharePurchase. */
export async function cancelSharePurchase(
  service: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  const known = await service.store.read((records) => requireSharePurchase(records, owned))
  return changeOrder(service, known, async (records, held) => {
    const step = { to: 'cancelled', at: service.clock.now() } as const
    try {
      return await changeStatus(records, service, held, step)
    } catch (error) {
      throw error instanceof Problem && isAboutMoney(error) ? neededByPaid(held.order) : error
    }
  })
}

/** Partners do not know of payments. */
function isAboutMoney({ code }: Problem): boolean {
  return code === 'PAYMENT_UNDER_WAY' || code === 'PAYMENT_RECEIVED'
}

function neededByPaid({ sharePurchaseId }: SharePurchase): Problem {
  return new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `Share purchase ${sharePurchaseId} cannot be cancelled: a later one depends on it, and its amount is being collected or was paid. Ask the operator of this service.`,
  )
}

export interface Decision {
  readonly to: 'approved' | 'settled' | 'rejected' | 'cancelled'
  /** Recorded with a rejection, for people. */
  readonly reason?: string | null | undefined
  /** What happens to the payment; if absent, the decision has to fit its state. */
  readonly money?: MoneyOfDecision | undefined
}

export interface DecideSharePurchase extends Decision {
  readonly sharePurchaseId: string
  /** Only an order of this organization; undefined allows any. */
  readonly organizationId?: string | undefined
}

/** Operators, and organizations with self-service, decide orders with this function. */
export async function decideSharePurchase(
  service: Service,
  { sharePurchaseId, organizationId, ...decision }: DecideSharePurchase,
): Promise<SharePurchase> {
  const known = await service.store.read((records) =>
    organizationId === undefined
      ? requireAnySharePurchase(records, sharePurchaseId)
      : requireOrganizationSharePurchase(records, { organizationId, sharePurchaseId }),
  )
  return changeOrder(service, known, (records, held) =>
    decideHeldOrder(records, service, held, decision),
  )
}

/** Partners and investors of real orders must learn why. */
export async function requireReason({
  settings,
}: Pick<ReadableRecords, 'settings'>): Promise<void> {
  if ((await settings.get())?.environment !== 'production') return
  const errors = { reason: 'is needed in production' }
  throw new Problem('VALIDATION_ERROR', 'In production a rejection needs a reason.', { errors })
}

/** Uses the records of a write that contains more than this decision. */
export async function decideHeldOrder(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent' | 'clock'>,
  held: HeldOrder,
  { to, reason, money }: Decision,
): Promise<SharePurchase> {
  if (to === 'rejected' && !reason) await requireReason(records)
  return changeStatus(records, service, held, { to, reason, money, at: service.clock.now() })
}

export interface ReturnDirectDebit extends OrganizationSharePurchase {
  readonly reason?: string | null | undefined
}

/** The bank of the investor returns the payment of an approved order, which is then rejected. */
export async function returnDirectDebit(
  service: Service,
  { reason, ...owned }: ReturnDirectDebit,
): Promise<SharePurchase> {
  const known = await service.store.read((records) =>
    requireOrganizationSharePurchase(records, owned),
  )
  return changeOrder(service, known, (records, held) => {
    if (held.order.status !== 'approved') throw notCollected(held.order)
    const at = service.clock.now()
    const step = {
      to: 'rejected',
      reason: reason ?? bankReturnReason,
      money: 'simulated return',
      at,
    } as const
    return changeStatus(records, service, held, step)
  })
}

function notCollected({ status }: SharePurchase): Problem {
  return new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `The bank cannot return the payment of this share purchase: it is ${status}, and a payment is under way only while it is approved.`,
  )
}

/** Runs inside the write that has read the order, so that one of two concurrent changes fails. */
async function changeStatus(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent'>,
  { order, holding, payment }: HeldOrder,
  { money, ...step }: Transition & Pick<Decision, 'money'>,
): Promise<SharePurchase> {
  const after = applyTransition(order, step)
  if (after.status === 'settled') {
    const dependencies = await readOrders(records, after, after.restsOn)
    requireSettledDependency(after, [...dependencies.values()])
  }
  const counted = await recordPaymentOf(records, after, { payment, holding, money })
  const changed = await recordTransition(records, service, after, counted)
  if (after.status === 'rejected' || after.status === 'cancelled') {
    // The bank returns only the payment of the order itself.
    const moneyOfOthers = money === 'simulated return' ? 'simulated' : money
    await rejectDependents(records, service, after, { afterwards: changed, money: moneyOfOthers })
  }
  if (after.status === 'settled' && after.holdsUpFate) await resumeDependents(records, after)
  return after
}

/** With their events, these take a few milliseconds. */
const rejectedPerTurn = 20

/**
 * Rejects orders that depended on an ended order and have no other dependency left, then the orders that depended on those. Orders that depend on
 * others are listed once: there can be a thousand.
 */
async function rejectDependents(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent'>,
  ended: SharePurchase,
  { afterwards, money }: { readonly afterwards: Holding } & Pick<Decision, 'money'>,
): Promise<void> {
  if (!mayHaveDependents(ended)) return
  let holding = afterwards
  const dependents = groupByDependency(await records.sharePurchases.listPendingDependents(ended))
  const lost = new Map([[ended.sharePurchaseId, ended]])
  // The loop also visits orders that are added while it runs.
  for (const dependency of lost.values()) {
    const resting = dependents.get(dependency.sharePurchaseId)
    if (!resting) continue
    const named = resting.flatMap(({ restsOn = [] }) => restsOn)
    const stored = await readOrders(records, ended, named)
    for (const order of resting) {
      if (lost.has(order.sharePurchaseId)) continue
      if (!isOrphan(order, stored, lost)) continue
      const step = {
        to: 'rejected',
        at: ended.updatedAt,
        reason: lostDependencyReason(dependency),
      } as const
      const rejected = applyTransition(order, step)
      const payment = await records.payments.get(order.sharePurchaseId)
      await recordPaymentOf(records, rejected, { payment, holding, money })
      holding = await recordTransition(records, service, rejected, holding)
      lost.set(rejected.sharePurchaseId, rejected)
      if (lost.size % rejectedPerTurn === 0) await nextTurn()
    }
  }
}

/** Returns the orders that would be rejected first if this order ended. */
export async function listOrphans(
  records: ReadableRecords,
  ended: SharePurchase,
): Promise<readonly SharePurchase[]> {
  if (!mayHaveDependents(ended)) return []
  const pending = await records.sharePurchases.listPendingDependents(ended)
  const resting = groupByDependency(pending).get(ended.sharePurchaseId) ?? []
  const named = resting.flatMap(({ restsOn = [] }) => restsOn)
  const stored = await readOrders(records, ended, named)
  return resting.filter((order) => isOrphan(order, stored, new Set([ended.sharePurchaseId])))
}

/** Continues the fates of orders that have waited for this one. */
async function resumeDependents(
  { sharePurchases }: Records,
  settled: SharePurchase,
): Promise<void> {
  const dependents = groupByDependency(await sharePurchases.listPendingDependents(settled))
  for (const order of dependents.get(settled.sharePurchaseId) ?? []) {
    if (isSuspended(order)) await sharePurchases.put(scheduleFate(order))
  }
}

/** The stored orders of a list of ids, by id. Each is read once, because a thousand can depend on the same hundred. */
export async function readOrders(
  { sharePurchases }: ReadableRecords,
  { organizationId }: SharePurchase,
  ids: readonly string[] = [],
): Promise<ReadonlyMap<string, SharePurchase>> {
  const found = await Promise.all(
    [...new Set(ids)].map((id) => sharePurchases.get(organizationId, id)),
  )
  const stored = found.filter((order) => order !== undefined)
  return new Map(stored.map((order) => [order.sharePurchaseId, order]))
}
