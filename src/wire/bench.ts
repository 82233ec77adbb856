import { boolean, enums, type Infer, object, optional, string } from 'superstruct'
import { type Fault, resets } from '../domain/bench/fault.ts'
import { maskIban, spacing } from '../domain/investors/bank-identifiers.ts'
import { Problem } from '../domain/problem.ts'
import {
  addSeconds,
  durationForms,
  parseDuration,
  parseTimestamp,
  renderDuration,
  type Timestamp,
  timestampError,
} from '../domain/timestamp.ts'
import type { NewFault } from '../usecases/bench/bench.ts'
import { directions, type Exchange, type Message } from '../usecases/bench/journal.ts'
import { integerWithin } from './bounds.ts'
import {
  bool,
  count,
  countOrNull,
  id,
  idOrNull,
  instant,
  listOf,
  nested,
  number,
  oneOf,
  oneOfOrNull,
  plain,
  type Rendered,
  text,
  textOrNull,
  texts,
  textsByName,
  view,
} from './view.ts'

export const clockShape = object({
  advance: optional(string()),
  to: optional(string()),
  timeout: optional(string()),
})

export const faultShape = object({
  operation: string(),
  client: optional(string()),
  receiver: optional(string()),
  times: optional(integerWithin({ min: 1 })),
  delay: optional(string()),
  reset: optional(enums(resets)),
  status: optional(integerWithin({ min: 200, max: 599 })),
  retry_after: optional(integerWithin({ min: 1 })),
  code: optional(string()),
})

export const awaitShape = object({
  operation: string(),
  count: optional(integerWithin({ min: 1 })),
  timeout: optional(string()),
  client: optional(string()),
  organization: optional(string()),
})

export const tokensShape = object({ client: optional(string()) })

export const maintenanceShape = object({
  on: boolean(),
  retry_after: optional(integerWithin({ min: 1 })),
})

/** @returns the time to which the clock should move from `now` */
export function readTarget({
  advance,
  to,
}: Infer<typeof clockShape>): (now: Timestamp) => Timestamp {
  if ((advance === undefined) === (to === undefined)) {
    throw invalid('advance', 'is required, or `to`, but not both')
  }
  if (advance !== undefined) {
    const seconds = readDuration('advance', advance) / 1000
    return (now) => {
      if (Date.parse(now) + seconds * 1000 <= lastInstantMs) return addSeconds(now, seconds)
      throw invalid('advance', 'must not lead beyond the year 9999')
    }
  }
  const instant = parseTimestamp(to ?? '')
  if (instant === undefined) throw invalid('to', timestampError(to ?? '') ?? 'must be an instant')
  return () => instant
}

const lastInstantMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Timers of Node.js end immediately if they are longer than 24 days. */
const longestWaitMs = 86_400_000

/** Real time to wait, in milliseconds. */
export function readWaitingTime(field: string, text: string): number {
  const ms = readDuration(field, text)
  if (ms > longestWaitMs) throw invalid(field, 'must be at most 1d')
  return ms
}

/** Returns milliseconds. */
function readDuration(field: string, text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw invalid(field, `must be a time ${durationForms}`)
  return ms
}

export function readFault(sent: Infer<typeof faultShape>): NewFault {
  const { delay, reset = null, status = null } = sent
  const isDelivery = sent.operation === 'delivery'
  if (delay === undefined && reset === null && status === null && sent.code === undefined) {
    throw invalid('delay', 'is missing, and so are `reset` and `status`: say what happens')
  }
  if (reset !== null && status !== null) {
    throw invalid('reset', 'cannot be combined with `status`')
  }
  if (isDelivery && sent.client !== undefined) throw invalid('client', 'is not for deliveries')
  if (isDelivery && sent.code !== undefined) throw invalid('code', 'is not for deliveries')
  if (isDelivery && reset === 'mid-body') {
    throw invalid('reset', 'must be before or after-commit: a delivery needs only the status line')
  }
  if (!isDelivery && sent.receiver !== undefined) {
    throw invalid('receiver', 'is for the operation `delivery` only')
  }
  return {
    operation: sent.operation,
    clientId: sent.client ?? null,
    webhookEndpointId: sent.receiver ?? null,
    delayMs: delay === undefined ? null : readWaitingTime('delay', delay),
    reset,
    status,
    retryAfterSeconds: sent.retry_after ?? null,
    code: sent.code ?? null,
    timesLeft: sent.times ?? null,
  }
}

