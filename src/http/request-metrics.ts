import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  deliveryKinds as kinds,
  mailFailures,
  webhookFailures,
} from '../domain/webhooks/delivery.ts'
import { isOperationName } from '../operations/operations.ts'
import { type PurgedKind, purgedKinds } from '../usecases/retention.ts'
import type { Service } from '../usecases/service.ts'
import type { Dispatched } from '../usecases/webhooks/dispatcher.ts'
import { registerStoreMetrics } from './store-metrics.ts'

/** A completed request, without anything about a person or an order. */
export interface CompletedRequest {
  readonly requestId: string
  readonly method: string
  /**
   * The pattern of the path, such as `/v1/investors/:investorId`. Paths themselves would identify
   * people and create endless series.
   */
  readonly route: string
  /** The operation id of the contract, or the name of an operator's operation. */
  readonly operation?: string | undefined
  readonly status: number
  /** The code of the problem or OAuth error. */
  readonly code?: string | undefined
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
  readonly seconds: number
}

/** @param isKnown whether the caller has proved who it is */
export type ObserveRequest = (answered: CompletedRequest, isKnown: boolean) => void

export interface Metrics {
  observe(answered: CompletedRequest): void
  observeDelivery(dispatched: Dispatched): void
  observePurge(kind: PurgedKind, count: number): void
  /** Counts an operation of an operator; other requests have none. */
  observeOperation(answered: CompletedRequest): void
  /** Takes the time of the newest backup that the service has made itself, or 0 if there is none yet. */
  observeBackup(atMs: number): void
  /** The last value that `observeBackup` got; undefined if this instance makes no backups. */
  lastBackupMs(): number | undefined
  /** Counts a backup that could not be written. */
  observeFailedBackup(): void
  /** Returns all metrics in the text format of Prometheus. */
  render(): Promise<string>
  readonly contentType: string
}

interface MetricsOptions {
  /** The number of partner requests in flight. */
  readonly inFlight?: () => number
  /** Version and commit of the program. */
  readonly build?: { readonly version: string; readonly commit: string }
  /** Whether the process is measured, too. A simulation has many services in one process. */
  readonly isOfProcess?: boolean | undefined
}

