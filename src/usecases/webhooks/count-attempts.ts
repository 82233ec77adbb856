import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readDeliveries } from './read-deliveries.ts'

/** To webhooks, in all rounds. */
export async function countAttempts(records: ReadableRecords, event: Event): Promise<number> {
  const deliveries = await readDeliveries(records, event)
  return deliveries
    .filter(({ target }) => target.kind === 'webhook')
    .reduce((sum, { attempts }) => sum + attempts.length, 0)
}
