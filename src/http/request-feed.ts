import type { H3Event, H3Plugin } from 'h3'
import { parseDuration } from '../domain/timestamp.ts'
import type { Clock } from '../ports/clock.ts'
import type { Exchange } from '../usecases/bench/journal.ts'
import { Journal } from '../usecases/bench/journal.ts'
import { invalidParameter, readNumber, readParameter } from './query.ts'
import type { CompletedRequest } from './request-metrics.ts'

/**
 * Requests are kept only if somebody has asked for them within this time. So a feed that nobody reads costs nothing.
 */
const keptForMs = 60_000
const longestWaitMs = 30_000
const nothing = { headers: {}, body: '', isCutOff: false }

/** The requests of partners as they are answered, without headers, bodies or anything about persons. */
export class RequestFeed {
  readonly #clock: Clock
  readonly #journal = new Journal()
  #watchedUntilMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(answered: CompletedRequest): void {
    if (this.#clock.stopwatchMs() > this.#watchedUntilMs) return
    this.#journal.record({
      at: this.#clock.now(),
      direction: 'partner',
      operation: answered.operation ?? null,
      method: answered.method,
      path: answered.route,
      request: nothing,
      status: answered.status,
      response: nothing,
      code: answered.code ?? null,
      clientId: answered.clientId ?? null,
      organizationId: answered.organizationId ?? null,
      requestId: answered.requestId,
      webhookEndpointId: null,
      durationMs: Math.round(answered.seconds * 1000),
      faultId: null,
    })
  }

  /** Waits for requests after `after`. If `after` is absent, returns the position at which to begin. */
  async next({ after, organizationId, waitMs }: FeedPosition) {
    this.#watchedUntilMs = this.#clock.stopwatchMs() + keptForMs
    if (after === undefined) return { next: this.#journal.last, requests: [] }
    const which = { organizationId, after }
    const found = await this.#journal.waitFor({ ...which, count: 1, timeoutMs: waitMs })
    this.#watchedUntilMs = this.#clock.stopwatchMs() + keptForMs
    return { next: Math.max(after, this.#journal.last), requests: (found ?? []).map(renderRequest) }
  }
}

interface FeedPosition {
  /** The sequence number of the last request that the caller has seen. */
  readonly after: number | undefined
  readonly organizationId: string | undefined
  readonly waitMs: number
}

function renderRequest(exchange: Exchange) {
  return {
    sequence: exchange.sequence,
    at: exchange.at,
    operation: exchange.operation,
    method: exchange.method,
    route: exchange.path,
    status: exchange.status,
    code: exchange.code,
    client_id: exchange.clientId,
    organization_id: exchange.organizationId,
    request_id: exchange.requestId,
    duration_ms: exchange.durationMs,
  }
}

export type FeedPage = Awaited<ReturnType<RequestFeed['next']>>
export type FeedEntry = ReturnType<typeof renderRequest>

export function requestFeedRoutes(feed: RequestFeed): H3Plugin {
  return (app) => {
    app.get('/requests', (event) =>
      feed.next({
        after: readNumber(event, 'after'),
        organizationId: readParameter(event, 'organization'),
        waitMs: readWait(event),
      }),
    )
  }
}

/** Reads how long to wait for the next request, in milliseconds. */
export function readWait(event: H3Event): number {
  const ms = parseDuration(readParameter(event, 'wait') ?? '0s')
  if (ms !== undefined && ms <= longestWaitMs) return ms
  throw invalidParameter('wait', 'must be a time up to 30s, such as 10s')
}
