import { enums, object, optional } from 'superstruct'
import {
  type Attempt,
  attemptStates,
  paymentStates,
  paymentWays,
} from '../domain/payments/payment.ts'
import { resolveShortId } from '../usecases/investors/find-investors.ts'
import {
  type ListedPayment,
  listPayments,
  readPayment,
  recordTransfer,
  retryReturnedPayment,
} from '../usecases/payments/payments.ts'
import * as given from '../wire/fields.ts'
import {
  amount,
  date,
  dateOrNull,
  id,
  idOrNull,
  listOf,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'

const attempt = view<Attempt>()('Payment attempt', {
  collection_id: id('Collection of the direct debit.', (it) => it.collectionId),
  end_to_end_id: text('End-to-end reference of the direct debit.', (it) => it.endToEndId),
  due_date: date('Due date.', (it) => it.dueDate),
  state: oneOf(attemptStates, 'State of the direct debit.', (it) => it.state),
  return_code: textOrNull('Code of the bank for the return.', (it) => it.returnCode),
})

/** The payment of an order. */
export const payment = view<ListedPayment>()('Payment', {
  share_purchase_id: id('Share purchase that is paid.', (it) => it.payment.sharePurchaseId),
  cooperative_key: text('Key of the cooperative.', (it) => it.cooperativeKey),
  state: oneOf(paymentStates, 'State of the payment.', (it) => it.payment.state),
  amount: amount('Amount to pay.', (it) => it.payment.amount),
  amount_currency: text('Currency, ISO 4217.', (it) => it.payment.currency),
  collection_id: idOrNull('Collection of the last direct debit.', (it) => it.payment.collectionId),
  due_date: dateOrNull(
    'Due date of the last direct debit.',
    (it) => it.payment.attempts.at(-1)?.dueDate ?? null,
  ),
  paid_at: dateOrNull('Day on which the money came.', (it) => it.payment.paidOn),
  paid_by: oneOfOrNull(paymentWays, 'How the money came.', (it) => it.payment.paidBy),
  returned_at: dateOrNull('Day on which the money went back.', (it) => it.payment.returnedOn),
  return_code: textOrNull('Code of the bank for the return.', (it) => it.payment.returnCode),
  charges: amount('Charges of banks for returns.', (it) => it.payment.charges),
  attempts: listOf(attempt, 'Direct debits, oldest first.', (it) => it.payment.attempts),
})

const one = object({ share_purchase_id: given.text() })
const needsPayment = ['SHARE_PURCHASE_NOT_FOUND', 'PAYMENT_NOT_FOUND'] as const
const changesPayment = [...needsPayment, 'PAYMENT_ILLEGAL_STATE'] as const

export const paymentOperations = {
  'payment.list': listOperation({
    role: 'viewer',
    summary: 'List payments, oldest first.',
    problems: ['COOPERATIVE_NOT_FOUND'],
    input: object({
      state: optional(enums(paymentStates)),
      /** An id or a key. */
      cooperative: optional(given.text()),
      after: optional(given.text()),
      limit: optional(given.limit()),
    }),
    row: payment,
    batches: listPayments,
  }),
  'payment.show': operation({
    role: 'viewer',
    summary: 'Show the payment of a share purchase.',
    problems: needsPayment,
    input: one,
    answer: payment,
    run: async (service, { share_purchase_id }) =>
      readPayment(service, await resolveShortId(service, 'order', share_purchase_id)),
  }),
  'payment.record': operation({
    role: 'operator',
    summary: 'Record that a share purchase was paid by transfer.',
    problems: changesPayment,
    input: object({
      share_purchase_id: given.text(),
      paid_on: given.date(),
      reference: given.optionalText(140),
    }),
    answer: payment,
    run: async (service, { share_purchase_id, paid_on: paidOn, reference = null }) => {
      const sharePurchaseId = await resolveShortId(service, 'order', share_purchase_id)
      return recordTransfer(service, sharePurchaseId, { paidOn, reference })
    },
  }),
  'payment.retry': operation({
    role: 'operator',
    summary: 'Make a returned payment due again.',
    problems: changesPayment,
    input: one,
    answer: payment,
    run: async (service, { share_purchase_id }) =>
      retryReturnedPayment(service, await resolveShortId(service, 'order', share_purchase_id)),
  }),
}
