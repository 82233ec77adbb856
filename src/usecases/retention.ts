import { addSeconds, type Timestamp } from '../domain/timestamp.ts'
import { finishedAtOf } from '../domain/webhooks/retention.ts'
import type { Logger } from '../ports/logger.ts'
import type { Records } from '../ports/store.ts'
import type { Service } from './service.ts'
import {
  add,
  countOf,
  type EventStory,
  findStories,
  type PurgedEvents,
  removeStory,
} from './webhooks/purge-events.ts'

export const purgedKinds = ['events', 'deliveries', 'idempotency_records'] as const
export type PurgedKind = (typeof purgedKinds)[number]

export interface RetentionOptions {
  /** How long an event is kept after it has finished; 0 keeps it for ever. */
  readonly eventSeconds: number
  readonly logger: Logger
  readonly observe?: ((kind: PurgedKind, count: number) => void) | undefined
  /** Others have their turn between two batches. */
  readonly pause?: (() => Promise<unknown>) | undefined
}

/** So many in one write: it is over within few milliseconds. */
const batchSize = 100
const nothing: PurgedEvents = { events: 0, deliveries: 0 }

/** Removes what is old. It has no timer: whoever runs it says when. Several instances may do so at once. */
export class Retention {
  readonly #service: Service
  readonly #options: RetentionOptions
  #isStopped = false

  constructor(service: Service, options: RetentionOptions) {
    this.#service = service
    this.#options = options
  }

  /** Ends after the batch that is under way. */
  stop(): void {
    this.#isStopped = true
  }

  /** Idempotency-Keys that have expired. */
  async purgeKeys(): Promise<void> {
    const { store, clock } = this.#service
    const now = clock.now()
    let purged = 0
    await this.#inBatches(async () => {
      const count = await store.write('retention', ({ idempotencyRecords }) =>
        idempotencyRecords.purgeExpired(now, batchSize),
      )
      purged += count
      return count
    })
    this.#report({ idempotency_records: purged })
  }

  /** Events that finished long enough ago, with their deliveries. What is dead or on its way stays. */
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
      const gone = await store.write('retention', async (records) =>
        sortOut(records, await findStories(records, found), { now, until }),
      )
      purged = add(purged, countOf(gone))
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

/** What has to stay is not looked at again before it could go. Returns what goes. */
async function sortOut(
  records: Records,
  stories: readonly EventStory[],
  { now, until }: Moment,
): Promise<readonly EventStory[]> {
  const gone: EventStory[] = []
  for (const story of stories) {
    const finishedAt = finishedAtOf(story.event, story.deliveries)
    if (finishedAt !== undefined && finishedAt < until) {
      await removeStory(records, story)
      gone.push(story)
    } else {
      await records.events.put({ ...story.event, retainedFrom: finishedAt ?? now })
    }
  }
  return gone
}