export function createMetrics(
  service: Service,
  { inFlight = () => 0, build, isOfProcess = true }: MetricsOptions = {},
): Metrics {
  const registry = new Registry()
  if (isOfProcess) collectDefaultMetrics({ register: registry })
  if (build) registerBuild(registry, build)
  registerInFlight(registry, inFlight)
  registerStoreMetrics(registry, service)
  return {
    observe: observeRequests(registry),
    observeDelivery: observeDeliveries(registry),
    observePurge: registerPurges(registry),
    observeOperation: registerOperations(registry),
    ...registerBackups(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function registerBuild(registry: Registry, build: Readonly<Record<string, string>>): void {
  const info = new Gauge({
    name: 'coopshare_build_info',
    help: 'Version of the running program and the commit it was built from.',
    labelNames: Object.keys(build),
    registers: [registry],
  })
  info.set(build, 1)
}

function observeRequests(registry: Registry): Metrics['observe'] {
  const requests = new Counter({
    name: 'coopshare_http_requests_total',
    help: 'Requests answered by the partner API.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'coopshare_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its response.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const countPartner = registerPartners(registry)
  return (answered) => {
    const { method, route, status, seconds } = answered
    requests.inc({ method, route, status })
    durations.observe({ method, route }, seconds)
    countPartner(answered)
  }
}

function outcomeOf({ status }: CompletedRequest): 'done' | 'refused' | 'failed' {
  if (status < 400) return 'done'
  return status < 500 ? 'refused' : 'failed'
}

/** Each partner has three series in the memory of the service and of the scraper. */
const maximumPartners = 100

function registerPartners(registry: Registry): Metrics['observe'] {
  const requests = new Counter({
    name: 'coopshare_organization_requests_total',
    help: 'Partner requests by organization and outcome: done, refused or failed. Organizations beyond the first hundred count as other.',
    labelNames: ['organization_id', 'outcome'],
    registers: [registry],
  })
  const known = new Set<string>()
  return (answered) => {
    const { organizationId } = answered
    if (organizationId === undefined) return
    if (known.size < maximumPartners) known.add(organizationId)
    const organization_id = known.has(organizationId) ? organizationId : 'other'
    requests.inc({ organization_id, outcome: outcomeOf(answered) })
  }
}

function registerOperations(registry: Registry): Metrics['observeOperation'] {
  const operations = new Counter({
    name: 'coopshare_operator_operations_total',
    help: 'Operator operations by outcome: done, refused or failed.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  })
  return (answered) => {
    const { operation } = answered
    // Other routes of the operator endpoint have operation ids, too.
    if (operation === undefined || !isOperationName(operation)) return
    operations.inc({ operation, outcome: outcomeOf(answered) })
  }
}

type BackupMetrics = Pick<Metrics, 'observeBackup' | 'observeFailedBackup' | 'lastBackupMs'>

function registerBackups(registry: Registry): BackupMetrics {
  let lastMs: number | undefined
  new Gauge({
    name: 'coopshare_backup_last_success_timestamp_seconds',
    help: 'Time of the newest scheduled backup, in seconds since 1970; 0 before the first backup.',
    registers: [registry],
    collect() {
      // Without scheduled backups there is no value, so that no alert takes it for an old backup.
      if (lastMs === undefined) this.remove()
      else this.set(lastMs / 1000)
    },
  })
  const failures = new Counter({
    name: 'coopshare_backup_failures_total',
    help: 'Scheduled backups that could not be written. The service tries again.',
    registers: [registry],
  })
  return {
    observeBackup(atMs) {
      lastMs = atMs
    },
    lastBackupMs: () => lastMs,
    observeFailedBackup: () => failures.inc(),
  }
}

function registerPurges(registry: Registry): Metrics['observePurge'] {
  const purged = new Counter({
    name: 'coopshare_purged_total',
    help: 'Records that this instance has removed because of their age.',
    labelNames: ['kind'],
    registers: [registry],
  })
  // A query for an increase would miss the first count of a series that did not exist before.
  for (const kind of purgedKinds) purged.inc({ kind }, 0)
  return (kind, count) => purged.inc({ kind }, count)
}

function registerInFlight(registry: Registry, inFlight: () => number): void {
  new Gauge({
    name: 'coopshare_http_requests_under_way',
    help: 'Requests to the partner API that are still being processed.',
    registers: [registry],
    collect() {
      this.set(inFlight())
    },
  })
}

const outcomesOf = {
  webhook: ['delivered', ...webhookFailures],
  mail: ['delivered', 'written', ...mailFailures],
} as const

/** Returns a function that counts an attempt. */
function observeDeliveries(registry: Registry): (dispatched: Dispatched) => void {
  const attempts = new Counter({
    name: 'coopshare_delivery_attempts_total',
    help: 'Delivery attempts by outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const ownFaults = new Counter({
    name: 'coopshare_delivery_own_faults_total',
    help: 'Deliveries that were not attempted because of an internal error. The service tries them again.',
    labelNames: ['kind'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'coopshare_delivery_attempt_duration_seconds',
    help: 'Time from the start of a delivery attempt to its outcome.',
    labelNames: ['kind'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  // A query for an increase would miss the first count of a series that did not exist before.
  for (const kind of kinds) {
    ownFaults.inc({ kind }, 0)
    for (const outcome of outcomesOf[kind]) attempts.inc({ kind, outcome }, 0)
  }
  return ({ kind, outcome, seconds }) => {
    if (outcome === 'own_fault') return ownFaults.inc({ kind })
    attempts.inc({ kind, outcome })
    durations.observe({ kind }, seconds)
  }
}