export function invalid(field: string, what: string): Problem {
  return new Problem('VALIDATION_ERROR', `${field} ${what}.`, { errors: { [field]: what } })
}

export const benchClock = plain('Bench clock', {
  now: instant('Current time of the service clock.'),
})

export const expiredTokens = plain('Expired tokens', {
  clients: count('Number of clients whose tokens have expired.'),
})

export const maintenance = plain('Maintenance', {
  on: bool('Whether partner requests get 503.'),
})

export const removed = plain('Removed', { removed: count('Number of removed items.') })

export const benchFault = view<Fault>()('Fault', {
  id: id('Id of the fault.', (it) => it.faultId),
  operation: text('Operation id from the contract, or `delivery`.', (it) => it.operation),
  client: textOrNull('Client that the fault affects; null for all clients.', (it) => it.clientId),
  receiver: textOrNull(
    'Webhook endpoint that the fault affects; null for all endpoints.',
    (it) => it.webhookEndpointId,
  ),
  delay: textOrNull('Delay before the request is processed, such as `6s`.', ({ delayMs: ms }) =>
    ms === null ? null : renderDuration(ms),
  ),
  reset: oneOfOrNull(resets, 'When the connection is cut.', (it) => it.reset),
  status: countOrNull('Status of the answer.', (it) => it.status),
  retry_after: countOrNull(
    '`Retry-After` of the answer, in seconds.',
    (it) => it.retryAfterSeconds,
  ),
  code: textOrNull('Problem code of the answer.', (it) => it.code),
  times_left: countOrNull(
    'Number of times that the fault will still occur; null if it occurs until you remove it.',
    (it) => it.timesLeft,
  ),
  happened: count('Number of times that the fault has occurred.', (it) => it.happened),
})
export type FaultRow = Rendered<typeof benchFault>

/** Whether the service and the partner have followed the published contract. */
const contractVerdict = plain('Contract verdict', {
  verdict: oneOf(['conforms', 'violates', 'unchecked'], 'The result.'),
  problems: texts('What differs, and where.'),
})
export type ContractVerdict = Rendered<typeof contractVerdict>

export interface JudgedExchange extends Exchange {
  readonly contract: ContractVerdict
}

export const exchange = view<JudgedExchange>()('Exchange', {
  sequence: count('Sequence number of the exchange.', (it) => it.sequence),
  at: instant('When the exchange began, by the clock of the service.', (it) => it.at),
  direction: oneOf(
    directions,
    'Whether a partner sent a request, or the service sent an event.',
    (it) => it.direction,
  ),
  operation: textOrNull('Operation id from the contract, or `delivery`.', (it) => it.operation),
  method: text('Method of the request.', (it) => it.method),
  path: text('Path with its query; for a delivery, the URL.', (it) =>
    maskText(maskParameters(it.path)),
  ),
  headers: textsByName('Request headers.', (it) => maskHeaders(it.request)),
  body: text('Body of the request, up to 64 kB, without secrets and IBANs.', (it) =>
    maskBody(it.request),
  ),
  status: countOrNull('Status of the answer; null if there was no answer.', (it) => it.status),
  response_headers: textsByName('Headers of the answer.', (it) => maskHeaders(it.response)),
  response_body: text('Body of the answer, shortened and masked like `body`.', (it) =>
    maskBody(it.response),
  ),
  code: textOrNull('Problem code, or the reason why a delivery failed.', (it) => it.code),
  client_id: idOrNull('Client that sent the request.', (it) => it.clientId),
  organization_id: idOrNull(
    'Id of the organization to which the client or receiver belongs.',
    (it) => it.organizationId,
  ),
  request_id: textOrNull('`X-Request-Id` of the answer.', (it) => it.requestId),
  webhook_endpoint_id: idOrNull('Receiver of the delivery.', (it) => it.webhookEndpointId),
  duration_ms: count('Duration of the exchange, in milliseconds.', (it) => it.durationMs),
  fault: idOrNull('Fault that affected the exchange.', (it) => it.faultId),
  contract: nested(
    contractVerdict,
    'Whether the exchange matches the published contract.',
    (it) => it.contract,
  ),
})
export type ExchangeRow = Rendered<typeof exchange>

