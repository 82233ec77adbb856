import type { Connection } from '../connection.ts'
import { startProgress } from '../progress.ts'
import { tryEach } from '../try-each.ts'
import type { ReplayedEvent, ReplayFilter } from './plan-replay.ts'

/** Only the deliveries that are dead, or of them only the mail. */
export type ReplayOptions = Pick<ReplayFilter, 'dead' | 'mail'>

/**
 * Orders side by side; of one order the earlier event first, so that it also goes out first. What the plan leaves alone
 * is left alone, whatever has become of it since: it would go beyond the limit of the plan.
 */
export async function replayPlanned(
  service: Connection,
  events: readonly ReplayedEvent[],
  which: ReplayOptions,
): Promise<ReplayedEvent[]> {
  const replayed = new Map<string, ReplayedEvent>()
  const wanted = events.filter((event) => event.replayed > 0)
  const byOrder = groupByOrder(wanted)
  const bar = await startProgress(wanted.length)
  const act = async (order: string) => {
    for (const { event_id } of byOrder.get(order) ?? []) {
      for (const event of await service.call('event.replay', { event_id, ...which })) {
        replayed.set(event_id, event)
      }
      bar?.increment()
    }
  }
  try {
    await tryEach([...byOrder.keys()], { act })
  } finally {
    bar?.stop()
  }
  return events.map((event) => replayed.get(event.event_id) ?? event)
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
