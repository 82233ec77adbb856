declare const money: unique symbol

/**
 * An amount with two decimals, kept as the text that partners see ("1250.00"), never as a float.
 * Arithmetic goes through whole minor units; an amount of another form cannot be made.
 */
export type Money = string & { readonly [money]: true }

/** ISO 4217. The platform sells shares in one currency. */
export type Currency = 'EUR'
export const currency: Currency = 'EUR'

const form = /^(0|[1-9]\d*)(?:\.(\d{1,2}))?$/
const priceDigits = 15
/** What many shares cost has more digits than what one does; every store has room for so many. */
const sumDigits = 22

/** Accepts `12`, `12.5` and `12.50`; undefined for anything else, negative amounts included. */
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