const times = count('Number of times that your tests covered this entry.')

export const benchCoverage = plain('Bench coverage', {
  percentage: number('Percentage of answers, events and outcomes that were covered.'),
  met: count('Number of covered answers, events and outcomes.'),
  total: count('Number of all answers, events and outcomes.'),
  answers: listOf(
    plain('Covered answer', {
      operation: text('Operation id from the contract.'),
      status: count('Status of the answer.'),
      code: textOrNull('Problem code; null if there is none.'),
      times,
    }),
    'Documented answers.',
  ),
  events: listOf(plain('Covered event', { type: text('Event type.'), times }), 'Types of events.'),
  deliveries: listOf(
    plain('Covered outcome', {
      outcome: text('`delivered`, or why the attempt failed.'),
      times,
    }),
    'Delivery outcomes.',
  ),
})
export type CoverageReport = Rendered<typeof benchCoverage>

/** In any spelling, because a partner may misspell a name and send the right secret. */
const secret = '(?:(?:access|refresh|id)[-_]?token|(?:client|signing)[-_]?secret|password)'
/** A body that was cut off may end in the value. */
const secretFields = new RegExp(`"(${secret})"(\\s*):(\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'gis')
const secretParameters = new RegExp(`\\b(${secret})=[^&\\s]*`, 'gi')
const secretName = new RegExp(`^${secret}$`, 'i')
const secretHeader = /authorization|cookie|token|secret|password|api-?key/i
/** The beginning of an Authorization header that may be shown. Whatever does not have this form may be a secret. */
const scheme = /^(?:basic|bearer) /i
/** Without a limit for the first part, a body full of `eyJ` would take seconds. */
const accessTokens = /\beyJ[\w-]{1,200}\.[\w-]+\.[\w-]+/g
/** IBANs, with or without the spaces that people write. */
// JSON writes a tab or a line break as two characters.
const between = `(?:${spacing}|\\\\[tnr])`
const allBetween = new RegExp(between, 'g')
const ibans = new RegExp(
  `\\b[A-Z]{2}${between}{0,2}\\d${between}{0,2}\\d(?:${between}{0,2}[A-Z0-9]){11,30}\\b`,
  'gi',
)
const hidden = '***'

function maskHeaders({ headers }: Message): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)]),
  )
}

function maskHeader(name: string, value: string): string {
  if (name === 'authorization') return `${scheme.exec(value)?.[0] ?? ''}${hidden}`
  if (secretHeader.test(name)) return hidden
  // A random key can look like an IBAN, and tests compare it.
  return name === 'idempotency-key' ? value : maskText(value)
}

function maskBody({ body }: Message): string {
  const plain = body.replaceAll(escaped, (found, code) =>
    code === undefined ? found : String.fromCharCode(Number.parseInt(code, 16)),
  )
  const masked = maskText(maskParameters(plain.replaceAll(secretFields, `"$1"$2:$3"${hidden}"`)))
  return masked === plain ? body : masked
}

/** A backslash in JSON and what belongs to it. Captures the code of a space, a digit, a letter or an underscore. */
const escaped =
  /\\(?:u(00(?:20|a0|3\d|[46][1-9a-f]|[57][0-9a]|5f)|1680|20(?:0[0-9ab]|2[89f]|5f|60)|3000|feff)|.)/gis

function maskParameters(text: string): string {
  const masked = text.replaceAll(secretParameters, `$1=${hidden}`)
  return masked.replaceAll(encodedParameters, (parameter, name) => {
    if (!/[%+]/.test(parameter)) return parameter
    const [[decodedName, value] = ['', '']] = new URLSearchParams(parameter)
    const isHidden = secretName.test(decodedName) || maskText(value) !== value
    return isHidden ? `${name}=${hidden}` : parameter
  })
}

const encodedParameters = /(?<![^?&\s])([^?&=\s]+)=[^&\s]*/g

function maskText(text: string): string {
  return text
    .replaceAll(accessTokens, hidden)
    .replaceAll(ibans, (iban) => maskIban(iban.replaceAll(allBetween, '')))
}
