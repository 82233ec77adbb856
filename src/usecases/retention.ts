import { addSeconds, type Timestamp } from '../domain/timestamp.ts'
import { finishedAtOf } from '../domain/webhooks/event.ts'
import type { Logger } from '../ports/logger.ts'
import type { Records } from '../ports/store.ts'
import { subjects } from '../ports/subjects.ts'
import type { Service } from './service.ts'
import {
  addCounts,
  countPurged,
  type PurgedEvents,
  removeEvent,
  rereadEvents,
} from './webhooks/purge-events.ts'
import type { EventWithDeliveries } from './webhooks/read-events.ts'

export const purgedKinds = ['events', 'deliveries', 'idempotency_records'] as const
export type PurgedKind = (typeof purgedKinds)[number]

export interface RetentionOptions {
  /** How long a finished event is kept; 0 keeps it for ever. */
  readonly eventSeconds: number
  readonly logger: Logger
  readonly observe?: ((kind: PurgedKind, count: number) => void) | undefined
  /** Lets other work run between two batches. */
  readonly pause?: (() => Promise<unknown>) | undefined
}

/** The maximum number of records in one write, so that it takes only a few milliseconds. */
const batchSize = 100
const nothing: PurgedEvents = { events: 0, deliveries: 0 }

/**
 * Removes expired records when its caller says so, because it has no timer. Several instances may run it at the same time.
 */
export class Retention {
  readonly #service: Service
  readonly #options: RetentionOptions
  #isStopped = false

  constructor(service: Service, options: RetentionOptions) {
    this.#service = service
    this.#options = options
  }

  /** Stops after the current batch. */
  stop(): void {
    this.#isStopped = true
  }

  /** Removes expired Idempotency-Keys. */
  async purgeKeys(): Promise<void> {
    const { store, clock } = this.#service
    const now = clock.now()
    let purged = 0
    await this.#inBatches(async () => {
      const count = await store.write(
        subjects.all('idempotencyRecords'),
        ({ idempotencyRecords }) => idempotencyRecords.purgeExpired(now, batchSize),
      )
      purged += count
      return count
    })
    this.#report({ idempotency_records: purged })
  }

  /** Removes events whose retention time has passed, with their deliveries. Pending and dead events stay. */
  async purgeEvents(): Promise<void> {
    const { eventSeconds } = this.#options
    const { store, clock } = this.#service
    if (eventSeconds === 0) return
    const now = clock.now()
    const until = addSeconds(now, -eventSeconds)
    let purged = nothing
    await this.#inBatches(async () => {
      const found = await store.read(({ events }) =>
        events.listRetained({ until, limit: batchSize }),
      )
      if (found.length === 0) return 0
      const gone = await store.write(subjects.all('events'), async (records) =>
        purgeOrRetain(records, await rereadEvents(records, found), { now, until }),
      )
      purged = addCounts(purged, countPurged(gone))
      return found.length
    })
    this.#report({ ...purged })
  }

  async #inBatches(doBatch: () => Promise<number>): Promise<void> {
    while (!this.#isStopped) {
      const count = await doBatch()
      if (count < batchSize) return
      await this.#options.pause?.()
    }
  }

  #report(counts: Partial<Record<PurgedKind, number>>): void {
    const { observe, logger } = this.#options
    for (const kind of purgedKinds) observe?.(kind, counts[kind] ?? 0)
    if (Object.values(counts).some((count) => count > 0)) logger.info(counts, 'purged')
  }
}

interface Moment {
  readonly now: Timestamp
  readonly until: Timestamp
}

/**
 * Removes expired events and restarts the retention time of the others. Returns the removed
 * events.
 */
async function purgeOrRetain(
  records: Records,
  stories: readonly EventWithDeliveries[],
  { now, until }: Moment,
): Promise<readonly EventWithDeliveries[]> {
  const gone: EventWithDeliveries[] = []
  for (const story of stories) {
    const finishedAt = finishedAtOf(story.event, story.deliveries)
    if (finishedAt !== undefined && finishedAt < until) {
      await removeEvent(records, story)
      gone.push(story)
    } else {
      await records.events.put({ ...story.event, retainedFrom: finishedAt ?? now })
    }
  }
  return gone
}
