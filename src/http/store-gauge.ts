import { setTimeout } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { ReadableRecords, Store } from '../ports/store.ts'

/** Scrapers time out after 10 s, for all metrics together. */
const patienceMs = 2000
/** Counting slows down as the store grows, so it rests for a hundred times its own duration. */
const restFactor = 100
const longestKeptMs = 15_000

export interface StoreGauge<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  readonly read: (records: ReadableRecords) => Promise<readonly LabelledValue<Label>[]>
}

export interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/**
 * A gauge of the store that is at most 15 s old. If the store does not answer, it has no values,
 * and the metrics of the outage are still served.
 */
export function registerStoreGauge<Label extends string>(
  registry: Registry,
  store: Store,
  { read, name, help, labelNames }: StoreGauge<Label>,
): void {
  const readValues = kept(() => store.read(read))
  const readWhereReady = async () => ((await store.health()).ready ? readValues() : undefined)
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const values = await inTime(readWhereReady())
      this.reset()
      for (const { labels, value } of values ?? []) this.set(labels, value)
    },
  })
}

/** Concurrent and subsequent scrapes share one reading. */
export function kept<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<Answer> | undefined
  let untilMs = 0
  return () => {
    const begunMs = performance.now()
    if (last && begunMs < untilMs) return last
    const reading = read()
    last = reading
    untilMs = Number.POSITIVE_INFINITY
    const keep = (times: number) => {
      const endedMs = performance.now()
      untilMs = endedMs + Math.min(times * (endedMs - begunMs), longestKeptMs)
    }
    reading.then(
      () => keep(restFactor),
      () => keep(0),
    )
    return reading
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const timer = new AbortController()
  const late = setTimeout(patienceMs, undefined, { signal: timer.signal })
  try {
    return await Promise.race([answer, late])
  } catch {
    // The log of failed requests has the reason.
    return undefined
  } finally {
    timer.abort()
  }
}
