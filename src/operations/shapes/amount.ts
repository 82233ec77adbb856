import { define, type Struct } from 'superstruct'
import { type Money, parseMoney, parseSum, zero } from '../../domain/money.ts'

/** An amount as people write it in a file: "250.00", and 250 or 250.5 without quotes. */
export type Amount = string | number

// The text of a number with more than two decimals is no amount, so no rounded one gets in.
function amountOf(value: unknown, parse = parseMoney): Money | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parse(String(value)) : undefined
}

const hint = 'must be an amount such as "250.00"'

export function amount(): Struct<Amount, null> {
  return define('amount', (value) => amountOf(value) !== undefined || hint)
}

export function positiveAmount(): Struct<Amount, null> {
  return define('positive amount', (value) => {
    const money = amountOf(value)
    if (money === undefined) return hint
    return money !== zero || 'must be greater than zero'
  })
}

/** What several shares cost. */
export function sum(): Struct<Amount, null> {
  return define('sum', (value) => amountOf(value, parseSum) !== undefined || hint)
}

/** Of one that its shape has let through. */
export function readAmount(value: Amount): Money {
  return passed(amountOf(value))
}

export function readSum(value: Amount): Money {
  return passed(amountOf(value, parseSum))
}

function passed(money: Money | undefined): Money {
  if (money === undefined) throw new TypeError('An amount came past the shape that checks it.')
  return money
}
