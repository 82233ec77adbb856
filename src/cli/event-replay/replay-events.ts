import type { Output } from '../../operations/operations.ts'
import type { Connection } from '../connection.ts'
import {
  type MissingEvent,
  planReplay,
  type ReplayedEvent,
  type ReplaySelection,
} from './plan-replay.ts'
import { replayPlanned } from './replay-planned.ts'

export type EventCounts = Output<'event.count'>

export interface ReplayReport {
  readonly events: readonly ReplayedEvent[]
  readonly missing: readonly MissingEvent[]
  /** Of the organisation, when one was asked for, else of all. */
  readonly before: EventCounts
  /** Of a dry run, as it would be. */
  readonly after: EventCounts
}

export interface ReplayRequest extends ReplaySelection {
  readonly dryRun: boolean
}

export async function replayEvents(
  service: Connection,
  { dryRun, ...selection }: ReplayRequest,
): Promise<ReplayReport> {
  const { organization, dead, mail } = selection.filter
  const { events: planned, missing } = await planReplay(service, selection)
  const before = await service.call('event.count', { organization })
  const events = dryRun ? planned : await replayPlanned(service, planned, { dead, mail })
  const after = dryRun
    ? countsAfter(before, planned)
    : await service.call('event.count', { organization })
  return { events, missing, before, after }
}

function countsAfter(before: EventCounts, planned: readonly ReplayedEvent[]): EventCounts {
  const counts = { ...before }
  for (const { state, state_after } of planned) {
    counts[state] -= 1
    counts[state_after] += 1
  }
  return counts
}
