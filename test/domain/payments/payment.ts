import t from 'tap'
import { paymentRecord } from '../../../fixtures/builders/payment-records.ts'
import { minutesAfterNoon } from '../../../fixtures/builders/records.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { zeroMoney } from '../../../src/domain/money.ts'
import {
  cancelPayment,
  endToEndIdOf,
  payByDebit,
  retryPayment,
  returnPayment,
  returnReasons,
  startAttempt,
  withdrawAttempt,
} from '../../../src/domain/payments/payment.ts'

const now = minutesAfterNoon(1)
const id = '0194c1d2-8b1e-7000-8000-000000000001'
const due = paymentRecord(0, { sharePurchaseId: id })
const attempt = { collectionId: 'c-1', endToEndId: endToEndIdOf(due), dueDate: '2026-12-14' }
const collecting = startAttempt(due, attempt, now)

function returned(returnCode: string) {
  const how = { endToEndId: attempt.endToEndId, returnedOn: '2026-12-16', charges: zeroMoney }
  return returnPayment(payByDebit(collecting, '2026-12-14', now), { ...how, returnCode }, now)
}

t.test('a reference has at most 35 characters, and each attempt has another one', async (t) => {
  t.equal(endToEndIdOf(due), '0194c1d28b1e70008000000000000001')
  const second = endToEndIdOf(retryPayment(returned('AM04'), now))
  t.equal(second, '0194c1d28b1e70008000000000000001-2')
  t.ok(second.length <= 35)
  const often = { ...due, attempts: Array.from({ length: 1000 }, () => collecting.attempts).flat() }
  t.equal(endToEndIdOf(often).length, 35)
})

t.test('a payment that came back is due again, unless its code forbids it', async (t) => {
  for (const code of ['AM04', 'MS03', 'MS02', 'SL01', 'AG01', 'BE05', 'XX99'])
    t.equal(retryPayment(returned(code), now).state, 'due', code)
  for (const code of ['AC01', 'AC04', 'AC06', 'AC13', 'MD01', 'MD06', 'MD07']) {
    t.throws(() => retryPayment(returned(code), now), {
      code: 'PAYMENT_ILLEGAL_STATE',
      message: new RegExp(`${code}.*must not be collected again\\. \\S`),
    })
    t.ok(returnReasons[code]?.instead, code)
  }
  t.throws(() => retryPayment(due, now), { message: /this one is due/ })
})

t.test('a direct debit that is taken back leaves the payment due', async (t) => {
  const taken = exactArrays({ state: 'due', attempts: [{ state: 'cancelled' }] })
  t.match(withdrawAttempt(collecting, now), taken)
  t.equal(cancelPayment(due, now).state, 'cancelled')
})
