import t from 'tap'
import {
  addBankDays,
  addDays,
  firstBankDayFrom,
  isBankDay,
} from '../../../src/domain/payments/bank-days.ts'
import { earliestDueDate, requireDueDate } from '../../../src/domain/payments/due-dates.ts'

t.test('banks settle no payments on weekends and on the holidays of TARGET', async (t) => {
  const closed: string[] = []
  for (let day = '2026-01-01'; day < '2028-01-01'; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    if (isWeekend) t.notOk(isBankDay(day), day)
    else if (!isBankDay(day)) closed.push(day)
  }
  // The calendar of the European Central Bank. The other holidays of these years are on weekends.
  t.strictSame(closed, [
    ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25'],
    ...['2027-01-01', '2027-03-26', '2027-03-29'],
  ])
  t.ok(isBankDay('2026-10-03') === false && isBankDay('2026-11-02'), 'national holidays count')
})

t.test('bank days are counted across weekends and holidays', async (t) => {
  for (const [day, count, expected] of [
    ['2026-11-27', 1, '2026-11-30'],
    ['2026-11-28', 1, '2026-11-30'],
    ['2026-11-28', 2, '2026-12-01'],
    ['2026-12-23', 2, '2026-12-28'],
    ['2027-03-25', 1, '2027-03-30'],
    ['2026-12-31', 1, '2027-01-04'],
  ] as const) {
    t.equal(addBankDays(day, count), expected, `${day} + ${count}`)
  }
  t.equal(firstBankDayFrom('2026-12-24'), '2026-12-24')
  t.equal(firstBankDayFrom('2026-12-25'), '2026-12-28')
})

t.test('the first due date leaves time for the bank and for the announcement', async (t) => {
  for (const [leadDays, noticeDays, today, expected] of [
    [2, 14, '2026-11-28', '2026-12-14'],
    [2, 1, '2026-11-30', '2026-12-02'],
    [2, 1, '2026-11-28', '2026-12-01'],
    [5, 1, '2026-12-23', '2026-12-31'],
    [2, 14, '2026-12-11', '2026-12-28'],
  ] as const) {
    t.equal(earliestDueDate({ leadDays, noticeDays }, today), expected, today)
  }
})

t.test(
  'a due date that is not possible is refused, and the next possible one is named',
  async (t) => {
    const creditor = { leadDays: 2, noticeDays: 14 }
    const where = { today: '2026-11-28', cooperativeKey: 'solar' }
    for (const [due, next, why] of [
      ['2026-12-11', '2026-12-14', 'is too early'],
      ['2026-11-20', '2026-12-14', 'is too early'],
      ['2026-12-12', '2026-12-14', 'is not a TARGET day'],
      ['2026-12-25', '2026-12-28', 'is not a TARGET day'],
      ['2026-12-19', '2026-12-21', 'is not a TARGET day'],
      ['2062-12-19', '2026-12-14', 'is more than 90 days ahead'],
    ] as const) {
      t.throws(() => requireDueDate(due, creditor, where), {
        code: 'VALIDATION_ERROR',
        message: new RegExp(`${why}.*Possible is ${next}`),
      })
    }
    t.doesNotThrow(() => requireDueDate('2026-12-14', creditor, where))
    t.doesNotThrow(() => requireDueDate('2027-01-04', creditor, where))
  },
)
