import { randomUUID } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { lockFile, openForwarder } from '../../open-service.ts'
import { evenOfOwnFault } from '../../usecases/webhooks/even-of-own-fault.ts'
import { sendSigned } from '../../usecases/webhooks/send-signed.ts'
import { type ConnectOptions, findRunningService } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { untilStopped } from '../serve/until-stopped.ts'
import { type Cursor, cursorPathOf, writeCursor } from './cursor.ts'
import { callOnce, type FollowedEvent, followEvents } from './follow-events.ts'
import { type ForwardAttempt, type Forwarding, forwardEvent } from './forward-event.ts'
import { type CursorToOpen, type OpenedCursor, openCursor } from './open-cursor.ts'

export interface Listening {
  readonly connect: ConnectOptions
  /** An id or an exact name. */
  readonly organization: string
  readonly forwardTo: string
  readonly since: string | undefined
  readonly cursorFile: string | undefined
}

export interface ListeningWithReports extends Listening {
  /** All of them when it is empty. */
  readonly types: readonly string[]
  readonly firstWaitMs: number
  readonly greet: (opened: OpenedCursor) => void
  readonly report: (attempt: ForwardAttempt) => void
  readonly tell: (message: string) => void
}

/** The cursor of an organisation and a receiver, with their signing secret. */
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

/** Forwards events, one after the other, until the process is told to stop. */
export async function listenToEvents(listening: ListeningWithReports): Promise<void> {
  const stopping = new AbortController()
  void untilStopped().then(() => stopping.abort())
  const place = await placeCursor(listening)
  const lock = await lockCursor(place)
  try {
    const opened = await openCursor(place)
    listening.greet(opened)
    await forwardAll(listening, opened, stopping.signal)
  } finally {
    await lock.release()
  }
}

/** Two that go on from one cursor would both send each event. */
function lockCursor({ path, forwardTo }: CursorToOpen) {
  const subject = `The cursor of the listener for ${forwardTo}`
  return lockFile({ path: `${path}.lock`, subject, code: 'LISTENER_RUNNING' })
}

async function forwardAll(
  listening: ListeningWithReports,
  { path, cursor }: OpenedCursor,
  signal: AbortSignal,
): Promise<void> {
  const { connect, types, report, firstWaitMs, tell } = listening
  const forwarding = { send: sender(cursor, signal), report, firstWaitMs, signal }
  const onAway = tellOnce(tell)
  const onPurged = (eventId: string, since: string) =>
    tell(`Event ${eventId} has been purged. Going on with the events since ${since}.`)
  const following = { findService: findOrFail(connect), cursor, signal, onAway, onPurged }
  const events = followEvents(following)
  for await (const event of events) {
    if (!(await isDoneWith(event, types, forwarding))) return
    await writeCursor(path, {
      ...cursor,
      after: event.event_id,
      since: event.created_at,
    })
  }
}

async function isDoneWith(
  event: FollowedEvent,
  types: readonly string[],
  forwarding: Forwarding,
): Promise<boolean> {
  const isWanted = types.length === 0 || types.includes(event.type)
  return !isWanted || forwardEvent(event, forwarding)
}

function sender(
  { forward_to: url, signing_secret: secret }: Cursor,
  signal: AbortSignal,
): Forwarding['send'] {
  const forwarder = openForwarder()
  return ({ type, body }) =>
    evenOfOwnFault(
      sendSigned(forwarder, { url, secret, type, body, attemptId: randomUUID(), signal }),
    )
}

/** A connection from before the machine was asleep may never answer. */
const timeoutMs = 5000

function findOrFail(connect: ConnectOptions): () => Promise<Connection> {
  return async () => {
    const service = await findRunningService({ ...connect, timeoutMs })
    if (service) return service
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `No service runs on ${connect.config.dataDirectory}. Start one with \`coopshare serve\`, or name one elsewhere with --operator-url.`,
    )
  }
}

/** The same reason again and again is no news. */
function tellOnce(tell: (message: string) => void): (reason: string) => void {
  let told: string | undefined
  return (reason) => {
    if (reason !== told) tell(`Waiting for the service: ${reason}`)
    told = reason
  }
}
