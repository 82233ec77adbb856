import { define, type Struct } from 'superstruct'
import { type Money, parseMoney, zero } from '../../domain/money.ts'

/** An amount as people write it in a file: "250.00", and 250 or 250.5 without quotes. */
export type Amount = string | number

/** Text of a number with more than two decimals is no amount, so no rounded one gets in. */
export function amountOf(value: Amount): Money | undefined {
  return parseMoney(String(value))
}

export function amount(): Struct<Amount, null> {
  return define('amount', (value) => isAmount(value) || 'must be an amount such as "250.00"')
}

export function positiveAmount(): Struct<Amount, null> {
  return define('positive amount', (value) => {
    if (!isAmount(value)) return 'must be an amount such as "250.00"'
    return amountOf(value) !== zero || 'must be greater than zero'
  })
}

function isAmount(value: unknown): value is Amount {
  return (typeof value === 'string' || typeof value === 'number') && amountOf(value) !== undefined
}
