declare const money: unique symbol

/**
 * A non-negative amount as the text that partners see ("1250.00"), never a float. Arithmetic uses
 * whole minor units.
 */
export type Money = string & { readonly [money]: true }

/** ISO 4217. The platform sells shares in one currency. */
export type Currency = 'EUR'
export const currency: Currency = 'EUR'

const form = /^(0|[1-9]\d*)(?:\.(\d{1,2}))?$/
const priceDigits = 15
/** The price of many shares has more digits than that of one; every store can hold them. */
const sumDigits = 22

/**
 * Accepts `12`, `12.5` and `12.50`. Returns undefined for any other text, including negative
 * amounts.
 */
export function parseMoney(text: string): Money | undefined {
  return parse(text, priceDigits)
}

export function parseSum(text: string): Money | undefined {
  return parse(text, sumDigits)
}

function parse(text: string, wholeDigits: number): Money | undefined {
  const [, whole = '', decimals = ''] = form.exec(text) ?? []
  if (whole === '' || whole.length > wholeDigits) return undefined
  return `${whole}.${decimals.padEnd(2, '0')}` as Money
}

export function toMinorUnits(amount: Money): bigint {
  return BigInt(amount.replace('.', ''))
}

export function moneyFromMinorUnits(minor: bigint): Money {
  const digits = minor.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}` as Money
}

export const zeroMoney = moneyFromMinorUnits(0n)

export function addMoney(left: Money, right: Money): Money {
  return moneyFromMinorUnits(toMinorUnits(left) + toMinorUnits(right))
}

/** The result must not be negative. */
export function subtractMoney(left: Money, right: Money): Money {
  const difference = toMinorUnits(left) - toMinorUnits(right)
  if (difference < 0n) throw new RangeError('An amount would be negative.')
  return moneyFromMinorUnits(difference)
}

export function multiplyMoney(amount: Money, count: number): Money {
  return moneyFromMinorUnits(toMinorUnits(amount) * BigInt(count))
}
