import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Infer, is, nullable, object, string } from 'superstruct'
import type { Connection } from '../../cli/connection.ts'
import { Problem } from '../../domain/problem.ts'
import {
  makePrivateDirectory,
  writeFileDurably,
  writeFirstFileDurably,
} from '../../machine/durable-files.ts'
import type { Output } from '../../operations/operations.ts'
import { text, timestamp } from '../../wire/fields.ts'

const cursor = object({
  organization_id: string(),
  forward_to: string(),
  signing_secret: text(),
  /** Id of the last event that was delivered or dropped. */
  after: nullable(string()),
  /** Time of that event, in case it has been purged; the start time if there is no event yet. */
  since: timestamp(),
})

/** A listener resumes at its cursor, with the secret that the receiver already knows. */
export type Cursor = Infer<typeof cursor>

/** Each organization and receiver has a separate cursor. */
export function cursorPathOf(
  dataDirectory: string,
  { organization_id, forward_to }: Pick<Cursor, 'organization_id' | 'forward_to'>,
): string {
  const name = createHash('sha256').update(`${organization_id} ${forward_to}`).digest('hex')
  return join(dataDirectory, 'listen', `${name.slice(0, 32)}.json`)
}

async function readCursor(path: string): Promise<Cursor | undefined> {
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (is(json, cursor)) return json
    throw damaged(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error instanceof SyntaxError ? damaged(path) : error
  }
}

/** Only the owner may read the file, because it contains the signing secret. */
export async function writeCursor(path: string, kept: Cursor): Promise<void> {
  await writeFileDurably(path, render(kept), `${path}.${process.pid}`)
}

function render(cursor: Cursor): string {
  return `${JSON.stringify(cursor, undefined, 2)}\n`
}

function damaged(path: string): Problem {
  return new Problem(
    'VALIDATION_ERROR',
    `${path} is not a cursor file of \`listen\`. Remove it to start again with a new signing secret.`,
  )
}

export interface CursorToOpen {
  readonly path: string
  readonly organizationId: string
  readonly forwardTo: string
  /** Starts again at this time. */
  readonly since: string | undefined
  /** A new cursor starts at this time. */
  readonly now: string
}

export interface OpenedCursor {
  readonly path: string
  readonly cursor: Cursor
}

export async function openCursor(wanted: CursorToOpen): Promise<OpenedCursor> {
  const { path, organizationId: organization_id, forwardTo: forward_to, since } = wanted
  const kept = await readCursor(path)
  if (kept && kept.organization_id !== organization_id) {
    throw new Problem(
      'VALIDATION_ERROR',
      `${path} is the cursor of organization ${kept.organization_id}. Give another file.`,
    )
  }
  const cursor = {
    organization_id,
    forward_to,
    signing_secret: kept?.signing_secret ?? `whsec_${randomBytes(32).toString('base64url')}`,
    after: since === undefined ? (kept?.after ?? null) : null,
    since: since ?? kept?.since ?? wanted.now,
  }
  if (!kept) {
    await makePrivateDirectory(dirname(path))
    const isFirst = await writeFirstFileDurably(path, render(cursor), `${path}.${randomUUID()}`)
    // Another listener, or --print-secret, which takes no lock, may have created the file meanwhile.
    return isFirst ? { path, cursor } : openCursor(wanted)
  }
  // Written only for --since: a running listener may have written a later position meanwhile.
  if (since !== undefined) await writeCursor(path, cursor)
  return { path, cursor }
}

export type FollowedEvent = Output<'event.follow'>[number]

interface Following {
  /** Called for each request, because a restarted service has another address and token. */
  readonly findService: () => Promise<Connection>
  readonly cursor: Cursor
  readonly signal: AbortSignal
  readonly onAway: (reason: string) => void
  /** Called if the last event has been purged. The events since its time follow. */
  readonly onPurged: (eventId: string, since: string) => void
}

const pollIntervalMs = 400

/** Never ends: it waits for new events, and for a service that does not answer. */
export async function* followEvents(following: Following): AsyncGenerator<FollowedEvent> {
  const { signal } = following
  let place: Place = following.cursor
  while (!signal.aborted) {
    const events = await look(following, place)
    if (events === 'purged') {
      following.onPurged(`${place.after}`, place.since)
      place = { ...place, after: null }
      continue
    }
    for (const event of events) {
      yield event
      place = { after: event.event_id, since: event.created_at }
    }
    if (events.length === 0) await pause(pollIntervalMs, signal)
  }
}

type Place = Pick<Cursor, 'after' | 'since'>

async function look(
  following: Following,
  { after, since }: Place,
): Promise<readonly FollowedEvent[] | 'purged'> {
  const { organization_id: organization } = following.cursor
  const input = { organization, since, ...(after !== null && { after }) }
  try {
    return await callOnce(following.findService, (service) => service.call('event.follow', input))
  } catch (error) {
    if (after !== null && error instanceof Problem && error.code === 'EVENT_NOT_FOUND') {
      return 'purged'
    }
    // A refusal is final; any other error may be temporary.
    if (error instanceof Problem && error.code !== 'SERVICE_UNAVAILABLE') throw error
    following.onAway(error instanceof Error ? error.message : String(error))
    return []
  }
}

export async function callOnce<Result>(
  findService: () => Promise<Connection>,
  call: (service: Connection) => Promise<Result>,
): Promise<Result> {
  const service = await findService()
  try {
    return await call(service)
  } finally {
    await service.close()
  }
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
