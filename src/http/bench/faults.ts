import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { H3Event, Middleware } from 'h3'
import type { Fault, Reset } from '../../domain/bench/fault.ts'
import { OAuthError, type OAuthErrorCode } from '../../domain/oauth/oauth-error.ts'
import { Problem } from '../../domain/problem.ts'
import type { ProblemCode } from '../../domain/problem-code.ts'
import { pause } from '../../machine/time.ts'
import type { Bench } from '../../usecases/bench/bench.ts'
import { tokenPath } from '../../wire/oauth.ts'
import { operationIdOf } from '../operation-ids.ts'
import { problemTable, publicCodeOf } from '../problem-details.ts'

declare module 'h3' {
  interface H3EventContext {
    /** The fault that affects the request. */
    fault?: Fault
  }
}

/** Monitoring calls these all the time, and they are not operations of partners. */
const healthOperations: readonly unknown[] = ['readLiveness', 'readReadiness']

export function isPartnerOperation(operation: string | undefined): operation is string {
  return operation !== undefined && !healthOperations.includes(operation)
}

/**
 * Answers requests that must not be processed because of a fault or the maintenance. It comes after
 * authentication, so that faults can be for one client, and answers have all their headers.
 */
export function benchGate(bench: Bench): Middleware {
  return async (event) => {
    const { matchedRoute, authentication } = event.context
    const operation = operationIdOf(event.req.method, matchedRoute?.route ?? 'none')
    if (!isPartnerOperation(operation)) return
    refuseInMaintenance(bench)
    const clientId = authentication?.clientId ?? clientNamedIn(event)
    const fault = bench.faults.take({ operation, clientId })
    if (!fault) return
    event.context.fault = fault
    if (fault.delayMs !== null) await pause(fault.delayMs)
    // The connection is cut before anyone sees this answer.
    if (fault.reset === 'before') return new Response(null, { status: 503 })
    if (fault.status === null) return
    const refusal = refusalOf(fault, fault.status, isTokenRequest(event))
    if (refusal) throw refusal
    return answerWithoutCode(fault.status, fault.retryAfterSeconds)
  }
}

function refuseInMaintenance({ maintenance }: Bench): void {
  if (!maintenance) return
  const { retryAfterSeconds } = maintenance
  throw new Problem('SERVICE_UNAVAILABLE', 'The service is in maintenance.', { retryAfterSeconds })
}

function isTokenRequest({ context }: H3Event): boolean {
  return context.matchedRoute?.route === tokenPath
}

/** The client that the request names. The token endpoint authenticates it later, but a name is enough for a fault. */
function clientNamedIn({ req }: H3Event): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(req.headers.get('authorization') ?? '') ?? []
  return encoded && Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
}

/** An answer that is completely in memory. */
export interface BufferedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** Ends the connection instead of answering. Never resolves, because nothing waits for this answer any more. */
export function cutConnection(
  { runtime }: H3Event['req'],
  reset: Reset,
  answered: BufferedAnswer,
): Promise<never> {
  const response = runtime?.node?.res as ServerResponse | undefined
  const socket = response?.socket
  if (reset === 'mid-body' && response) {
    const { status, headers, body } = answered
    const length = { 'content-length': body.length }
    response.writeHead(status, { ...Object.fromEntries(headers), ...length })
    // The client has half of the answer before the connection ends.
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => socket?.destroy())
  } else if (socket && 'encrypted' in socket) socket.destroy()
  else socket?.resetAndDestroy()
  return new Promise(() => {})
}

const detail = 'A fault of the bench gives this answer.'

/** RFC 6749 5.2 for the token endpoint, a problem document otherwise. */
function refusalOf(fault: Fault, status: number, isToken: boolean): Error | undefined {
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 429 ? 1 : undefined)
  if (isToken) {
    return new OAuthError(oauthCodes[status] ?? 'server_error', detail, { retryAfterSeconds })
  }
  const code = codeFor(status, fault.code)
  if (code === undefined) return undefined
  const requiredScopes = code === 'INSUFFICIENT_SCOPE' ? { requiredScopes: [] } : {}
  return new Problem(code, detail, { retryAfterSeconds, ...requiredScopes })
}

/** The answer to an error that has no code, such as 500, or that comes from a proxy, such as 502. */
function answerWithoutCode(status: number, retryAfterSeconds: number | null): Response {
  const headers = {
    'content-type': 'application/problem+json',
    ...(retryAfterSeconds !== null && { 'retry-after': String(retryAfterSeconds) }),
  }
  const title = STATUS_CODES[status] ?? 'Error'
  if (bodiless.includes(status)) return new Response(null, { status })
  const body = JSON.stringify({ type: 'about:blank', title, status, detail })
  return new Response(body, { status, headers })
}

const bodiless: readonly number[] = [204, 205, 304]

const oauthCodes: Readonly<Record<number, OAuthErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_client',
  429: 'too_many_requests',
  503: 'temporarily_unavailable',
}

/** The most likely code for a status without a code. */
const usualCodes: Readonly<Record<number, ProblemCode>> = {
  400: 'MALFORMED_REQUEST_BODY',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'SHARE_PURCHASE_ILLEGAL_STATE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
}

/** @param wanted the code as partners see it @returns undefined if no problem has this status and this code */
export function codeFor(status: number, wanted: string | null): ProblemCode | undefined {
  if (wanted === null) return usualCodes[status]
  const codes = Object.keys(problemTable) as ProblemCode[]
  return codes.find((code) => problemTable[code].status === status && publicCodeOf(code) === wanted)
}
