import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import type { Output } from '../../operations/operations.ts'
import type { Connection } from '../connection.ts'
import type { Cursor } from './cursor.ts'

export type FollowedEvent = Output<'event.follow'>[number]

export interface Following {
  /** Called for each request, because a restarted service has another address and token. */
  readonly findService: () => Promise<Connection>
  readonly cursor: Cursor
  readonly signal: AbortSignal
  readonly onAway: (reason: string) => void
  /** The last event no longer exists, so the events since its time follow. */
  readonly onPurged: (eventId: string, since: string) => void
}

const betweenLooksMs = 400

/** Never ends by itself: it waits for new events, and for a service that is away. */
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
    if (events.length === 0) await pause(betweenLooksMs, signal)
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
    following.onAway(reasonToWait(error))
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

/** A refusal is final; anything else may pass. */
function reasonToWait(error: unknown): string {
  if (error instanceof Problem && error.code !== 'SERVICE_UNAVAILABLE') throw error
  return error instanceof Error ? error.message : String(error)
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
