import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type PurgedKind, purgedKinds } from '../usecases/retention.ts'
import type { Service } from '../usecases/service.ts'
import type { Dispatched } from '../usecases/webhooks/dispatcher.ts'
import { registerDeliveries } from './delivery-metrics.ts'
import { registerStoreGauge } from './store-gauge.ts'

/** A request that has been answered, without anything about a person or an order: that a client asked is all that is told of anybody. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The pattern (`/v1/investors/:investorId`), never the path: it would name people, and make endless series. */
  readonly route: string
  /** As the contract calls it, or the operation of an operator. */
  readonly operation?: string | undefined
  readonly status: number
  /** Of a problem or an OAuth error. */
  readonly code?: string | undefined
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
  readonly seconds: number
}

export interface Metrics {
  observe(answered: Answered): void
  observeDelivery(dispatched: Dispatched): void
  observePurge(kind: PurgedKind, count: number): void
  /** Text exposition format of Prometheus. */
  render(): Promise<string>
  readonly contentType: string
}

const registersOf = (registry: Registry) => ({ registers: [registry] })

export interface MetricsOptions {
  /** How many requests of partners are being answered. */
  readonly underWay?: () => number
  /** Which program this is. */
  readonly build?: { readonly version: string; readonly commit: string }
}

export function createMetrics(
  service: Service,
  { underWay = () => 0, build }: MetricsOptions = {},
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  if (build) registerBuild(registry, build)
  registerUnderWay(registry, underWay)
  registerSharePurchases(registry, service)
  registerStore(registry, service)
  return {
    observe: observerOf(registry),
    observeDelivery: registerDeliveries(registry, service),
    observePurge: registerPurges(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function registerBuild(registry: Registry, build: Readonly<Record<string, string>>): void {
  const info = new Gauge({
    name: 'coopshare_build_info',
    help: 'Which version of the program runs, and the commit that it was built from.',
    labelNames: Object.keys(build),
    ...registersOf(registry),
  })
  info.set(build, 1)
}

function observerOf(registry: Registry): Metrics['observe'] {
  const requests = new Counter({
    name: 'coopshare_http_requests_total',
    help: 'Requests answered by the partner API.',
    labelNames: ['method', 'route', 'status'],
    ...registersOf(registry),
  })
  const durations = new Histogram({
    name: 'coopshare_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ...registersOf(registry),
  })
  return ({ method, route, status, seconds }) => {
    requests.inc({ method, route, status })
    durations.observe({ method, route }, seconds)
  }
}

function registerPurges(registry: Registry): Metrics['observePurge'] {
  const purged = new Counter({
    name: 'coopshare_purged_total',
    help: 'Records that this instance has removed because they were old.',
    labelNames: ['kind'],
    ...registersOf(registry),
  })
  // A series that is not there before its first count hides that one from whoever asks for an increase.
  for (const kind of purgedKinds) purged.inc({ kind }, 0)
  return (kind, count) => purged.inc({ kind }, count)
}

function registerUnderWay(registry: Registry, underWay: () => number): void {
  new Gauge({
    name: 'coopshare_http_requests_under_way',
    help: 'Requests of the partner API that are not answered yet.',
    ...registersOf(registry),
    collect() {
      this.set(underWay())
    },
  })
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

function registerStore(registry: Registry, { store, upkeep }: Service): void {
  new Gauge({
    name: 'coopshare_store_ready',
    help: 'Whether the store can be read and written: 1 or 0.',
    ...registersOf(registry),
    async collect() {
      const { ready } = await store.health()
      this.set(ready ? 1 : 0)
    },
  })
  new Gauge({
    name: 'coopshare_store_bytes',
    help: 'Size of the files that the store consists of.',
    labelNames: ['file'],
    ...registersOf(registry),
    collect() {
      const stats = upkeep.stats()
      if (!stats) return
      this.set({ file: 'journal' }, stats.journalBytes)
      this.set({ file: 'snapshot' }, stats.snapshotBytes)
    },
  })
  new Gauge({
    name: 'coopshare_store_last_sync_seconds',
    help: 'How long the last durable write waited for the disk.',
    ...registersOf(registry),
    collect() {
      const stats = upkeep.stats()
      if (stats) this.set(stats.lastSyncMs / 1000)
    },
  })
}
