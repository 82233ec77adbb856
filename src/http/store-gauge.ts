import { setTimeout } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { ReadableRecords, Store } from '../ports/store.ts'

/** Scrapers wait for 10 s at most, and for all metrics together. */
const patienceMs = 2000

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
 * A gauge of what is stored, read for each scrape. Without an answer of the store it has no values, and the metrics that
 * tell of the outage are still told.
 */
export function registerStoreGauge<Label extends string>(
  registry: Registry,
  store: Store,
  { read, name, help, labelNames }: StoreGauge<Label>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const values = await inTime(store.read(read))
      this.reset()
      for (const { labels, value } of values ?? []) this.set(labels, value)
    },
  })
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  const timer = new AbortController()
  const late = setTimeout(patienceMs, undefined, { signal: timer.signal })
  try {
    return await Promise.race([answer, late])
  } catch {
    // The log of the refused requests has the reason.
    return undefined
  } finally {
    timer.abort()
  }
}
