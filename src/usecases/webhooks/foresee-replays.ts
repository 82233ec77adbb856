import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { foreseeReplay, type ReplayedEvent, type ReplayTerms } from './foresee-replay.ts'
import { readEventDeliveries } from './read-event-deliveries.ts'

/** What a replay of each would do, in as many questions as for one. */
export async function foreseeReplays(
  records: ReadableRecords,
  events: readonly Event[],
  terms: Omit<ReplayTerms, 'receivers'>,
): Promise<readonly ReplayedEvent[]> {
  const [found, endpoints] = await Promise.all([
    readEventDeliveries(records, events),
    records.webhookEndpoints.list(),
  ])
  const receivers = new Set(endpoints.map(({ webhookEndpointId }) => webhookEndpointId))
  return found.map((one) => foreseeReplay(one, { ...terms, receivers }).outcome)
}
