/** A bound in minor units that need not be whole ones: `12.345` lies between 1234 and 1235. */
export interface PriceBound {
  readonly floor: bigint
  readonly ceiling: bigint
}

const form = /^([+-]?)(\d+)(?:\.(\d+))?$/

/** undefined when the text is no decimal number. A price has two decimals, a bound may have any number of them. */
export function parsePriceBound(text: string): PriceBound | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = ''] = match
  const cut = BigInt(whole + decimals.slice(0, 2).padEnd(2, '0'))
  const next = /[1-9]/.test(decimals.slice(2)) ? cut + 1n : cut
  return sign === '-' ? { floor: -next, ceiling: -cut } : { floor: cut, ceiling: next }
}
