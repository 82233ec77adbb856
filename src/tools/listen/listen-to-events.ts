import { randomUUID } from 'node:crypto'
import { type ConnectOptions, findRunningService } from '../../cli/connect.ts'
import type { Connection } from '../../cli/connection.ts'
import { waitForStopSignal } from '../../cli/stop-signal.ts'
import { Problem } from '../../domain/problem.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { lockFile, openForwarder } from '../../open-service.ts'
import { eventFields } from '../../operations/events.ts'
import { outcomeFields } from '../../operations/webhooks.ts'
import { localFaultAsOutcome, sendSigned } from '../../usecases/webhooks/send-webhook.ts'
import {
  count,
  countOrNull,
  field,
  fieldsOf,
  id,
  idOrNull,
  instant,
  plain,
  schemasOf,
  text,
  view,
} from '../../wire/view.ts'
import {
  type CursorToOpen,
  callOnce,
  cursorPathOf,
  type FollowedEvent,
  followEvents,
  type OpenedCursor,
  openCursor,
  pause,
  writeCursor,
} from './follow-events.ts'

export interface Listening {
  readonly connect: ConnectOptions
  /** Id or exact name. */
  readonly organization: string
  readonly forwardTo: string
  readonly since: string | undefined
  readonly cursorFile: string | undefined
}

interface ListeningWithReports extends Listening {
  /** Empty for all types. */
  readonly types: readonly string[]
  readonly firstWaitMs: number
  readonly greet: (opened: OpenedCursor) => void
  readonly report: (attempt: ForwardAttempt) => void
  readonly tell: (message: string) => void
}

export async function openListening(listening: Listening): Promise<OpenedCursor> {
  return openCursor(await placeCursor(listening))
}

async function placeCursor(listening: Listening): Promise<CursorToOpen> {
  const { connect, organization, forwardTo, since, cursorFile } = listening
  const begin = await callOnce(findOrFail(connect), (service) =>
    service.call('event.follow_from_now', { organization }),
  )
  const { organization_id } = begin
  const usual = { organization_id, forward_to: forwardTo }
  const path = cursorFile ?? cursorPathOf(connect.config.dataDirectory, usual)
  return { path, organizationId: organization_id, forwardTo, since, now: begin.since }
}

/** Runs until the process gets a signal. */
export async function listenToEvents(listening: ListeningWithReports): Promise<void> {
  const stopping = new AbortController()
  void waitForStopSignal().then(() => stopping.abort())
  const place = await placeCursor(listening)
  // Two listeners with one cursor would both send each event.
  const lock = await lockFile({
    path: `${place.path}.lock`,
    subject: `The cursor of the listener for ${place.forwardTo}`,
    code: 'LISTENER_RUNNING',
  })
  try {
    const opened = await openCursor(place)
    listening.greet(opened)
    await forwardAll(listening, opened, stopping.signal)
  } finally {
    await lock.release()
  }
}

async function forwardAll(
  listening: ListeningWithReports,
  { path, cursor }: OpenedCursor,
  signal: AbortSignal,
): Promise<void> {
  const { connect, types, report, firstWaitMs, tell } = listening
  const { forward_to: url, signing_secret: secret } = cursor
  const forwarder = openForwarder()
  const send: Forwarding['send'] = ({ type, body }) =>
    localFaultAsOutcome(
      sendSigned(forwarder, { url, secret, type, body, attemptId: randomUUID(), signal }),
    )
  const forwarding = { send, report, firstWaitMs, signal }
  let lastReason: string | undefined
  const onAway = (reason: string) => {
    if (reason !== lastReason) tell(`Waiting for the service: ${reason}`)
    lastReason = reason
  }
  const onPurged = (eventId: string, since: string) =>
    tell(`Event ${eventId} has been purged. Continuing with the events since ${since}.`)
  const following = { findService: findOrFail(connect), cursor, signal, onAway, onPurged }
  for await (const event of followEvents(following)) {
    const isWanted = types.length === 0 || types.includes(event.type)
    if (isWanted && !(await forwardEvent(event, forwarding))) return
    await writeCursor(path, { ...cursor, after: event.event_id, since: event.created_at })
  }
}

/** Without this limit, a connection from before the machine was suspended might never answer. */
const timeoutMs = 5000

function findOrFail(connect: ConnectOptions): () => Promise<Connection> {
  return async () => {
    const service = await findRunningService({ ...connect, timeoutMs })
    if (service) return service
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `No service is running on ${connect.config.dataDirectory}. Start one with \`coopshare serve\`, or give the address of another service with --operator-url.`,
    )
  }
}

export function describeStart({ path, cursor }: OpenedCursor): string {
  const from =
    cursor.after === null ? `the events since ${cursor.since}` : `the events after ${cursor.after}`
  return [
    `Forwarding to   ${cursor.forward_to}`,
    `Signing secret  ${cursor.signing_secret}`,
    `Cursor          ${path}`,
    `Starts with     ${from}`,
  ].join('\n')
}

