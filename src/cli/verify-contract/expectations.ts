import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Known } from './step.ts'

export type Body = Readonly<Record<string, unknown>>

/** What a body has to hold, made of what is known; what is not known is not compared. */
export function expectValues(expected: (known: Known) => Body): Expectation {
  return ({ body }, known) => findDiffering(expected(known), body)
}

/** The first that is wanted and is not there, with where it stands. More may be there. */
export function findDiffering(wanted: unknown, found: unknown, place = ''): string | undefined {
  if (wanted === undefined) return undefined
  if (isBody(wanted) && isBody(found)) return findDifferingField(wanted, found, place)
  if (isDeepStrictEqual(found, wanted)) return undefined
  return `${place || '/'} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`
}

function findDifferingField(wanted: Body, found: Body, place: string): string | undefined {
  for (const [name, value] of Object.entries(wanted)) {
    const differing = findDiffering(value, found[name], `${place}/${name}`)
    if (differing !== undefined) return differing
  }
  return undefined
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What was made on the way has to stand in the list. */
export function expectListed(name: string, wanted: string): Expectation {
  return ({ body }, known) => {
    const value = known[wanted]
    const { items } = body as { readonly items: readonly Body[] }
    const isListed = value === undefined || items.some((item) => item[name] === value)
    return isListed ? undefined : `/items lacks ${name} ${JSON.stringify(value)}`
  }
}

export function findFirst(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check()
    if (difference !== undefined) return difference
  }
  return undefined
}
