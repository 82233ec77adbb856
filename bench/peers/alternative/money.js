/** Computes in whole cents. */
export function toCents(text) {
  return BigInt(text.replace('.', ''))
}

export function fromCents(cents) {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const currency = 'EUR'
