import type { Connection } from '../connection.ts'
import { startProgress } from '../progress.ts'
import { type Failed, isFailed, type Tried, tryEach } from '../try-each.ts'
import type { ReplayedEvent, ReplayFilter } from './plan-replay.ts'

/** Only the deliveries that are dead, or of them only the mail. */
export type ReplayOptions = Pick<ReplayFilter, 'dead' | 'mail'>

export interface Replayed {
  /** With what the plan leaves alone. */
  readonly events: readonly ReplayedEvent[]
  /** What was planned, and then refused or not reached. */
  readonly failed: readonly Failed[]
}

/**
 * Orders side by side; of one order the earlier event first, so that it also goes out first, and none behind one that
 * failed. What the plan leaves alone is left alone, whatever has become of it since: it would go beyond the limit of the
 * plan.
 */
export async function replayPlanned(
  service: Connection,
  planned: readonly ReplayedEvent[],
  { dead, mail }: ReplayOptions,
): Promise<Replayed> {
  const replayed = new Map<string, ReplayedEvent>()
  const byOrder = groupByOrder(planned.filter(isWanted))
  const bar = await startProgress(planned.filter(isWanted).length)
  const act = async (order: string) => {
    for (const { event_id } of byOrder.get(order) ?? []) {
      for (const event of await service.call('event.replay', { event_id, dead, mail })) {
        replayed.set(event_id, event)
      }
      bar?.increment()
    }
  }
  try {
    const tried = await tryEach([...byOrder.keys()], { act, throughOutages: true })
    return collect(planned, replayed, tried)
  } finally {
    bar?.stop()
  }
}

function collect(
  planned: readonly ReplayedEvent[],
  replayed: ReadonlyMap<string, ReplayedEvent>,
  tried: readonly Tried<unknown>[],
): Replayed {
  const outcomes = new Map(tried.filter(isFailed).map(({ id, outcome }) => [id, outcome]))
  const failed = planned.flatMap((event) => {
    const outcome = outcomes.get(event.share_purchase_id)
    const isDone = !isWanted(event) || replayed.has(event.event_id)
    return isDone || !outcome ? [] : [{ id: event.event_id, outcome }]
  })
  const failedIds = new Set(failed.map(({ id }) => id))
  const told = planned.filter(({ event_id }) => !failedIds.has(event_id))
  return { events: told.map((event) => replayed.get(event.event_id) ?? event), failed }
}

function isWanted({ replayed }: ReplayedEvent): boolean {
  return replayed > 0
}

function groupByOrder(events: readonly ReplayedEvent[]): Map<string, ReplayedEvent[]> {
  const byOrder = new Map<string, ReplayedEvent[]>()
  for (const event of events.toSorted(byTime)) {
    const group = byOrder.get(event.share_purchase_id)
    if (group) group.push(event)
    else byOrder.set(event.share_purchase_id, [event])
  }
  return byOrder
}

function byTime(left: ReplayedEvent, right: ReplayedEvent): number {
  return left.created_at < right.created_at ? -1 : left.created_at > right.created_at ? 1 : 0
}
