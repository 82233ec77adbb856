import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import { collectErrors, requireValid } from '../../domain/problem.ts'
import { maximumDependents, mayHaveDependents } from '../../domain/share-purchases/dependencies.ts'
import type {
  Fate,
  FrozenOrder,
  SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import {
  frozenOrderErrors,
  maximumSharesErrors,
} from '../../domain/share-purchases/share-purchase-errors.ts'
import { applyTransition, type PastOrder } from '../../domain/share-purchases/transitions.ts'
import type { Records } from '../../ports/store.ts'
import { openPaymentIfCollected } from '../payments/payment-of-order.ts'
import type { Service } from '../service.ts'
import { exceedsDependents, findOrOpenHolding } from './holdings.ts'
import { createSharePurchase } from './place-share-purchase.ts'
import { recordHistory, recordTransition } from './record-transition.ts'

export interface RecordPastOrder {
  readonly sharePurchaseId: string
  readonly investor: Pick<Investor, 'organizationId' | 'investorId' | 'encryptedKey'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly order: FrozenOrder
  /** The fate of the order itself. An order takes over the fate of its investor only when it is placed. */
  readonly fate: Fate | undefined
  /** The valid history of the order. Without a history, the order is placed now. */
  readonly past: Pick<PastOrder, 'createdAt' | 'history'> | undefined
  /** The reason of a rejection in the history. */
  readonly reason: string | undefined
}

/** Records an order that was placed in the past. The rules for placing orders do not apply. */
export async function recordPastOrderIn(
  records: Records,
  service: Service,
  input: RecordPastOrder,
): Promise<void> {
  const { past } = input
  const now = past?.createdAt ?? service.clock.now()
  const { organizationId, investorId } = input.investor
  const position = { organizationId, investorId, cooperativeId: input.cooperative.id }
  const holding = await findOrOpenHolding(records, service, position, now)
  requireValid({
    ...frozenOrderErrors(input.order, service.clock.now()),
    ...maximumSharesErrors(input.order, holding),
    ...(await dependencyErrors(records, input, holding)),
  })
  const order = inElectronicForm(input.order)
  const sharePurchase = await createSharePurchase(records, service, { ...input, order, now })
  if (!past) {
    await recordTransition(records, service, sharePurchase, holding)
    return
  }
  const steps = stepsOf(sharePurchase, input)
  await recordHistory(records, steps, holding)
  const last = steps.at(-1)
  // The money of an order that is settled has come, and nothing is known about it.
  if (last?.status === 'approved') await openPaymentIfCollected(records, last)
}

/** The order after each of its transitions. */
function stepsOf(placed: SharePurchase, { past, reason }: RecordPastOrder): SharePurchase[] {
  const [first, ...later] = past?.history ?? []
  if (!first) throw new TypeError('The history of a past order is empty, although it was checked.')
  const steps: SharePurchase[] = [{ ...placed, transitions: [first], updatedAt: first.at }]
  for (const { to, at } of later) {
    const before = steps.at(-1) ?? placed
    steps.push(applyTransition(before, { to, at, reason: to === 'rejected' ? reason : null }))
  }
  return steps
}

/** Checks the rules that hold for every order that was placed normally. */
async function dependencyErrors(
  records: Records,
  { investor, cooperative, order: { restsOn = [] } }: RecordPastOrder,
  holding: Holding,
): Promise<FieldErrors> {
  const { organizationId, investorId } = investor
  const named = restsOn.map((id) => records.sharePurchases.get(organizationId, id))
  const isPossible = (order: SharePurchase | undefined) =>
    order?.investorId === investorId &&
    order.cooperativeId === cooperative.id &&
    mayHaveDependents(order)
  const arePossible = (await Promise.all(named)).every(isPossible)
  return collectErrors({
    restsOn: arePossible
      ? (await exceedsDependents(records, holding, { restsOn })) &&
        `must be empty, because ${maximumDependents} pending share purchases of the investor and cooperative already depend on others, which is the maximum`
      : 'must name earlier share purchases of the same investor and cooperative on which others can depend',
  })
}

function inElectronicForm({ sepaMandate, ...order }: FrozenOrder): FrozenOrder {
  const debtorIban = toElectronicFormat(sepaMandate.debtorIban)
  return { ...order, sepaMandate: { ...sepaMandate, debtorIban } }
}
