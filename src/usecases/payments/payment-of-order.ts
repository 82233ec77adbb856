import type { Holding } from '../../domain/holdings/holding.ts'
import { zeroMoney } from '../../domain/money.ts'
import {
  cancelPayment,
  isMoneyGone,
  type MoneyOfOperator,
  openPayment,
  type Payment,
  payByDebit,
  payByTransfer,
  returnPayment,
} from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { bankReturnCode } from '../../domain/share-purchases/fate.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { platformDay } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'

/**
 * What a decision says about the payment of the order. Or the bank is simulated, as for fates, files and partners who
 * decide their own orders in staging: it pays an order that is settled, and may return the money of one that is rejected.
 */
export type MoneyOfDecision = MoneyOfOperator | 'simulated' | 'simulated return'

interface Money {
  /** undefined if the order has none. */
  readonly payment: Payment | undefined
  readonly holding: Holding
  readonly money: MoneyOfDecision | undefined
}

/**
 * Opens, cancels or pays the payment of an order in the write that gives the order its status. Returns the holding, with
 * the number of its settled orders whose payment came back.
 */
export async function recordPaymentOf(
  records: Records,
  order: SharePurchase,
  { payment, holding, money }: Money,
): Promise<Holding> {
  const { status, updatedAt: now } = order
  if (status === 'approved') {
    await openPaymentIfCollected(records, order)
    return holding
  }
  if (!payment || payment.state === 'cancelled') return holding
  const isSimulated = money === 'simulated' || money === 'simulated return'
  if (status === 'settled') {
    if (payment.state === 'paid') return holding
    if (isSimulated) {
      await records.payments.put(payWithoutBank(payment, now))
      return holding
    }
    requireFittingMoney(status, payment, money)
    return isMoneyGone(payment) ? countReturned(holding, 1) : holding
  }
  if (!isSimulated) requireFittingMoney(status, payment, money)
  // A payment that came back stays returned, even if its order is rejected.
  if (money === 'simulated return') {
    await records.payments.put(simulateReturn(payment, now))
  } else if (payment.state !== 'returned') {
    await records.payments.put(cancelPayment(payment, now))
  }
  return holding
}

/** An approved order gets its payment if its cooperative has a creditor. */
export async function openPaymentIfCollected(
  { cooperatives, payments }: Records,
  order: SharePurchase,
): Promise<void> {
  const cooperative = await cooperatives.get(order.cooperativeId)
  if (cooperative?.creditor) await payments.put(openPayment(order, order.updatedAt))
}

/** No statement will explain the money, so it counts as a transfer, unless a direct debit is under way. */
function payWithoutBank(payment: Payment, now: SharePurchase['updatedAt']): Payment {
  const paidOn = platformDay(now)
  return payment.state === 'collecting'
    ? payByDebit(payment, paidOn, now)
    : payByTransfer(payment, { paidOn, reference: null }, now)
}

function simulateReturn(payment: Payment, now: SharePurchase['updatedAt']): Payment {
  const endToEndId = payment.attempts.at(-1)?.endToEndId ?? ''
  const returned = { endToEndId, returnedOn: platformDay(now), returnCode: bankReturnCode }
  return returnPayment(payment, { ...returned, charges: zeroMoney }, now)
}

/** Refuses a decision that does not fit the payment of the order. */
export function requireFittingMoney(
  to: SharePurchase['status'],
  payment: Payment | undefined,
  money: MoneyOfDecision | undefined,
): void {
  if (!payment) return
  const { sharePurchaseId, state, amount, currency, collectionId } = payment
  if (to === 'settled' && state !== 'paid' && money !== 'unpaid') {
    throw new Problem(
      'PAYMENT_OUTSTANDING',
      `The payment of ${amount} ${currency} ${unpaidBecause[state]}. Wait until it is paid, or settle the share purchase with --unpaid: the payment then stays as it is.`,
    )
  }
  if (to !== 'rejected') return
  if (state === 'collecting') {
    throw new Problem(
      'PAYMENT_UNDER_WAY',
      `The payment of share purchase ${sharePurchaseId} is in collection ${collectionId}, so its outcome is not known yet. Wait for the statement of the bank, or cancel the collection.`,
    )
  }
  if (state === 'paid' && money !== 'refunded') {
    throw new Problem(
      'PAYMENT_RECEIVED',
      `Share purchase ${sharePurchaseId} is paid. Pay ${amount} ${currency} back, then reject it with --refunded.`,
    )
  }
}

const unpaidBecause = {
  due: 'is due',
  collecting: 'is being collected',
  paid: 'is paid',
  returned: 'came back',
  cancelled: 'was cancelled',
} as const satisfies Record<Payment['state'], string>

/** The number of settled orders of the position whose payment came back changes. The last one leaves no field. */
export function countReturned(holding: Holding, difference: 1 | -1): Holding {
  const { returnedPayments = 0, ...others } = holding
  const count = Math.max(0, returnedPayments + difference)
  return count === 0 ? others : { ...others, returnedPayments: count }
}
