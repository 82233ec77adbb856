import { addMoney, type Currency, type Money, zeroMoney } from '../money.ts'
import { Problem } from '../problem.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Day } from './bank-days.ts'

export const paymentStates = ['due', 'collecting', 'paid', 'returned', 'cancelled'] as const
export type PaymentState = (typeof paymentStates)[number]

export const attemptStates = ['collecting', 'paid', 'returned', 'cancelled'] as const

/** One direct debit of a payment. */
export interface Attempt {
  readonly collectionId: string
  readonly endToEndId: string
  readonly dueDate: Day
  readonly state: (typeof attemptStates)[number]
  /** ISO 20022 ExternalReturnReason1Code, such as `AM04`; null if nothing was returned. */
  readonly returnCode: string | null
}

/** What an operator says about the money of an order that they decide: it has not come, or was paid back. */
export type MoneyOfOperator = 'unpaid' | 'refunded'

export const paymentWays = ['direct_debit', 'transfer'] as const

/** The money of an order, whose cooperative has a creditor. It exists from the approval on. */
export interface Payment {
  readonly sharePurchaseId: string
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId: string
  readonly state: PaymentState
  /** The total of the order. */
  readonly amount: Money
  readonly currency: Currency
  /** The collection of the last attempt, under which the payment is listed. */
  readonly collectionId: string | null
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  readonly paidOn: Day | null
  readonly paidBy: (typeof paymentWays)[number] | null
  /** The reference of a transfer, as an operator has recorded it. */
  readonly transferReference: string | null
  readonly returnedOn: Day | null
  readonly returnCode: string | null
  /** What banks have charged for returns. It is not part of the amount. */
  readonly charges: Money
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** What the payment needs of its order. */
type PayableOrder = Pick<
  Payment,
  'sharePurchaseId' | 'organizationId' | 'investorId' | 'cooperativeId' | 'currency'
> & { readonly total: Money }

/** The payment that begins with the approval of an order. */
export function openPayment(order: PayableOrder, now: Timestamp): Payment {
  const { sharePurchaseId, organizationId, investorId, cooperativeId, total, currency } = order
  return {
    sharePurchaseId,
    organizationId,
    investorId,
    cooperativeId,
    state: 'due',
    amount: total,
    currency,
    collectionId: null,
    attempts: [],
    paidOn: null,
    paidBy: null,
    transferReference: null,
    returnedOn: null,
    returnCode: null,
    charges: zeroMoney,
    createdAt: now,
    updatedAt: now,
  }
}

/** The payment as collected by a direct debit that begins now. */
export function startAttempt(
  payment: Payment,
  { collectionId, endToEndId, dueDate }: Pick<Attempt, 'collectionId' | 'endToEndId' | 'dueDate'>,
  now: Timestamp,
): Payment {
  // Fields after a spread, and spread lists, take several times as much memory, and a collection has thousands of these.
  const started: Attempt = {
    collectionId,
    endToEndId,
    dueDate,
    state: 'collecting',
    returnCode: null,
  }
  const attempts = payment.attempts.concat(started)
  return { ...payment, state: 'collecting', collectionId, attempts, updatedAt: now }
}

/** The direct debit that is not finished is taken back before the bank has it, so the payment is due again. */
export function withdrawAttempt(payment: Payment, now: Timestamp): Payment {
  return { ...endAttempt(payment, { state: 'cancelled' }), state: 'due', updatedAt: now }
}

/** The bank has booked the direct debit. */
export function payByDebit(payment: Payment, paidOn: Day, now: Timestamp): Payment {
  const paid = endAttempt(payment, { state: 'paid' })
  return { ...paid, state: 'paid', paidOn, paidBy: 'direct_debit', updatedAt: now }
}

/** The bank has booked a direct debit that an operator had taken back. */
export function payWithdrawn(
  payment: Payment,
  { endToEndId, collectionId }: Pick<Attempt, 'endToEndId' | 'collectionId'>,
  { paidOn, now }: { readonly paidOn: Day; readonly now: Timestamp },
): Payment {
  const attempts = payment.attempts.map((attempt) =>
    attempt.endToEndId === endToEndId ? { ...attempt, state: 'paid' as const } : attempt,
  )
  const paid = { state: 'paid', paidOn, paidBy: 'direct_debit' } as const
  return { ...payment, ...paid, collectionId, attempts, updatedAt: now }
}

/** The investor has transferred the money. */
export function payByTransfer(
  payment: Payment,
  { paidOn, reference }: { readonly paidOn: Day; readonly reference: string | null },
  now: Timestamp,
): Payment {
  return {
    ...payment,
    state: 'paid',
    paidOn,
    paidBy: 'transfer',
    transferReference: reference,
    updatedAt: now,
  }
}

export interface PaymentReturn {
  readonly endToEndId: string
  readonly returnedOn: Day
  readonly returnCode: string
  readonly charges: Money
}

/** The bank has refused the direct debit, or has taken the money back. */
export function returnPayment(
  payment: Payment,
  { endToEndId, returnedOn, returnCode, charges }: PaymentReturn,
  now: Timestamp,
): Payment {
  const attempts = payment.attempts.map((attempt) =>
    attempt.endToEndId === endToEndId
      ? { ...attempt, state: 'returned' as const, returnCode }
      : attempt,
  )
  return {
    ...payment,
    state: 'returned',
    attempts,
    paidOn: null,
    paidBy: null,
    returnedOn,
    returnCode,
    charges: addMoney(payment.charges, charges),
    updatedAt: now,
  }
}

/** Whether the money came back and has not come again since. */
export function isMoneyGone({
  returnedOn,
  paidOn,
}: Pick<Payment, 'returnedOn' | 'paidOn'>): boolean {
  return returnedOn !== null && paidOn === null
}

/** Nothing is to be paid any more. */
export function cancelPayment(payment: Payment, now: Timestamp): Payment {
  return { ...payment, state: 'cancelled', updatedAt: now }
}

/** A returned payment is due again. */
export function retryPayment(payment: Payment, now: Timestamp): Payment {
  if (payment.state !== 'returned') {
    throw new Problem(
      'PAYMENT_ILLEGAL_STATE',
      `Only a returned payment can be collected again, and this one is ${payment.state}.`,
    )
  }
  const forbidden = forbidsRetry(payment.returnCode)
  if (forbidden) throw new Problem('PAYMENT_ILLEGAL_STATE', forbidden)
  return { ...payment, state: 'due', updatedAt: now }
}

function endAttempt(payment: Payment, end: Pick<Attempt, 'state'>): Payment {
  const attempts = payment.attempts.map((attempt) =>
    attempt.state === 'collecting' ? { ...attempt, ...end } : attempt,
  )
  return { ...payment, attempts }
}

interface ReturnReason {
  readonly meaning: string
  /** What to do instead, if the payment must not be collected again. */
  readonly instead?: string
}

const newAccount =
  'Ask the partner for a new mandate with another account, or record a transfer with `coopshare payment record`.'

/** The reasons that German banks give (DFÜ agreement, annex 3). */
export const returnReasons: Readonly<Record<string, ReturnReason>> = {
  AC01: { meaning: 'the account number is wrong', instead: newAccount },
  AC04: { meaning: 'the account is closed', instead: newAccount },
  AC06: { meaning: 'the account is blocked', instead: newAccount },
  AC13: { meaning: 'the account is not one for this kind of direct debit', instead: newAccount },
  AM04: { meaning: 'the account lacked the money' },
  MS02: { meaning: 'the payer has refused it' },
  MS03: { meaning: 'the bank gives no reason' },
  SL01: { meaning: 'the payer has the bank filter direct debits' },
  MD01: {
    meaning: 'the bank knows no valid mandate',
    instead:
      'Show the payer the mandate, and record a transfer with `coopshare payment record`, or reject the share purchase.',
  },
  MD06: {
    meaning: 'the payer wants the money back',
    instead:
      'Ask the payer. Then record a transfer with `coopshare payment record`, or reject the share purchase.',
  },
  MD07: {
    meaning: 'the payer has died',
    instead: 'Write to the heirs (§ 77 GenG), and reject the share purchase if it is not settled.',
  },
  AG01: { meaning: 'the account cannot be debited' },
  AG02: { meaning: 'the bank does not know this kind of transaction' },
  BE05: { meaning: 'the creditor identifier is wrong' },
  RC01: { meaning: 'the BIC is wrong' },
  DNOR: { meaning: 'the bank of the payer is not registered' },
  CNOR: { meaning: 'the bank of the creditor is not registered' },
  FF01: { meaning: 'the format of the file is wrong' },
}

/** Why a payment that came back with this code must not be collected again; undefined if it may. */
export function forbidsRetry(returnCode: string | null): string | undefined {
  if (returnCode === null) return undefined
  const reason = returnReasons[returnCode]
  return reason?.instead === undefined
    ? undefined
    : `The bank returned the payment with ${returnCode}: ${reason.meaning}. It must not be collected again. ${reason.instead}`
}

/** Unique for ever: the first attempt has the id of the order without hyphens; later ones have their number, too. */
export function endToEndIdOf({ sharePurchaseId, attempts }: Payment): string {
  const id = sharePurchaseId.replaceAll('-', '')
  // SEPA allows 35 characters. With this radix, 1,295 attempts fit into the last two.
  return attempts.length === 0 ? id : `${id}-${(attempts.length + 1).toString(36)}`
}

/** The id of the order in a reference without hyphens, whichever attempt it is. */
export function withoutAttempt(endToEndId: string): string {
  return endToEndId.replace(/^([0-9a-f]{32})-\d{1,2}$/i, '$1')
}
