import type { H3Event, H3Plugin } from 'h3'
import { parseDuration } from '../domain/timestamp.ts'
import type { Clock } from '../ports/clock.ts'
import type { Exchange } from '../usecases/bench/journal.ts'
import { Journal } from '../usecases/bench/journal.ts'
import {
  count,
  countOrNull,
  idOrNull,
  instant,
  listOf,
  type Rendered,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
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
  async next({ after, organizationId, waitMs }: FeedPosition): Promise<FeedPage> {
    this.#watchedUntilMs = this.#clock.stopwatchMs() + keptForMs
    if (after === undefined) return { next: this.#journal.last, requests: [] }
    const which = { organizationId, after }
    const found = await this.#journal.waitFor({ ...which, count: 1, timeoutMs: waitMs })
    this.#watchedUntilMs = this.#clock.stopwatchMs() + keptForMs
    return requestFeed.render({
      next: Math.max(after, this.#journal.last),
      requests: found ?? [],
    })
  }
}

interface FeedPosition {
  /** The sequence number of the last request that the caller has seen. */
  readonly after: number | undefined
  readonly organizationId: string | undefined
  readonly waitMs: number
}

export const followedRequest = view<Exchange>()('Followed request', {
  sequence: count('Sequence number of the request.', (it) => it.sequence),
  at: instant('When the request was answered.', (it) => it.at),
  operation: textOrNull('Operation id from the contract.', (it) => it.operation),
  method: text('Method of the request.', (it) => it.method),
  route: text('Path pattern, without ids.', (it) => it.path),
  status: countOrNull('Status of the answer.', (it) => it.status),
  code: textOrNull('Code of the problem.', (it) => it.code),
  client_id: idOrNull('Client that sent the request.', (it) => it.clientId),
  organization_id: idOrNull(
    'Id of the organization to which the client belongs.',
    (it) => it.organizationId,
  ),
  request_id: textOrNull('`X-Request-Id` of the answer.', (it) => it.requestId),
  duration_ms: count('Duration of the request, in milliseconds.', (it) => it.durationMs),
})
export type FollowedRequest = Rendered<typeof followedRequest>

interface FeedPart {
  readonly next: number
  readonly requests: readonly Exchange[]
}

export const requestFeed = view<FeedPart>()('Request feed', {
  next: count('Send it as `after` in the next call.', (it) => it.next),
  requests: listOf(followedRequest, 'The requests since the last call.', (it) => it.requests),
})
export type FeedPage = Rendered<typeof requestFeed>

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
