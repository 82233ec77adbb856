import { Problem } from '../../domain/problem.ts'
import type { Output } from '../../operations/operations.ts'
import type { Connection } from '../connection.ts'
import type { Failed } from '../try-each.ts'
import { planReplay, type ReplayedEvent, type ReplaySelection } from './plan-replay.ts'
import { replayPlanned } from './replay-planned.ts'

export type EventCounts = Output<'event.count'>

export interface ReplayReport {
  readonly events: readonly ReplayedEvent[]
  /** Ids that there is no event for, and what was not reached or refused. */
  readonly failed: readonly Failed[]
  /** Of the organisation, when one was asked for, else of all. */
  readonly before: EventCounts
  /** Of a dry run, as it would be; null when nobody could be asked any more. */
  readonly after: EventCounts | null
}

export interface ReplayRequest extends ReplaySelection {
  readonly dryRun: boolean
}

export async function replayEvents(
  service: Connection,
  { dryRun, ...selection }: ReplayRequest,
): Promise<ReplayReport> {
  const { organization } = selection.filter
  const { events: planned, missing } = await planReplay(service, selection)
  const before = await service.call('event.count', { organization })
  if (dryRun)
    return { events: planned, failed: missing, before, after: countsAfter(before, planned) }
  const { events, failed } = await replayPlanned(service, planned, selection.filter)
  const after = await countAgain(service, organization)
  return { events, failed: [...missing, ...failed], before, after }
}

/** What was replayed is to be told, also when the service has gone since. */
async function countAgain(
  service: Connection,
  organization: string | undefined,
): Promise<EventCounts | null> {
  try {
    return await service.call('event.count', { organization })
  } catch (error) {
    if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') return null
    throw error
  }
}

function countsAfter(before: EventCounts, planned: readonly ReplayedEvent[]): EventCounts {
  const counts = { ...before }
  for (const { state, state_after } of planned) {
    counts[state] -= 1
    counts[state_after] += 1
  }
  return counts
}
