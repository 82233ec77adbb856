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

/** What was made on the way has to stand in the list, with what is expected of it. */
export function expectListed(
  name: string,
  wanted: string,
  expected: (known: Known) => Body = () => ({}),
): Expectation {
  return ({ body }, known) => {
    const value = known[wanted]
    if (value === undefined) return undefined
    const { items } = body as { readonly items: readonly Body[] }
    const index = items.findIndex((item) => item[name] === value)
    if (index < 0) return `/items lacks ${name} ${JSON.stringify(value)}`
    return findDiffering(expected(known), items[index], `/items/${index}`)
  }
}

export function findFirst(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check()
    if (difference !== undefined) return difference
  }
  return undefined
}
