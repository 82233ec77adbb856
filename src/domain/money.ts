declare const money: unique symbol

/**
 * An amount with two decimals, kept as the text that partners see ("1250.00"), never as a float.
 * Arithmetic goes through whole minor units; an amount of another form cannot be made.
 */
export type Money = string & { readonly [money]: true }

/** ISO 4217. The platform sells shares in one currency. */
export type Currency = 'EUR'
export const currency: Currency = 'EUR'

const form = /^(0|[1-9]\d{0,14})(?:\.(\d{1,2}))?$/

/** Accepts `12`, `12.5` and `12.50`; undefined for anything else, negative amounts included. */
export function parseMoney(text: string): Money | undefined {
  const match = form.exec(text)
  return match ? (`${match[1]}.${(match[2] ?? '').padEnd(2, '0')}` as Money) : undefined
}

export function minorUnits(amount: Money): bigint {
  return BigInt(amount.replace('.', ''))
}

export function moneyOf(minor: bigint): Money {
  const digits = minor.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}` as Money
}

export const zero = moneyOf(0n)

export function addMoney(left: Money, right: Money): Money {
  return moneyOf(minorUnits(left) + minorUnits(right))
}

export function multiplyMoney(amount: Money, count: number): Money {
  return moneyOf(minorUnits(amount) * BigInt(count))
}
