import { Counter, Histogram, type Registry } from 'prom-client'
import type { Timestamp } from '../domain/timestamp.ts'
import {
  deliveryKinds as kinds,
  mailFailures,
  webhookFailures,
} from '../domain/webhooks/delivery.ts'
import type { Service } from '../usecases/service.ts'
import type { Dispatched } from '../usecases/webhooks/dispatcher.ts'
import { registerStoreGauge } from './store-gauge.ts'

const outcomesOf = {
  webhook: ['delivered', ...webhookFailures],
  mail: ['delivered', 'written', ...mailFailures],
} as const

/** Returns what is told of every attempt. */
export function registerDeliveries(
  registry: Registry,
  service: Service,
): (dispatched: Dispatched) => void {
  registerQueue(registry, service)
  registerLag(registry, service)
  return observerOf(registry)
}

function registerQueue(registry: Registry, { store }: Service): void {
  registerStoreGauge(registry, store, {
    name: 'coopshare_deliveries',
    help: 'Deliveries of events by state: waiting for an earlier one, pending, delivered, dead, or written: a mail that became a file.',
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
    help: 'For how long the pending delivery that is due the longest has been due.',
    labelNames: ['kind'],
    read: ({ deliveries }) =>
      Promise.all(
        kinds.map(async (kind) => {
          const oldest = await deliveries.findOldestPending(kind)
          return { labels: { kind }, value: lagOf(oldest?.nextAttemptAt ?? clock.now()) }
        }),
      ),
  })
}

function observerOf(registry: Registry): (dispatched: Dispatched) => void {
  const attempts = new Counter({
    name: 'coopshare_delivery_attempts_total',
    help: 'Attempts to deliver, by what the receiver made of them.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const ownFaults = new Counter({
    name: 'coopshare_delivery_own_faults_total',
    help: 'Deliveries that a fault of ours kept from being attempted; they are tried again.',
    labelNames: ['kind'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'coopshare_delivery_attempt_duration_seconds',
    help: 'Time from the start of an attempt to its outcome.',
    labelNames: ['kind'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  // A series that is not there before its first count hides that one from whoever asks for an increase.
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
