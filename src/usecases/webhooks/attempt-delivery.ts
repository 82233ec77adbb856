import type { Timestamp } from '../../domain/timestamp.ts'
import {
  type DeadReason,
  type Delivery,
  type DeliveryAttempt,
  isPending,
} from '../../domain/webhooks/delivery.ts'
import {
  type AttemptResult,
  applyAttempt,
  applyOwnFault,
  markDead,
} from '../../domain/webhooks/delivery-retries.ts'
import { updateCounts } from '../../domain/webhooks/event.ts'
import { nextTurn } from '../../machine/time.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import type { Send } from './prepare-delivery.ts'

export interface Attempted {
  readonly attempt: DeliveryAttempt
  /** Whether another attempt would be pointless. */
  readonly isFinal: boolean
}

/** Sends once. Errors are faults of ours and use up no attempt. */
export async function attemptDelivery(
  { clock, random }: Service,
  send: Send,
  signal: AbortSignal,
): Promise<Attempted> {
  const attemptId = random.traceId()
  const at = clock.now()
  const { isFinal = false, ...outcome } = await send({ attemptId, signal })
  return { attempt: { attemptId, at, ...outcome }, isFinal }
}

/** Ends a delivery that has nothing to send any more. An operator may have ended or replayed it meanwhile. */
export function abandonDelivery(
  { store, clock }: Service,
  { deliveryId, orderingKey, attempts }: Delivery,
  cause: DeadReason,
): Promise<Delivery | undefined> {
  const now = clock.now()
  return store.write(subjects.events(orderingKey), async (records) => {
    const before = await records.deliveries.get(deliveryId)
    if (before?.attempts.length !== attempts.length) return undefined
    if (!isPending(before)) return before
    const after = markDead(before, cause, now)
    await changeDelivery(records, before, after)
    return after
  })
}

/**
 * Records a fault of ours that prevented an e-mail, unless an earlier one is recorded already. Returns the delivery if
 * it has changed.
 */
export async function recordOwnFault(
  { store, settings }: Service,
  sent: Delivery,
  now: Timestamp,
): Promise<Delivery | undefined> {
  const apply = (delivery: Delivery) => applyOwnFault(delivery, now, settings.mailWaits)
  if (apply(sent) === sent) return undefined
  return store.write(subjects.events(sent.orderingKey), async (records) => {
    const before = await records.deliveries.get(sent.deliveryId)
    if (before?.attempts.length !== sent.attempts.length) return undefined
    const after = apply(before)
    if (after === before) return undefined
    await changeDelivery(records, before, after)
    return after
  })
}

/** Stores a changed delivery and updates the counts of its event. */
export async function changeDelivery(
  { deliveries, events }: Records,
  before: Delivery,
  after: Delivery,
): Promise<void> {
  await deliveries.put(after)
  // Events count webhook deliveries only.
  if (after.target.kind !== 'webhook' || before.state === after.state) return
  const event = await events.get(after.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  await events.put({ ...event, deliveries: updateCounts(event.deliveries, before, after) })
}

interface Waiting {
  readonly sent: Delivery
  readonly step: AttemptResult
  resolve(recorded: Delivery | undefined): void
  reject(error: unknown): void
}

/**
 * Records attempts and schedules the next ones. Attempts that end while others are being recorded
 * wait for them. Then there is one write for each ordering key, so that its event changes once for
 * several receivers, and these writes begin in one turn of the event loop, so that a database gets
 * them together.
 */
export class AttemptRecorder {
  readonly #service: Service
  /** The waiting attempts, by ordering key. */
  #waiting = new Map<string, Waiting[]>()
  #isRecording = false

  constructor(service: Service) {
    this.#service = service
  }

  /** Resolves with undefined if another instance has recorded an attempt meanwhile. */
  record(sent: Delivery, { attempt, isFinal }: Attempted): Promise<Delivery | undefined> {
    const { clock, random, settings } = this.#service
    const waits = sent.target.kind === 'mail' ? settings.mailWaits : settings.webhookWaits
    const step = { attempt, isFinal, now: clock.now(), waits, fraction: random.fraction() }
    return new Promise((resolve, reject) => {
      const group = this.#waiting.get(sent.orderingKey) ?? []
      this.#waiting.set(sent.orderingKey, group)
      group.push({ sent, step, resolve, reject })
      if (!this.#isRecording) void this.#recordAll()
    })
  }

  async #recordAll(): Promise<void> {
    this.#isRecording = true
    while (this.#waiting.size > 0) {
      await nextTurn()
      const groups = this.#waiting
      this.#waiting = new Map()
      await Promise.all(Array.from(groups, ([key, group]) => this.#recordGroup(key, group)))
    }
    this.#isRecording = false
  }

  async #recordGroup(orderingKey: string, group: readonly Waiting[]): Promise<void> {
    try {
      const recorded = await this.#service.store.write(subjects.events(orderingKey), (records) =>
        recordGroup(records, group),
      )
      for (const [index, { resolve }] of group.entries()) resolve(recorded[index])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

/** An operator may have ended or replayed a delivery meanwhile. */
async function recordGroup(records: Records, group: readonly Waiting[]) {
  // Both are read in one turn, so that a database answers in one round trip.
  const [befores] = await Promise.all([
    Promise.all(group.map(({ sent }) => records.deliveries.get(sent.deliveryId))),
    Promise.all(group.map(({ sent }) => eventOf(records, sent))),
  ])
  const recorded: (Delivery | undefined)[] = []
  for (const [index, { sent, step }] of group.entries()) {
    const before = befores[index]
    const isCurrent = before?.attempts.length === sent.attempts.length
    const after = isCurrent ? applyAttempt(before, step) : undefined
    if (before && after) await changeDelivery(records, before, after)
    recorded.push(after)
  }
  return recorded
}

/** Events count webhook deliveries only. */
function eventOf({ events }: Records, { target, eventId }: Delivery) {
  return target.kind === 'webhook' ? events.get(eventId) : undefined
}
