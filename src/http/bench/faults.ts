import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { H3Event, Middleware } from 'h3'
import { deliveryOperation, type Fault, type Reset } from '../../domain/bench/fault.ts'
import { OAuthError, type OAuthErrorCode } from '../../domain/oauth/oauth-error.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { Problem } from '../../domain/problem.ts'
import { type ProblemCode, problems } from '../../domain/problem-code.ts'
import { pause } from '../../machine/time.ts'
import type { Bench, NewFault } from '../../usecases/bench/bench.ts'
import { invalid } from '../../wire/bench.ts'
import { tokenPath } from '../../wire/oauth.ts'
import { isPartnerOperation, operationIdOf } from '../operation-ids.ts'
import { type Occurrence, publicCodeOf, renderInternalError } from '../problem-details.ts'
import { bodyReadAhead, mediaTypeOf } from '../read-body.ts'
import { occurrenceOf } from '../render-error.ts'

declare module 'h3' {
  interface H3EventContext {
    /** The fault that affects the request. */
    fault?: Fault
  }
}

/**
 * Answers requests that must not be processed because of a fault or the maintenance. It comes after
 * authentication, so that faults can be for one client, and answers have all their headers.
 */
export function benchGate(bench: Bench, baseUrl: string): Middleware {
  return async (event) => {
    const { matchedRoute, authentication } = event.context
    const operation = operationIdOf(event.req.method, matchedRoute?.route ?? 'none')
    if (!isPartnerOperation(operation)) return
    if (bench.maintenance) {
      const { retryAfterSeconds } = bench.maintenance
      const what = 'The service is in maintenance.'
      throw new Problem('SERVICE_UNAVAILABLE', what, { retryAfterSeconds })
    }
    const clientId = authentication?.clientId ?? clientNamedIn(event)
    const fault = bench.faults.take({ operation, clientId })
    if (!fault) return
    event.context.fault = fault
    if (fault.delayMs !== null) await pause(fault.delayMs)
    // The connection is cut before anyone sees this answer.
    if (fault.reset === 'before') return new Response(null, { status: 503 })
    if (fault.status === null) return
    const refusal = await refusalOf(fault, fault.status, event.req.method)
    if (refusal) throw refusal
    return answerWithoutCode(fault.status, fault.retryAfterSeconds, occurrenceOf(event, baseUrl))
  }
}

/** The client that the request names. The token endpoint authenticates it later, but a name is enough for a fault. */
function clientNamedIn(event: H3Event): string | undefined {
  const authorization = event.req.headers.get('authorization') ?? ''
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded) return Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
  const isForm = mediaTypeOf(event) === 'application/x-www-form-urlencoded'
  const isToken = event.context.matchedRoute?.route === tokenPath
  if (!isForm || !isToken) return undefined
  return new URLSearchParams(bodyReadAhead(event)).get('client_id') ?? undefined
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

/** Loaded late, because most services never need it. */
export async function loadContract() {
  const [{ listPinnedContracts }, { documents }] = await Promise.all([
    import('../../contract/pinned-contract.ts'),
    import('../../contract/documents.ts'),
  ])
  const [newest] = listPinnedContracts(documents)
  if (!newest) throw new Error('No version of the contract is published.')
  return newest
}

/** @returns the fault with the code of its answer. Throws if the operation never gives this answer. */
export async function completeFault(fault: NewFault): Promise<NewFault> {
  const { operation, status, code } = fault
  if (status === null && code !== null) throw invalid('status', 'is required with `code`')
  if (status === null || operation === deliveryOperation) return fault
  const contract = await loadContract()
  // The sandbox has its own document.
  if (!contract.has(operation)) return { ...fault, code: requireCode(status, code) }
  const errors = contract
    .listAnswers()
    .filter((one) => one.operation === operation && one.status >= 400 && one.status !== wrongMethod)
  const codes = errors.filter((error) => error.status === status).map((error) => error.code)
  // A proxy can answer with any of these.
  if (codes.length === 0 && status < 500) {
    const statuses = errors.map((error) => error.status).filter((each) => each < 500)
    const listed = statuses.length === 0 ? '' : `${[...new Set(statuses)].join(', ')} or `
    throw invalid('status', `must be ${listed}500 to 599 for ${operation}`)
  }
  return { ...fault, code: chooseCode(fault, status, codes) }
}

