import type { H3Event } from 'h3'
import { type PageRequest, pageRequest } from '../domain/page.ts'
import { Problem } from '../domain/problem.ts'

/** Returns a query parameter; undefined if it is missing or empty. Throws if it is repeated or cannot be decoded. */
export type ReadParameter = (name: string) => string | undefined

declare module 'h3' {
  interface H3EventContext {
    /** Reads the query, if it was read before. */
    readParameter?: ReadParameter
  }
}

export function readParameter(event: H3Event, name: string): string | undefined {
  event.context.readParameter ??= parameterReader(event.url.search.slice(1))
  return event.context.readParameter(name)
}

/** @param query without a question mark */
export function parameterReader(query: string): ReadParameter {
  const parameters = new URLSearchParams(`&${query}`)
  const unreadable = findUnreadable(query)
  return (name) => {
    const values = parameters.getAll(name)
    if (values.length > 1) throw invalidParameter(name, 'must be sent only once')
    if (unreadable.has(name)) throw invalidParameter(name, notEncoded)
    return values[0] || undefined
  }
}

const notEncoded = 'must be percent-encoded UTF-8'

/** URLSearchParams would silently replace what it cannot decode, and so change the value. */
function findUnreadable(query: string): ReadonlySet<string> {
  if (isPercentEncoded(query)) return new Set()
  const unreadable = query.split('&').filter((pair) => !isPercentEncoded(pair))
  return new Set(unreadable.flatMap((pair) => [...new URLSearchParams(`&${pair}`).keys()]))
}

/** Whether all escapes together are UTF-8. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Comes after authentication, as other faults of the request do. */
export function requireEncodedPath(event: H3Event): void {
  if (hasEncodedPath(event)) return
  // The request belongs to no operation.
  delete event.context.matchedRoute
  throw new Problem('INVALID_PARAMETER', `The path ${notEncoded}.`)
}

export function hasEncodedPath({ url }: H3Event): boolean {
  return isPercentEncoded(url.pathname)
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
