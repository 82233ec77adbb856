/** A bound in minor units that need not be whole ones: `12.345` lies between 1234 and 1235. */
export interface PriceBound {
  readonly floor: bigint
  readonly ceiling: bigint
}

const form = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** Beyond every price, in either direction. */
const mostDigits = 60

/** undefined when the text is no decimal number. A price has two decimals, a bound may have any number of them. */
export function parsePriceBound(text: string): PriceBound | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = '', exponent = '0'] = match
  const digits = (whole + decimals).replace(/^0+/, '')
  // Of the digits, so many are whole minor units.
  const leading = digits.length - decimals.length + Number(exponent) + 2
  const { floor, ceiling } = digits === '' ? nothing : between(digits, leading)
  return sign === '-' ? { floor: -ceiling, ceiling: -floor } : { floor, ceiling }
}

const nothing: PriceBound = { floor: 0n, ceiling: 0n }

function between(digits: string, leading: number): PriceBound {
  if (leading <= 0) return { floor: 0n, ceiling: 1n }
  // How far a bound lies beyond every price makes no difference.
  const kept = digits.slice(0, mostDigits)
  const length = Math.min(leading, mostDigits)
  const floor = BigInt(kept.slice(0, length).padEnd(length, '0'))
  return /[1-9]/.test(digits.slice(length))
    ? { floor, ceiling: floor + 1n }
    : { floor, ceiling: floor }
}
