import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './client.ts'

/** Values from earlier responses, for later requests. */
export interface Known {
  readonly [name: string]: string
}

/** Checks what the contract alone cannot express. @returns the difference */
export type Expectation = (
  answer: Answer,
  known: Known,
) => string | undefined | Promise<string | undefined>

/** One request and its expected response. */
export interface Step {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: (known: Known) => string
  readonly status: number
  /** Expected code of a refusal. */
  readonly code?: string
  readonly headers?: (known: Known) => Readonly<Record<string, string>>
  readonly body?: (known: Known) => unknown
  /** Sends no token although the path is below /v1. */
  readonly isAnonymous?: true
  /** The step is skipped unless these are known, because not every deployment has such data. */
  readonly needs?: readonly string[]
  /** Why the step must not be skipped, and what to do. Absent if it may be skipped. */
  readonly indispensable?: (known: Known) => string
  /** The expected body, byte for byte. */
  readonly text?: string
  readonly expect?: readonly Expectation[]
  /** Names that `keep` may set. */
  readonly provides?: readonly string[]
  readonly keep?: (body: unknown, headers: Headers) => Known
}

/** An id that nothing has, for expected failures. */
export const unknownId = '00000000-0000-4000-8000-000000000000'

export const paths = {
  investor: ({ investorId = unknownId }: Known) => `/v1/investors/${investorId}`,
  profile: (known: Known) => `${paths.investor(known)}/profile`,
  orders: (known: Known) => `${paths.investor(known)}/share-purchases`,
  order: (known: Known) => `${paths.orders(known)}/${known['sharePurchaseId'] ?? unknownId}`,
  cancel: (known: Known) => `${paths.order(known)}/cancel`,
  holdings: (known: Known) => `${paths.investor(known)}/holdings`,
  byReference: ({ reference }: Known) => `/v1/investors?partner_customer_ref=${reference}`,
}

export function read(operationId: string, path: string | Step['path']): Step {
  return {
    operationId,
    method: 'GET',
    path: path instanceof Function ? path : () => path,
    status: 200,
  }
}

export function refused(step: Step, status: number, code: string): Step {
  return { ...step, status, code }
}

export type Body = Readonly<Record<string, unknown>>

/** Unknown values are not compared. */
export function expectValues(expected: (known: Known) => Body): Expectation {
  return ({ body }, known) => findMismatch(expected(known), body)
}

/** The first difference. Additional fields are allowed. */
export function findMismatch(wanted: unknown, found: unknown, place = ''): string | undefined {
  if (wanted === undefined) return undefined
  if (isBody(wanted) && isBody(found)) return findFieldMismatch(wanted, found, place)
  if (isDeepStrictEqual(found, wanted)) return undefined
  return `${place || '/'} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`
}

function findFieldMismatch(wanted: Body, found: Body, place: string): string | undefined {
  for (const [name, value] of Object.entries(wanted)) {
    const differing = findMismatch(value, found[name], `${place}/${name}`)
    if (differing !== undefined) return differing
  }
  return undefined
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The created item must be in the list, with the expected values. */
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
    return findMismatch(expected(known), items[index], `/items/${index}`)
  }
}

export function findFirst(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check()
    if (difference !== undefined) return difference
  }
  return undefined
}

export function expectHeader(name: string, wanted: string): Expectation {
  return ({ headers }) => {
    const found = headers.get(name)
    return found === wanted ? undefined : `header ${name} is ${found} instead of ${wanted}`
  }
}

export function expectOwnRequestId({ headers, requestId }: Answer): string | undefined {
  return headers.get('x-request-id') === requestId
    ? undefined
    : 'header X-Request-Id does not match the request'
}

export function expectUtf8({ headers }: Answer): string | undefined {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  const isUtf8 = charset === undefined || charset.toLowerCase() === 'utf-8'
  return isUtf8 ? undefined : `content-type: the charset is ${charset} instead of utf-8`
}

const named = /^'(none|self|(sha256|sha384|sha512|nonce)-.+)'$/

/** A policy that allows any script would be useless. */
export function expectOwnScripts({ headers }: Answer): string | undefined {
  const policy = headers.get('content-security-policy') ?? ''
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const sources = directives.flatMap(([name = '', ...listed]) =>
    /^(default|script)-src/i.test(name) ? listed : [],
  )
  const foreign = sources.find((source) => !named.test(source))
  return foreign && `header Content-Security-Policy allows scripts of ${foreign}`
}

export function expectReplay({ headers }: Answer): string | undefined {
  return headers.get('idempotent-replayed') === 'true'
    ? undefined
    : 'header Idempotent-Replayed is not true although the key was used before'
}

export function expectNoReplay({ headers }: Answer): string | undefined {
  return headers.has('idempotent-replayed')
    ? 'header Idempotent-Replayed is present although the key is new'
    : undefined
}
