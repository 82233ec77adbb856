import type { H3Config, H3Event } from 'h3'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Answered } from './metrics.ts'
import { operationIdOf } from './operation-ids.ts'
import { createErrorRenderer } from './render-error.ts'
import { requestIdIn } from './request-id.ts'

export interface AnsweringOptions {
  readonly baseUrl: string
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Called with every answer. */
  readonly observe?: ((answered: Answered) => void) | undefined
}

/** What every answer has, whichever route or error it comes from. */
export function answering(options: AnsweringOptions): H3Config {
  const { baseUrl, clock, random, logger, observe } = options
  return {
    // What went wrong is logged by the renderer, once.
    silent: true,
    // A path that cannot be decoded is a path where nothing is.
    allowMalformedURL: true,
    onError: createErrorRenderer({ baseUrl, logger }),
    onRequest(event) {
      event.context.requestId = requestIdIn(event.req.headers.get('x-request-id')) ?? random.id()
      event.context.startedMs = clock.monotonicMs()
    },
    onResponse(response, event) {
      setStandingHeaders(response.headers, event)
      observe?.(answeredOf(response, event, clock))
    },
  }
}

function setStandingHeaders(headers: Headers, { context }: H3Event): void {
  headers.set('x-request-id', context.requestId ?? '')
  headers.set('x-content-type-options', 'nosniff')
  // Most answers are about people: what may be kept says so itself.
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  const { budget, isCutOff } = context
  // What is still to come of the body is nobody's, so the connection ends with the answer.
  if (isCutOff) headers.set('connection', 'close')
  if (!budget) return
  headers.set('ratelimit-limit', String(budget.limit))
  headers.set('ratelimit-remaining', String(budget.remaining))
  headers.set('ratelimit-reset', String(budget.resetSeconds))
}

function answeredOf({ status }: Response, { req, context }: H3Event, clock: Clock): Answered {
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
    seconds: (clock.monotonicMs() - (context.startedMs ?? 0)) / 1000,
  }
}
