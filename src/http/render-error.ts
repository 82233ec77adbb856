import { clearResponseHeaders, type H3Event, type HTTPError, HTTPResponse } from 'h3'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import { Problem } from '../domain/problem.ts'
import type { Logger } from '../ports/logger.ts'
import { asOAuthError } from './as-oauth-error.ts'
import { bearerToken } from './bearer-token.ts'
import { News } from './news.ts'
import {
  codeSeenByPartners,
  type Occurrence,
  renderFault,
  renderProblem,
  statusOf,
} from './problem-details.ts'
import { oauthStatusOf, renderOAuthError, tokenPath } from './shapes/oauth.ts'

export interface ErrorRendererOptions {
  readonly baseUrl: string
  readonly logger: Logger
}

type RenderError = (error: HTTPError, event: H3Event) => HTTPResponse

/** The only place where an error becomes an answer. What is no refusal is a fault of ours: it is logged, and nothing of it goes out. */
export function createErrorRenderer({ baseUrl, logger }: ErrorRendererOptions): RenderError {
  const news = new News()
  return (error, event) => {
    const thrown = error.unhandled ? error.cause : error
    const occurrence = occurrenceOf(event, baseUrl)
    logFault({ logger, news }, thrown, occurrence)
    // What a route had prepared for its own answer says nothing about this one.
    clearResponseHeaders(event)
    if (isTokenRequest(event)) return answerOAuthError(asOAuthError(thrown), event)
    if (thrown instanceof Problem) return answerProblem(thrown, event, occurrence)
    return answer(500, problemJson, renderFault(occurrence))
  }
}

const problemJson = { 'content-type': 'application/problem+json' }

function answerProblem(problem: Problem, event: H3Event, occurrence: Occurrence): HTTPResponse {
  const headers = { ...problemJson, ...headersOf(problem, event) }
  event.context.problemCode = codeSeenByPartners(problem.code)
  return answer(statusOf(problem.code), headers, renderProblem(problem, occurrence))
}

function headersOf({ code, extra }: Problem, event: H3Event): Record<string, string> {
  const { requiredScopes, retryAfterSeconds } = extra
  const { allowedMethods } = event.context
  return {
    ...(code === 'UNAUTHENTICATED' && { 'www-authenticate': challengeOf(event) }),
    ...(requiredScopes && {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${requiredScopes.join(' ')}"`,
    }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(allowedMethods && { allow: allowedMethods.join(', ') }),
  }
}

/** RFC 6750 3.1: who sent no token is not told of an error. */
function challengeOf(event: H3Event): string {
  return bearerToken(event) ? 'Bearer error="invalid_token"' : 'Bearer realm="coopshare"'
}

function isTokenRequest({ context }: H3Event): boolean {
  return context.matchedRoute?.route === tokenPath
}

function answerOAuthError(error: OAuthError, event: H3Event): HTTPResponse {
  const { retryAfterSeconds } = error.extra
  // RFC 6749 5.2: the challenge answers an attempt in the header; clients that sent a form look into the body.
  const isChallenged = error.code === 'invalid_client' && event.req.headers.has('authorization')
  const headers = {
    'content-type': 'application/json',
    pragma: 'no-cache',
    ...(isChallenged && { 'www-authenticate': 'Basic realm="coopshare"' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  const body = renderOAuthError(error)
  event.context.problemCode = body.error
  return answer(oauthStatusOf(error), headers, body)
}

/** A guess: nobody knows when the disk has room again, but to ask all the time helps no one. */
const unavailableSeconds = 30

function answer(status: number, headers: Record<string, string>, body: unknown): HTTPResponse {
  const waiting: Record<string, string> =
    status === 503 ? { 'retry-after': String(unavailableSeconds) } : {}
  return new HTTPResponse(JSON.stringify(body), { status, headers: { ...waiting, ...headers } })
}

function occurrenceOf(event: H3Event, baseUrl: string): Occurrence {
  return { baseUrl, path: event.url.pathname, requestId: event.context.requestId ?? '' }
}

interface Told {
  readonly logger: Logger
  readonly news: News
}

function logFault({ logger, news }: Told, thrown: unknown, { requestId }: Occurrence): void {
  if (!(thrown instanceof Problem || thrown instanceof OAuthError)) {
    logger.error({ requestId, error: thrown }, 'A request failed.')
  } else if (news.isNew(thrown.cause)) {
    const { code, cause } = thrown
    logger.warn({ requestId, code, error: cause }, 'A request was refused.')
  }
}
