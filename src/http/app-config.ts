import type { H3, H3Config, H3Event, Middleware } from 'h3'
import { Problem } from '../domain/problem.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { operationIdOf } from './operation-ids.ts'
import { maximumBodyBytes } from './read-body.ts'
import { challenge, createErrorRenderer } from './render-error.ts'
import type { CompletedRequest, ObserveRequest } from './request-metrics.ts'

interface AppConfigOptions {
  readonly baseUrl: string
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Called after every response. */
  readonly observe?: ObserveRequest | undefined
}

/** Headers, error handling and metrics of all responses. */
export function createAppConfig(options: AppConfigOptions): H3Config {
  const { baseUrl, clock, random, logger, observe } = options
  return {
    // The error renderer logs errors.
    silent: true,
    // The apps refuse a path that cannot be decoded, after authentication.
    allowMalformedURL: true,
    onError: createErrorRenderer({ baseUrl, logger }),
    onRequest(event) {
      event.context.requestId =
        requestIdIn(event.req.headers.get('x-request-id')) ?? random.traceId()
      event.context.startedMs = clock.stopwatchMs()
    },
    onResponse(response, event) {
      setCommonHeaders(response.headers, event)
      requireChallenge(response)
      const { authentication, caller, operator } = event.context
      const isKnown = (authentication ?? caller ?? operator) !== undefined
      observe?.(answeredOf(response, event, clock), isKnown)
    },
  }
}

function setCommonHeaders(headers: Headers, event: H3Event): void {
  headers.set('x-request-id', event.context.requestId ?? '')
  headers.set('x-content-type-options', 'nosniff')
  // Most responses contain personal data, so caching must be allowed explicitly.
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (isMuchUnread(event)) headers.set('connection', 'close')
  const { budget, vary } = event.context
  if (vary !== undefined) headers.set('vary', vary)
  if (!budget) return
  headers.set('ratelimit-limit', String(budget.limit))
  headers.set('ratelimit-remaining', String(budget.remaining))
  headers.set('ratelimit-reset', String(budget.resetSeconds))
}

/** RFC 9110 15.5.2: without a challenge, many clients do not send the credentials that they have. */
function requireChallenge({ status, headers }: Response): void {
  if (status === 401 && !headers.has('www-authenticate')) {
    headers.set('www-authenticate', challenge)
  }
}

/** Whether the rest of the body is too long to be read only for the next request on the connection. */
function isMuchUnread({ runtime }: H3Event): boolean {
  const request = runtime?.node?.req
  if (!request || request.complete) return false
  return !(Number(request.headers['content-length']) <= maximumBodyBytes)
}

function answeredOf(
  { status }: Response,
  { req, context }: H3Event,
  clock: Clock,
): CompletedRequest {
  const route = context.matchedRoute?.route ?? 'none'
  const caller = context.authentication ?? context.caller
  return {
    requestId: context.requestId ?? '',
    method: req.method,
    route,
    operation: context.operation ?? operationIdOf(req.method, route),
    status,
    code: context.problemCode,
    clientId: caller?.clientId,
    organizationId: caller?.organizationId,
    seconds: (clock.stopwatchMs() - (context.startedMs ?? 0)) / 1000,
  }
}

/** RFC 9110 9.3.2: HEAD shows the Content-Length that GET would have. h3 drops the body before JSON is measured. */
export const measureHead: Middleware = async (event, next) => {
  const answer = await next()
  if (isJson(answer)) {
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    event.res.headers.set('content-length', String(bytes))
  }
  return answer
}

/** Whether h3 writes the answer as JSON. Routes turn anything but a plain object into bytes themselves. */
function isJson(answer: unknown): boolean {
  return typeof answer === 'object' && answer?.constructor === Object
}

const printable = /^[\x21-\x7e]{1,128}$/

/** Spec gap: echoes only ids that are safe in a log; see docs/partners/details.md. */
export function requestIdIn(sent: string | null | undefined): string | undefined {
  return sent && printable.test(sent) ? sent : undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Comes after authentication, so that callers without a token cannot probe for paths below /v1. */
export function requireRoute(app: H3): Middleware {
  return (event) => {
    if (event.context.matchedRoute) return
    const allowed = methods.filter((method) => hasRoute(app, event, method))
    if (allowed.length === 0) throw notFound()
    event.context.allowedMethods = allowed
    throw new Problem('METHOD_NOT_ALLOWED', `This path supports ${allowed.join(', ')}.`)
  }
}

/** Asks h3 for the same request with another method, because h3 does not list allowed methods. */
function hasRoute(app: H3, event: H3Event, method: string): boolean {
  const other: H3Event = Object.create(event, { req: { value: { method } } })
  return app['~findRoute'](other) !== undefined
}

export function notFound(): Problem {
  return new Problem('NOT_FOUND', 'Nothing exists at this path.')
}
