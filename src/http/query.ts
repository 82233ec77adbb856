import type { H3Event } from 'h3'
import { type PageRequest, pageRequest } from '../domain/page.ts'
import { Problem } from '../domain/problem.ts'

/**
 * Returns a query parameter; undefined if it is missing or empty. Throws INVALID_PARAMETER if it
 * is repeated.
 */
export function readParameter(event: H3Event, name: string): string | undefined {
  const values = event.url.searchParams.getAll(name)
  if (values.length > 1) throw invalidParameter(name, 'must be sent only once')
  return values[0] || undefined
}

export function requireParameter(event: H3Event, name: string): string {
  const text = readParameter(event, name)
  if (text === undefined) throw invalidParameter(name, 'is required')
  return text
}

export function readBoolean(event: H3Event, name: string): boolean | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  if (text !== 'true' && text !== 'false') throw invalidParameter(name, 'must be true or false')
  return text === 'true'
}

/** Refuses Infinity, NaN and hexadecimal numbers. */
const number = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

export function readNumber(event: H3Event, name: string): number | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  if (!number.test(text)) throw invalidParameter(name, 'must be a number')
  return Number(text)
}

export function readEnum<Token extends string>(
  event: H3Event,
  name: string,
  tokens: readonly Token[],
): Token | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  const token = tokens.find((candidate) => candidate === text)
  if (!token) throw invalidParameter(name, `must be one of ${tokens.join(', ')}`)
  return token
}

/** Spec gap: text that is not a whole number is refused, a number out of range is clamped; see docs/partners/details.md. */
export function readPageRequest(event: H3Event): PageRequest {
  return pageRequest(readInteger(event, 'page'), readInteger(event, 'size'))
}

/** A number out of range is clamped, as in a page request. */
export function readLimit(
  event: H3Event,
  { usual, largest }: { readonly usual: number; readonly largest: number },
): number {
  return Math.max(1, Math.min(readInteger(event, 'limit') ?? usual, largest))
}

function readInteger(event: H3Event, name: string): number | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  // A large exponent gives Infinity, which is clamped, too.
  const value = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  if (number.test(text) && Number.isInteger(value)) return value
  throw invalidParameter(name, 'must be a whole number')
}

export function invalidParameter(name: string, what: string): Problem {
  return new Problem('INVALID_PARAMETER', `The parameter ${name} ${what}.`)
}
