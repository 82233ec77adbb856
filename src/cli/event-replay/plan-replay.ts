import type { Input, Output } from '../../operations/operations.ts'
import type { Connection } from '../connection.ts'
import { distinctIds, type Failed, isFailed, type Tried, tryEach } from '../try-each.ts'

export type ReplayFilter = Omit<Input<'event.replay'>, 'event_id' | 'dry_run'>
export type ReplayedEvent = Output<'event.replay'>[number]

export interface ReplaySelection {
  readonly ids: readonly string[]
  readonly filter: ReplayFilter
}

export interface ReplayPlan {
  /** With how many deliveries of each would begin a new round; nothing has been changed. */
  readonly events: readonly ReplayedEvent[]
  /** Ids that there is no event for. */
  readonly missing: readonly Failed[]
}

/** By ids, each on its own, or by filter. */
export async function planReplay(
  service: Connection,
  { ids, filter }: ReplaySelection,
): Promise<ReplayPlan> {
  if (ids.length === 0) {
    return { events: await service.call('event.replay', { ...filter, dry_run: true }), missing: [] }
  }
  const { dead, mail } = filter
  const act = (event_id: string) =>
    service.call('event.replay', { event_id, dead, mail, dry_run: true })
  const tried = await tryEach(distinctIds(ids), { act })
  return { events: tried.flatMap(eventsOf), missing: tried.filter(isFailed) }
}

function eventsOf({ outcome }: Tried<readonly ReplayedEvent[]>): readonly ReplayedEvent[] {
  return 'result' in outcome ? outcome.result : []
}