export const listener = view<OpenedCursor>()('Listener', {
  organization_id: id(
    'Organization whose events are forwarded.',
    (it) => it.cursor.organization_id,
  ),
  forward_to: text('URL of the receiver.', (it) => it.cursor.forward_to),
  signing_secret: text('Signing secret that `listen` uses.', (it) => it.cursor.signing_secret),
  after: idOrNull('Last event that was forwarded.', (it) => it.cursor.after),
  since: instant('Events since this time are forwarded.', (it) => it.cursor.since),
  cursor_file: text('File with the position of the listener.', (it) => it.path),
})

export const signingSecret = plain('Signing secret', {
  signing_secret: text('Signing secret that `listen` uses.'),
})

export function describeAttempt(attempt: ForwardAttempt): string {
  const { type, share_purchase_id, event_id } = attempt.event
  return [type, share_purchase_id, event_id, describeOutcome(attempt)].join('  ')
}

function describeOutcome({ outcome, refusals, nextInMs }: ForwardAttempt): string {
  const { failure, status, detail, durationMs } = outcome
  if (failure === null) return `${status} in ${durationMs} ms`
  if (nextInMs === null) return `${detail} Dropped after ${refusals} attempts.`
  const again = `Next attempt in ${nextInMs / 1000} s`
  return status === null
    ? `${detail} ${again}, until the receiver answers.`
    : `${detail} Attempt ${refusals} of ${maximumRefusals}. ${again}.`
}

export interface Forwarding {
  /** May fail after `signal`: then the outcome is unknown. */
  readonly send: (event: FollowedEvent) => Promise<SendOutcome>
  /** Called for each attempt, but only once while a receiver does not answer. */
  readonly report: (attempt: ForwardAttempt) => void
  readonly firstWaitMs: number
  readonly signal: AbortSignal
}

interface ForwardAttempt {
  readonly event: FollowedEvent
  readonly outcome: SendOutcome
  readonly refusals: number
  /** null if there is no further attempt. */
  readonly nextInMs: number | null
}

const { event_id, type, share_purchase_id, created_at } = schemasOf(eventFields)
const { delivered, status, failure, detail, duration_ms } = outcomeFields
const outcome = { delivered, status, failure, detail, duration_ms }

export const forwardedEvent = view<ForwardAttempt>()('Forwarded event', {
  event_id: field(event_id, (it: ForwardAttempt) => it.event.event_id),
  type: field(type, (it: ForwardAttempt) => it.event.type),
  share_purchase_id: field(share_purchase_id, (it: ForwardAttempt) => it.event.share_purchase_id),
  created_at: field(created_at, (it: ForwardAttempt) => it.event.created_at),
  ...fieldsOf({ fields: outcome }, (it: ForwardAttempt) => it.outcome),
  refusals: count('Number of times that the receiver has refused this event.', (it) => it.refusals),
  next_attempt_in_ms: countOrNull(
    'Milliseconds until the next attempt, if there is one.',
    (it) => it.nextInMs,
  ),
})

/** spec: Delivery and retries, attempts. */
const maximumRefusals = 6
/** A developer who restarts the receiver does not want to wait long. */
const longestWaitMs = 5000

/**
 * Sends an event until the receiver accepts it or has refused it six times. Waits for a receiver that does not answer.
 * @returns false if `signal` came first
 */
async function forwardEvent(event: FollowedEvent, forwarding: Forwarding): Promise<boolean> {
  const { report, firstWaitMs, signal } = forwarding
  let refusals = 0
  let reportedDetail: string | null = null
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = longer(waitMs)) {
    const outcome = await sendUnlessEnded(event, forwarding)
    if (outcome === undefined) return false
    if (outcome.failure !== null && outcome.status !== null) refusals += 1
    const nextInMs = outcome.failure === null || refusals === maximumRefusals ? null : waitMs
    if (outcome.status !== null || outcome.detail !== reportedDetail) {
      report({ event, outcome, refusals, nextInMs })
    }
    if (nextInMs === null) return true
    reportedDetail = outcome.detail
    await pause(nextInMs, signal)
  }
  return false
}

/** Doubles the wait up to the longest wait. If the first wait is longer, it stays the same. */
function longer(waitMs: number): number {
  return Math.max(waitMs, Math.min(2 * waitMs, longestWaitMs))
}

/**
 * Returns undefined if `signal` came first. The next run then sends the event again, and the receiver recognizes it
 * by its id.
 */
async function sendUnlessEnded(
  event: FollowedEvent,
  { send, signal }: Pick<Forwarding, 'send' | 'signal'>,
): Promise<SendOutcome | undefined> {
  try {
    return await send(event)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
