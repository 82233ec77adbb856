import { setMaxListeners } from 'node:events'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isFirstAttempt, receiverOf } from '../../domain/webhooks/delivery.ts'
import { ReceiverHealth } from './receiver-health.ts'

export interface SlotOptions {
  /** Another maximum number of concurrent deliveries to one receiver. */
  readonly perReceiver?: number | undefined
  /** Another maximum number of concurrent deliveries. */
  readonly total?: number | undefined
}

const concurrentPerReceiver = 8
const concurrentInAll = 256

/** The due deliveries of a receiver, longest due first. */
export interface DueDeliveries {
  readonly receiver: string
  readonly firstAttempts: readonly Delivery[]
  readonly retries: readonly Delivery[]
}

interface InFlight {
  readonly isRetry: boolean
  /** Whether the last attempt to the receiver failed or is unknown. */
  readonly isUnproven: boolean
  isSending: boolean
}

interface Receiver {
  /** The deliveries in flight, by ordering key. Each key has at most one delivery in flight. */
  readonly inFlight: Map<string, InFlight>
  readonly abort: AbortController
  sending: number
  retries: number
}

/**
 * Deliveries stay in flight until their outcome is recorded, so more are in flight than are being
 * sent.
 */
const recordingFactor = 2

/** A fast receiver empties its slots several times before the next fetch. */
const aheadFactor = 3

/**
 * Decides which due deliveries may start. Limits the concurrent deliveries to each receiver and
 * to all, and keeps half of all slots for healthy receivers, however many others time out.
 */
export class DeliverySlots {
  readonly health = new ReceiverHealth()
  readonly #perReceiver: number
  readonly #total: number
  readonly #receivers = new Map<string, Receiver>()
  readonly #postponed = new Map<string, { readonly receiver: string; readonly until: Timestamp }>()
  /**
   * Deliveries that ended since the fetch began. The fetch may have read an older state of them.
   */
  readonly #ended = new Set<string>()
  #inFlight = 0
  #sending = 0
  #unproven = 0
  #lastServed = ''

  constructor({ perReceiver = concurrentPerReceiver, total = concurrentInAll }: SlotOptions) {
    this.#perReceiver = perReceiver
    this.#total = total
  }

  beginFetch(): void {
    this.#ended.clear()
  }

