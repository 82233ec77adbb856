// The metrics of the store, which are the same for all instances on one database.
import { Gauge, type Registry } from 'prom-client'
import type { Timestamp } from '../domain/timestamp.ts'
import {
  type DeliveryKind,
  deliveryKinds as kinds,
  mailReceivers,
} from '../domain/webhooks/delivery.ts'
import { pause, stopwatchMs } from '../machine/time.ts'
import type { ReadableRecords, Store } from '../ports/store.ts'
import type { Service } from '../usecases/service.ts'
import { listHeldReceivers } from '../usecases/webhooks/webhook-endpoints.ts'

export function registerStoreMetrics(registry: Registry, service: Service): void {
  registerSharePurchases(registry, service)
  registerStore(registry, service)
  registerDeliveries(registry, service)
  registerLag(registry, service)
  registerEndpoints(registry, service)
}

function registerSharePurchases(registry: Registry, { store }: Service): void {
  registerStoreGauge(registry, store, {
    name: 'coopshare_share_purchases',
    help: 'Stored share purchases by status.',
    labelNames: ['status'],
    async read({ sharePurchases }) {
      const counts = await sharePurchases.countByStatus()
      return Object.entries(counts).map(([status, value]) => ({ labels: { status }, value }))
    },
  })
}

function registerStore(registry: Registry, { store, storeAdmin }: Service): void {
  new Gauge({
    name: 'coopshare_store_ready',
    help: '1 if the store can be read and written, otherwise 0.',
    registers: [registry],
    async collect() {
      const { ready } = await store.health()
      this.set(ready ? 1 : 0)
    },
  })
  new Gauge({
    name: 'coopshare_store_bytes',
    help: 'Size of the store files.',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      const stats = storeAdmin.stats()
      if (!stats) return
      this.set({ file: 'journal' }, stats.journalBytes)
      this.set({ file: 'snapshot' }, stats.snapshotBytes)
    },
  })
  new Gauge({
    name: 'coopshare_store_last_sync_seconds',
    help: 'Time that the last durable write waited for the disk.',
    registers: [registry],
    collect() {
      const stats = storeAdmin.stats()
      if (stats) this.set(stats.lastSyncMs / 1000)
      // Otherwise it would be 0.
      else this.remove()
    },
  })
}

function registerDeliveries(registry: Registry, { store }: Service): void {
  registerStoreGauge(registry, store, {
    name: 'coopshare_deliveries',
    help: 'Event deliveries by state: waiting (for an earlier delivery), pending, delivered, dead or written (an e-mail saved as a file).',
    labelNames: ['kind', 'state'],
    async read({ deliveries }) {
      const counts = await Promise.all(
        kinds.map(async (kind) => ({ kind, states: await deliveries.countByState(kind) })),
      )
      return counts.flatMap(({ kind, states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { kind, state }, value })),
      )
    },
  })
}

function registerLag(registry: Registry, { store, clock }: Service): void {
  const lagOf = (dueAt: Timestamp) =>
    Math.max(0, Date.parse(clock.now()) - Date.parse(dueAt)) / 1000
  registerStoreGauge(registry, store, {
    name: 'coopshare_delivery_lag_seconds',
    help: 'Time since the oldest overdue delivery became due, ignoring paused endpoints.',
    labelNames: ['kind'],
    read: (records) =>
      Promise.all(
        kinds.map(async (kind) => {
          const dueAt = await findOldestDue(records, kind, clock.now())
          return { labels: { kind }, value: lagOf(dueAt ?? clock.now()) }
        }),
      ),
  })
}

function registerEndpoints(registry: Registry, { store }: Service): void {
  registerStoreGauge(registry, store, {
    name: 'coopshare_webhook_endpoints',
    help: 'Webhook endpoints by state: active or paused.',
    labelNames: ['state'],
    async read({ webhookEndpoints }) {
      const all = await webhookEndpoints.list()
      const paused = all.filter(({ pausedAt }) => pausedAt !== null).length
      return [
        { labels: { state: 'active' }, value: all.length - paused },
        { labels: { state: 'paused' }, value: paused },
      ]
    },
  })
}

async function findOldestDue(
  records: ReadableRecords,
  kind: DeliveryKind,
  now: Timestamp,
): Promise<Timestamp | undefined> {
  const { deliveries } = records
  const held = kind === 'webhook' ? await listHeldReceivers(records) : new Set()
  if (held.size === 0) return (await deliveries.findOldestPending(kind))?.nextAttemptAt ?? undefined
  const receivers = await deliveries.listReceivers()
  const open = receivers.filter((one) => !held.has(one) && !mailReceivers.includes(one))
  const found = await Promise.all(
    open.flatMap((receiver) =>
      (['first', 'retry'] as const).map((attempts) =>
        deliveries.listDue(receiver, { attempts, now, limit: 1 }),
      ),
    ),
  )
  return found
    .flat()
    .flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
    .sort()[0]
}

/** Scrapers time out after 10 s, for all metrics together. */
const patienceMs = 2000
/** Counting takes longer as the store grows, so the pause after a count is a hundred times as long as the count. */
const restFactor = 100
const longestKeptMs = 15_000

interface StoreGauge<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  readonly read: (records: ReadableRecords) => Promise<readonly LabelledValue<Label>[]>
}

interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/**
 * A gauge of the store that is at most 15 s old. If the store does not answer, it has no values,
 * and the metrics of the outage are still served.
 */
function registerStoreGauge<Label extends string>(
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

/** Concurrent and subsequent readers share one reading. The pause is proportional to the duration of the reading. */
function kept<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<Answer> | undefined
  let untilMs = 0
  return () => {
    const begunMs = stopwatchMs()
    if (last && begunMs < untilMs) return last
    const reading = read()
    last = reading
    untilMs = Number.POSITIVE_INFINITY
    const keep = (times: number) => {
      const endedMs = stopwatchMs()
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
  const late = pause(patienceMs, timer.signal).then(() => undefined)
  try {
    return await Promise.race([answer, late])
  } catch {
    // The log of failed requests has the reason.
    return undefined
  } finally {
    timer.abort()
  }
}
