import { Problem } from '../../domain/problem.ts'
import type { Output } from '../../operations/operations.ts'
import type { Connection } from '../connection.ts'
import type { Cursor } from './cursor.ts'
import { pause } from './pause.ts'

export type FollowedEvent = Output<'event.follow'>[number]

export interface Following {
  /** Looked for at each look: a service that is started again has another address and token. */
  readonly findService: () => Promise<Connection>
  readonly cursor: Cursor
  readonly signal: AbortSignal
  /** Why nothing comes at the moment. */
  readonly onAway: (reason: string) => void
}

const betweenLooksMs = 400

/** The events behind the cursor, and those to come. A service that is away for a while is waited for. */
export async function* followEvents(following: Following): AsyncGenerator<FollowedEvent> {
  const { cursor, signal } = following
  let after = cursor.after
  while (!signal.aborted) {
    const events = await look(following, after)
    for (const event of events) {
      yield event
      after = event.event_id
    }
    if (events.length === 0) await pause(betweenLooksMs, signal)
  }
}

async function look(following: Following, after: string | null): Promise<readonly FollowedEvent[]> {
  const { organization_id: organization, since } = following.cursor
  const input = { organization, since, ...(after !== null && { after }) }
  try {
    return await callOnce(following.findService, (service) => service.call('event.follow', input))
  } catch (error) {
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

/** Whatever the service refuses it will refuse again; anything else passes. */
function reasonToWait(error: unknown): string {
  if (error instanceof Problem && error.code !== 'SERVICE_UNAVAILABLE') throw error
  return error instanceof Error ? error.message : String(error)
}