/** A request with a wrong method belongs to no operation. */
export const wrongMethod = 405

function chooseCode(
  { operation, code }: NewFault,
  status: number,
  listed: readonly (string | null)[],
): string | null {
  const codes = listed.filter((each) => each !== null)
  if (code !== null && codes.includes(code)) return code
  if (codes.length === 0 && code === null) return null
  if (codes.length === 0)
    throw invalid('code', `must be left out for ${operation} with status ${status}`)
  const usual = usualCodes[status]
  const [only] = codes.length === 1 ? codes : codes.filter((each) => each === usual)
  if (code === null && only !== undefined) return only
  throw invalid('code', `must be ${codes.join(' or ')} for ${operation} with status ${status}`)
}

function requireCode(status: number, wanted: string | null): string | null {
  const code = wanted === null ? usualCodes[status] : codeFor(status, wanted)
  if (code !== undefined) return publicCodeOf(code)
  if (wanted !== null) {
    throw invalid('code', `must be one that the service answers with status ${status}`)
  }
  if (status < 500) throw invalid('status', 'must be that of an error')
  return null
}

/** @param wanted the code as partners see it @returns undefined if no problem has this status and this code */
function codeFor(status: number, wanted: string): ProblemCode | undefined {
  const codes = Object.keys(problems) as ProblemCode[]
  return codes.find((code) => problems[code].status === status && publicCodeOf(code) === wanted)
}

const detail = 'A bench fault gives this answer.'

/** RFC 6749 5.2 for the token endpoint, a problem document otherwise. */
async function refusalOf(
  { operation, code: publicCode, ...fault }: Fault,
  status: number,
  method: string,
): Promise<Error | undefined> {
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 429 ? 1 : undefined)
  const oauthCode = operation === 'issueToken' && oauthCodes[status]
  if (oauthCode) return new OAuthError(oauthCode, detail, { retryAfterSeconds })
  const code = publicCode === null ? undefined : codeFor(status, publicCode)
  if (code === undefined) return undefined
  // A 422 about a parameter has no `errors`.
  const hasErrors = status === 422 && method !== 'GET'
  return new Problem(code, detail, {
    retryAfterSeconds,
    ...(hasErrors && { errors: { body: 'has a bench fault' } }),
    ...(code === 'INSUFFICIENT_SCOPE' && { requiredScopes: await scopesOf(operation) }),
  })
}

async function scopesOf(operation: string): Promise<readonly Scope[]> {
  return (await loadContract()).scopesOf(operation) as readonly Scope[]
}

/** The answer to an error that has no code, such as 500, or that comes from a proxy, such as 502. */
function answerWithoutCode(
  status: number,
  retryAfterSeconds: number | null,
  occurrence: Occurrence,
): Response {
  const headers = {
    'content-type': 'application/problem+json',
    ...(retryAfterSeconds !== null && { 'retry-after': String(retryAfterSeconds) }),
  }
  const title = STATUS_CODES[status] ?? 'Error'
  const body =
    status === 500
      ? renderInternalError(occurrence)
      : { type: 'about:blank', title, status, detail }
  return new Response(JSON.stringify(body), { status, headers })
}

const oauthCodes: Readonly<Record<number, OAuthErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_client',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** The most likely code for a status without a code. */
const usualCodes: Readonly<Record<number, ProblemCode>> = {
  400: 'MALFORMED_REQUEST_BODY',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'SHARE_PURCHASE_ILLEGAL_STATE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
}
