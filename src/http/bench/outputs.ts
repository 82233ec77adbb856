import { resets } from '../../domain/bench/fault.ts'
import type { renderExchange, renderFault } from '../../wire/bench.ts'
import {
  bool,
  byName,
  count,
  id,
  instant,
  type JsonSchema,
  list,
  number,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { FeedEntry, FeedPage } from '../request-feed.ts'
import type { renderCoverage } from './routes.ts'

export interface ClockState {
  readonly now: string
}

export interface MaintenanceState {
  readonly on: boolean
}

export interface Removed {
  readonly removed: number
}

export interface ExpiredTokens {
  readonly clients: number
}

export type FaultRow = ReturnType<typeof renderFault>
export type ExchangeRow = ReturnType<typeof renderExchange>
export type CoverageReport = ReturnType<typeof renderCoverage>

const times = count('Number of times that it was covered.')

/** Answers of the bench, which its commands print with --json. */
export const benchObjects: Readonly<Record<string, JsonSchema>> = {
  'Bench clock': record<ClockState>({ now: instant('Time that the clock of the service shows.') }),
  'Expired tokens': record<ExpiredTokens>({
    clients: count('Number of clients whose tokens have ended.'),
  }),
  Maintenance: record<MaintenanceState>({ on: bool('Whether requests of partners get 503.') }),
  Removed: record<Removed>({ removed: count('Number of removed items.') }),
  Fault: record<FaultRow>({
    id: id('Id of the fault.'),
    operation: text('Operation id of the contract, or `delivery`.'),
    client: orNull(text('Client that the fault affects; null for all.')),
    receiver: orNull(text('Webhook endpoint that the fault affects; null for all.')),
    delay_ms: orNull(count('Wait before the request, in milliseconds.')),
    reset: orNull(oneOf(resets, 'When the connection is cut.')),
    status: orNull(count('Status of the answer.')),
    retry_after: orNull(count('Header Retry-After of the answer, in seconds.')),
    code: orNull(text('Problem code of the answer.')),
    times_left: orNull(
      count('Number of times that the fault still occurs; null: until it is removed.'),
    ),
    happened: count('Number of times that the fault has occurred.'),
  }),
  Exchange: record<ExchangeRow>({
    sequence: count('Sequence number of the exchange.'),
    at: instant('When the exchange began, by the clock of the service.'),
    direction: oneOf(
      ['partner', 'delivery'],
      'Whether a partner sent a request, or the service sent an event.',
    ),
    operation: orNull(text('Operation id of the contract, or `delivery`.')),
    method: text('Method of the request.'),
    path: text('Path with its query; for a delivery, the URL.'),
    headers: byName(text(''), 'Headers of the request.'),
    body: text('Body of the request, up to 64 kB, without secrets and IBANs.'),
    status: orNull(count('Status of the answer; null without one.')),
    response_headers: byName(text(''), 'Headers of the answer.'),
    response_body: text('Body of the answer, shortened and masked like `body`.'),
    code: orNull(text('Code of the problem, or the reason why a delivery failed.')),
    client_id: orNull(id('Client that sent the request.')),
    organization_id: orNull(id('Organization of the client or the receiver.')),
    request_id: orNull(text('X-Request-Id of the answer.')),
    webhook_endpoint_id: orNull(id('Receiver of the delivery.')),
    duration_ms: count('Duration of the exchange, in milliseconds.'),
    fault: orNull(id('Fault that affected the exchange.')),
    contract: refer('Contract verdict', 'Whether the exchange matches the published contract.'),
  }),
  'Request feed': record<FeedPage>({
    next: count('Send it as `after` in the next call.'),
    requests: list(refer('Followed request'), 'The requests since the last call.'),
  }),
  'Followed request': record<FeedEntry>({
    sequence: count('Sequence number of the request.'),
    at: instant('When the request was answered.'),
    operation: orNull(text('Operation id of the contract.')),
    method: text('Method of the request.'),
    route: text('Pattern of the path, without ids.'),
    status: orNull(count('Status of the answer.')),
    code: orNull(text('Code of the problem.')),
    client_id: orNull(id('Client that sent the request.')),
    organization_id: orNull(id('Organization of the client.')),
    request_id: orNull(text('X-Request-Id of the answer.')),
    duration_ms: count('Duration of the request, in milliseconds.'),
  }),
  'Contract verdict': record<ExchangeRow['contract']>({
    verdict: oneOf(['conforms', 'violates', 'unchecked'], 'The result.'),
    problems: list(text(''), 'The difference and its place.'),
  }),
  'Bench coverage': record<CoverageReport>({
    percentage: number('Percentage of answers, events and outcomes that were covered.'),
    met: count('Number of covered answers, events and outcomes.'),
    total: count('Number of all answers, events and outcomes.'),
    answers: list(refer('Covered answer'), 'Documented answers.'),
    events: list(refer('Covered event'), 'Types of events.'),
    deliveries: list(refer('Covered outcome'), 'Outcomes of deliveries.'),
  }),
  'Covered answer': record<CoverageReport['answers'][number]>({
    operation: text('Operation id of the contract.'),
    status: count('Status of the answer.'),
    code: orNull(text('Code of the problem; null without one.')),
    times,
  }),
  'Covered event': record<CoverageReport['events'][number]>({
    type: text('Type of the event.'),
    times,
  }),
  'Covered outcome': record<CoverageReport['deliveries'][number]>({
    outcome: text('`delivered`, or why the attempt failed.'),
    times,
  }),
}
