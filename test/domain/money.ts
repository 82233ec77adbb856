import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import {
  addMoney,
  moneyFromMinorUnits,
  multiplyMoney,
  parseMoney,
  toMinorUnits,
} from '../../src/domain/money.ts'

t.test('an amount is a decimal string with two decimals [D10]', async (t) => {
  for (const [text, expected] of [
    ['12', '12.00'],
    ['12.5', '12.50'],
    ['12.50', '12.50'],
    ['0', '0.00'],
    ['0.01', '0.01'],
    ['999999999999999.99', '999999999999999.99'],
    ['1000000000000000', undefined],
    ['12.505', undefined],
    ['12.', undefined],
    ['.5', undefined],
    ['012', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['1e3', undefined],
    ['1,50', undefined],
    ['1 000', undefined],
    ['12\n', undefined],
    ['٣', undefined],
    ['NaN', undefined],
    ['', undefined],
  ] as const) {
    t.equal(parseMoney(text), expected, JSON.stringify(text))
  }
})

t.test('arithmetic is exact where floating point is not', async (t) => {
  t.equal(addMoney(euro('0.10'), euro('0.20')), '0.30')
  t.equal(multiplyMoney(euro('19.99'), 3), '59.97')
  t.equal(multiplyMoney(euro('999999999999999.99'), 10_000), '9999999999999999900.00')
  for (const minor of [0n, 1n, 99n, 100n, 123_456_789_012_345_678n]) {
    t.equal(toMinorUnits(moneyFromMinorUnits(minor)), minor)
  }
})
