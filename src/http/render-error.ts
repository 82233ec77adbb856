import { clearResponseHeaders, type H3Event, type HTTPError, HTTPResponse } from 'h3'
import { LRUCache } from 'lru-cache'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import { Problem } from '../domain/problem.ts'
import type { Logger } from '../ports/logger.ts'
import { oauthStatusOf, renderOAuthError, tokenPath } from '../wire/oauth.ts'
import { bearerToken } from './access-control.ts'
import {
  type Occurrence,
  publicCodeOf,
  renderInternalError,
  renderProblem,
  statusOf,
} from './problem-details.ts'

interface ErrorRendererOptions {
  readonly baseUrl: string
  readonly logger: Logger
}

type RenderError = (error: HTTPError, event: H3Event) => HTTPResponse

/**
 * Turns errors into responses. Any error except a refusal is an internal error, which is logged. The
 * response does not show it.
 */
export function createErrorRenderer({ baseUrl, logger }: ErrorRendererOptions): RenderError {
  const recentCauses: RecentCauses = new LRUCache({ max: maximumReasons, ttl: quietMs })
  return (error, event) => {
    const thrown = error.unhandled ? error.cause : error
    const occurrence = occurrenceOf(event, baseUrl)
    logFault({ logger, recentCauses }, thrown, occurrence)
    // Headers that the route had set do not apply to the error.
    clearResponseHeaders(event)
    const isTokenRequest = event.context.matchedRoute?.route === tokenPath
    if (isTokenRequest) return answerOAuthError(asOAuthError(thrown), event)
    if (thrown instanceof Problem) return answerProblem(thrown, event, occurrence)
    return answer(500, problemJson, renderInternalError(occurrence))
  }
}

const problemJson = { 'content-type': 'application/problem+json' }

function answerProblem(problem: Problem, event: H3Event, occurrence: Occurrence): HTTPResponse {
  const { code } = problem
  const { requiredScopes, retryAfterSeconds } = problem.extra
  const { allowedMethods } = event.context
  const headers = {
    ...problemJson,
    ...(code === 'UNAUTHENTICATED' && {
      'www-authenticate': bearerToken(event) ? 'Bearer error="invalid_token"' : challenge,
    }),
    ...(requiredScopes && {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${requiredScopes.join(' ')}"`,
    }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(allowedMethods && { allow: allowedMethods.join(', ') }),
  }
  event.context.problemCode = publicCodeOf(code)
  return answer(statusOf(code), headers, renderProblem(problem, occurrence))
}

/** RFC 6750 3.1: without a token, the challenge has no error code. */
export const challenge = 'Bearer realm="coopshare"'

function answerOAuthError(error: OAuthError, event: H3Event): HTTPResponse {
  const { retryAfterSeconds } = error.extra
  const headers = {
    'content-type': 'application/json',
    pragma: 'no-cache',
    ...(error.code === 'invalid_client' && { 'www-authenticate': 'Basic realm="coopshare"' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  const body = renderOAuthError(error)
  event.context.problemCode = body.error
  return answer(oauthStatusOf(error), headers, body)
}

/** An estimate that keeps clients from retrying all the time. */
const unavailableSeconds = 30

function answer(status: number, headers: Record<string, string>, body: unknown): HTTPResponse {
  const waiting: Record<string, string> =
    status === 503 ? { 'retry-after': String(unavailableSeconds) } : {}
  return new HTTPResponse(JSON.stringify(body), { status, headers: { ...waiting, ...headers } })
}

export function occurrenceOf(event: H3Event, baseUrl: string): Occurrence {
  return { baseUrl, path: event.url.pathname, requestId: event.context.requestId ?? '' }
}

function logFault(
  { logger, recentCauses }: { readonly logger: Logger; readonly recentCauses: RecentCauses },
  thrown: unknown,
  { requestId }: Occurrence,
): void {
  if (!(thrown instanceof Problem || thrown instanceof OAuthError)) {
    logger.error({ requestId, error: thrown }, 'A request failed.')
  } else if (isNew(thrown.cause, recentCauses)) {
    const { code, cause } = thrown
    logger.warn({ requestId, code, error: cause }, 'A request was refused.')
  }
}

/**
 * A response of any length. It begins with its first chunk, so that a failed start becomes an error response. After
 * that, the status is sent, and only the log can say why the connection was closed.
 */
export async function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  { event, logger }: Streaming,
): Promise<ReadableStream> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  // If nobody reads the stream, its generator never starts, and so would never close its source.
  const close = () => void iterator.return?.()
  const { signal, method } = event.req
  if (signal.aborted || method === 'HEAD') close()
  else signal.addEventListener('abort', close, { once: true })
  async function* withRest() {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } catch (error) {
      const { requestId = '' } = event.context
      logger.error({ requestId, error }, 'An answer was cut off.')
      throw error
    } finally {
      await iterator.return?.()
    }
  }
  return ReadableStream.from(withRest())
}

export interface Streaming {
  readonly event: H3Event
  readonly logger: Logger
}

/** The token endpoint renders every error as in RFC 6749 5.2 (spec: Token request). */
function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  if (!(thrown instanceof Problem)) {
    return new OAuthError('server_error', 'Something went wrong on our side.')
  }
  if (thrown.code === 'SERVICE_UNAVAILABLE') {
    const { retryAfterSeconds } = thrown.extra
    return new OAuthError('temporarily_unavailable', thrown.message, { retryAfterSeconds })
  }
  return new OAuthError('invalid_request', thrown.message)
}

/** A lasting outage is logged again after this time. */
const quietMs = 60_000
const maximumReasons = 100

/** Recently logged causes. An outage is the cause of every refusal while it lasts. */
type RecentCauses = LRUCache<string, true>

function isNew(cause: unknown, recentCauses: RecentCauses): boolean {
  if (cause === undefined) return false
  const name = String(cause)
  if (recentCauses.has(name)) return false
  recentCauses.set(name, true)
  return true
}