  get receiversInUse(): ReadonlySet<string> {
    return new Set(this.#receivers.keys())
  }

  /** The number of deliveries that may start now. */
  freeSlots(receiver: string, now: Timestamp): number {
    const ofReceiver =
      this.health.concurrencyOf(receiver, this.#perReceiver, now) -
      (this.#receivers.get(receiver)?.sending ?? 0)
    const ofAll = Math.min(
      this.#total - this.#sending,
      this.#total * recordingFactor - this.#inFlight,
    )
    if (this.health.isHealthy(receiver)) return Math.min(ofReceiver, ofAll)
    return Math.min(ofReceiver, ofAll, Math.ceil(this.#total / 2) - this.#unproven)
  }

  /**
   * The number of deliveries to fetch: those that have a free slot, those that follow them, and those in flight or
   * postponed.
   */
  fetchLimit(receiver: string, now: Timestamp): number {
    const postponed = [...this.#postponed.values()].filter((one) => one.receiver === receiver)
    const inFlight = this.#receivers.get(receiver)?.inFlight.size ?? 0
    const ahead = this.health.isHealthy(receiver) ? this.#perReceiver * aheadFactor : 0
    return this.freeSlots(receiver, now) + ahead + inFlight + postponed.length
  }

  /** Deliveries that found no slot, and may follow when one becomes free. */
  leftOf(due: readonly DueDeliveries[]): readonly DueDeliveries[] {
    return due.map(({ receiver, firstAttempts, retries }) => ({
      receiver,
      firstAttempts: firstAttempts.filter((delivery) => this.#isFree(delivery)),
      retries: retries.filter((delivery) => this.#isFree(delivery)),
    }))
  }

  /**
   * Occupies slots with due deliveries: first attempts before retries. If a receiver has several
   * slots, one is kept for retries.
   */
  choose(due: readonly DueDeliveries[], now: Timestamp): readonly Delivery[] {
    this.#forgetPastPostponements(now)
    const chosen: Delivery[] = []
    const inTurn = this.#inTurn(due)
    for (const { receiver, firstAttempts, retries } of inTurn) {
      const reserved = this.#reservesRetrySlot(receiver, retries, now) ? 1 : 0
      this.#fill(chosen, firstAttempts, this.freeSlots(receiver, now) - reserved)
    }
    for (const { receiver, retries } of inTurn) {
      this.#fill(chosen, retries, this.freeSlots(receiver, now))
    }
    return chosen
  }

  /** The signal that aborts all deliveries to the receiver. */
  signalOf(delivery: Delivery): AbortSignal {
    return this.#receiver(receiverOf(delivery)).abort.signal
  }

  abort(receiver: string): void {
    this.#receivers.get(receiver)?.abort.abort()
  }

  /** Frees the slot of a sent delivery; it stays in flight until its outcome is recorded. */
  markSent(delivery: Delivery): void {
    const receiver = this.#receiver(receiverOf(delivery))
    const inFlight = receiver.inFlight.get(delivery.orderingKey)
    if (!inFlight?.isSending) return
    inFlight.isSending = false
    this.#count(receiver, inFlight, -1)
  }

  release(delivery: Delivery): void {
    this.markSent(delivery)
    this.#ended.add(delivery.deliveryId)
    const name = receiverOf(delivery)
    const receiver = this.#receiver(name)
    if (receiver.inFlight.delete(delivery.orderingKey)) this.#inFlight -= 1
    if (receiver.inFlight.size === 0) this.#receivers.delete(name)
  }

  postpone(delivery: Delivery, until: Timestamp): void {
    this.#postponed.set(delivery.deliveryId, { receiver: receiverOf(delivery), until })
  }

  /** The next time at which a postponed delivery or a paused receiver may be tried again. */
  nextRetryAt(now: Timestamp): Timestamp | undefined {
    const times = [...this.#postponed.values()].map(({ until }) => until)
    const pause = this.health.nextPauseEnd(now)
    return (pause === undefined ? times : [...times, pause]).sort()[0]
  }

  /** Round robin, starting after the receiver that was served last. */
  #inTurn(due: readonly DueDeliveries[]): readonly DueDeliveries[] {
    const sorted = due.toSorted((left, right) => (left.receiver < right.receiver ? -1 : 1))
    const isLater = ({ receiver }: DueDeliveries) => receiver > this.#lastServed
    return [...sorted.filter(isLater), ...sorted.filter((one) => !isLater(one))]
  }

  #reservesRetrySlot(receiver: string, retries: readonly Delivery[], now: Timestamp): boolean {
    if (this.health.concurrencyOf(receiver, this.#perReceiver, now) <= 1) return false
    if ((this.#receivers.get(receiver)?.retries ?? 0) > 0) return false
    return retries.some((retry) => this.#isFree(retry))
  }

  #fill(chosen: Delivery[], due: readonly Delivery[], slots: number): void {
    let left = slots
    for (const delivery of due) {
      if (left <= 0) return
      if (!this.#isFree(delivery)) continue
      this.#occupy(delivery)
      this.#lastServed = receiverOf(delivery)
      chosen.push(delivery)
      left -= 1
    }
  }

  #isFree(delivery: Delivery): boolean {
    const { deliveryId, orderingKey } = delivery
    if (this.#postponed.has(deliveryId) || this.#ended.has(deliveryId)) return false
    return !this.#receivers.get(receiverOf(delivery))?.inFlight.has(orderingKey)
  }

  #occupy(delivery: Delivery): void {
    const name = receiverOf(delivery)
    const receiver = this.#receiver(name)
    const inFlight = {
      isRetry: !isFirstAttempt(delivery),
      isUnproven: !this.health.isHealthy(name),
      isSending: true,
    }
    receiver.inFlight.set(delivery.orderingKey, inFlight)
    this.#inFlight += 1
    this.#count(receiver, inFlight, 1)
  }

  #count(receiver: Receiver, { isRetry, isUnproven }: InFlight, step: 1 | -1): void {
    receiver.sending += step
    if (isRetry) receiver.retries += step
    if (isUnproven) this.#unproven += step
    this.#sending += step
  }

  #receiver(name: string): Receiver {
    const known = this.#receivers.get(name)
    if (known) return known
    const receiver = { inFlight: new Map(), abort: new AbortController(), sending: 0, retries: 0 }
    // Every delivery in flight adds a listener, which is not a leak.
    setMaxListeners(0, receiver.abort.signal)
    this.#receivers.set(name, receiver)
    return receiver
  }

  #forgetPastPostponements(now: Timestamp): void {
    for (const [deliveryId, { until }] of this.#postponed) {
      if (until <= now) this.#postponed.delete(deliveryId)
    }
  }
}
