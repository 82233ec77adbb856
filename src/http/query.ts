import type { H3Event } from 'h3'
import { type PageRequest, pageRequest } from '../domain/page.ts'
import { Problem } from '../domain/problem.ts'

/** One query parameter; undefined when it is missing or empty. Sent twice, nobody can know which one was meant. */
export function readParameter(event: H3Event, name: string): string | undefined {
  const values = event.url.searchParams.getAll(name)
  if (values.length > 1) throw invalidParameter(name, 'is there more than once')
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
  if (text !== 'true' && text !== 'false') throw invalidParameter(name, 'has to be true or false')
  return text === 'true'
}

/** Infinity and NaN have no digits, and a hexadecimal number has other ones. */
const number = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

export function readNumber(event: H3Event, name: string): number | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  if (!number.test(text)) throw invalidParameter(name, 'has to be a number')
  return Number(text)
}

export function readToken<Token extends string>(
  event: H3Event,
  name: string,
  tokens: readonly Token[],
): Token | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  const token = tokens.find((candidate) => candidate === text)
  if (!token) throw invalidParameter(name, `has to be one of ${tokens.join(', ')}`)
  return token
}

/** Spec gap: what is no whole number is refused, what is out of range is clamped; see DECISIONS.md, paging. */
export function readPageRequest(event: H3Event): PageRequest {
  return pageRequest(readInteger(event, 'page'), readInteger(event, 'size'))
}

function readInteger(event: H3Event, name: string): number | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  // One with a large exponent is infinite here, and is clamped like every number out of range.
  const value = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  if (number.test(text) && Number.isInteger(value)) return value
  throw invalidParameter(name, 'has to be a whole number')
}

export function invalidParameter(name: string, what: string): Problem {
  return new Problem('INVALID_PARAMETER', `The parameter ${name} ${what}.`)
}
