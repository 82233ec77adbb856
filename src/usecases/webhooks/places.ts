import { setMaxListeners } from 'node:events'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isFirstAttempt, receiverOf } from '../../domain/webhooks/delivery.ts'
import { ReceiverConditions } from './receiver-conditions.ts'

export interface PlacesOptions {
  /** Deliveries that are being sent to one receiver. */
  readonly perReceiver?: number | undefined
  /** Deliveries that are being sent at all. */
  readonly inAll?: number | undefined
}

/** What is due at a receiver, the longest due first. */
export interface Due {
  readonly receiver: string
  readonly firstAttempts: readonly Delivery[]
  readonly retries: readonly Delivery[]
}

interface InHand {
  readonly isRetry: boolean
  /** To a receiver whose last attempt was no success, or is not known. */
  readonly isUnproven: boolean
  isSending: boolean
}

interface Receiver {
  /** By ordering key: of each only one at a time. */
  readonly inHand: Map<string, InHand>
  readonly abort: AbortController
  sending: number
  retries: number
}

/** How often more is in hand than is sent: what was sent is in hand until that is recorded. */
const recordingFactor = 2

/**
 * Which deliveries are in hand, and which of those that are due find a place: so many to one receiver, so many in all, and
 * of all places half are left to receivers that are well, however many hang.
 */
export class Places {
  readonly conditions = new ReceiverConditions()
  readonly #perReceiver: number
  readonly #inAll: number
  readonly #receivers = new Map<string, Receiver>()
  readonly #leftAlone = new Map<string, { readonly receiver: string; readonly until: Timestamp }>()
  /** Since the look began: what it has read of them may be older than what came of them. */
  readonly #ended = new Set<string>()
  #inHand = 0
  #sending = 0
  #unproven = 0
  #turn = 0

  constructor({ perReceiver = 8, inAll = 256 }: PlacesOptions) {
    this.#perReceiver = perReceiver
    this.#inAll = inAll
  }

  beginLook(): void {
    this.#ended.clear()
  }

  get receiversInUse(): ReadonlySet<string> {
    return new Set(this.#receivers.keys())
  }

  /** How many more may be begun. */
  room(receiver: string, now: Timestamp): number {
    const ofReceiver =
      this.conditions.boundOf(receiver, this.#perReceiver, now) -
      (this.#receivers.get(receiver)?.sending ?? 0)
    const ofAll = Math.min(
      this.#inAll - this.#sending,
      this.#inAll * recordingFactor - this.#inHand,
    )
    if (this.conditions.isProven(receiver)) return Math.min(ofReceiver, ofAll)
    return Math.min(ofReceiver, ofAll, Math.ceil(this.#inAll / 2) - this.#unproven)
  }

  /** How many have to be looked at to find as many as there is room for, because some of them are in hand or left alone. */
  lookAt(receiver: string, now: Timestamp): number {
    const alone = [...this.#leftAlone.values()].filter((one) => one.receiver === receiver)
    const inHand = this.#receivers.get(receiver)?.inHand.size ?? 0
    return this.room(receiver, now) + inHand + alone.length
  }

  /**
   * Takes into hand what finds a place: first attempts before retries; but where there may be more than one, a retry gets
   * a place among first attempts that never end.
   */
  choose(due: readonly Due[], now: Timestamp): readonly Delivery[] {
    this.#endLeftAlone(now)
    const chosen: Delivery[] = []
    const turned = this.#turnAround(due)
    for (const { receiver, firstAttempts, retries } of turned) {
      const kept = this.#keepsPlace(receiver, retries, now) ? 1 : 0
      this.#take(chosen, firstAttempts, this.room(receiver, now) - kept)
    }
    for (const { receiver, retries } of turned) {
      this.#take(chosen, retries, this.room(receiver, now))
    }
    return chosen
  }

  /** Ends what is under way to the receiver of a delivery. */
  signalOf(delivery: Delivery): AbortSignal {
    return this.#receiver(receiverOf(delivery)).abort.signal
  }

  abort(receiver: string): void {
    this.#receivers.get(receiver)?.abort.abort()
  }

  /** It has been sent, and makes room for another one to the same receiver; in hand it stays until that is recorded. */
  noteSent(delivery: Delivery): void {
    const receiver = this.#receiver(receiverOf(delivery))
    const inHand = receiver.inHand.get(delivery.orderingKey)
    if (!inHand?.isSending) return
    inHand.isSending = false
    this.#count(receiver, inHand, -1)
  }

  release(delivery: Delivery): void {
    this.noteSent(delivery)
    this.#ended.add(delivery.deliveryId)
    const name = receiverOf(delivery)
    const receiver = this.#receiver(name)
    if (receiver.inHand.delete(delivery.orderingKey)) this.#inHand -= 1
    if (receiver.inHand.size === 0) this.#receivers.delete(name)
  }

  leaveAlone(delivery: Delivery, until: Timestamp): void {
    this.#leftAlone.set(delivery.deliveryId, { receiver: receiverOf(delivery), until })
  }

  /** When something that is left alone or paused may be tried again. */
  nextEnd(now: Timestamp): Timestamp | undefined {
    const times = [...this.#leftAlone.values()].map(({ until }) => until)
    const pause = this.conditions.nextEnd(now)
    return (pause === undefined ? times : [...times, pause]).sort()[0]
  }

  /** Beginning elsewhere each time, so that no receiver is always the last. */
  #turnAround(due: readonly Due[]): readonly Due[] {
    const begin = due.length > 0 ? this.#turn++ % due.length : 0
    return [...due.slice(begin), ...due.slice(0, begin)]
  }

  #keepsPlace(receiver: string, retries: readonly Delivery[], now: Timestamp): boolean {
    if (this.conditions.boundOf(receiver, this.#perReceiver, now) <= 1) return false
    if ((this.#receivers.get(receiver)?.retries ?? 0) > 0) return false
    return retries.some((retry) => this.#isFree(retry))
  }

  #take(chosen: Delivery[], due: readonly Delivery[], room: number): void {
    let left = room
    for (const delivery of due) {
      if (left <= 0) return
      if (!this.#isFree(delivery)) continue
      this.#hold(delivery)
      chosen.push(delivery)
      left -= 1
    }
  }

  #isFree(delivery: Delivery): boolean {
    const { deliveryId, orderingKey } = delivery
    if (this.#leftAlone.has(deliveryId) || this.#ended.has(deliveryId)) return false
    return !this.#receivers.get(receiverOf(delivery))?.inHand.has(orderingKey)
  }

  #hold(delivery: Delivery): void {
    const name = receiverOf(delivery)
    const receiver = this.#receiver(name)
    const inHand = {
      isRetry: !isFirstAttempt(delivery),
      isUnproven: !this.conditions.isProven(name),
      isSending: true,
    }
    receiver.inHand.set(delivery.orderingKey, inHand)
    this.#inHand += 1
    this.#count(receiver, inHand, 1)
  }

  #count(receiver: Receiver, { isRetry, isUnproven }: InHand, step: 1 | -1): void {
    receiver.sending += step
    if (isRetry) receiver.retries += step
    if (isUnproven) this.#unproven += step
    this.#sending += step
  }

  #receiver(name: string): Receiver {
    const known = this.#receivers.get(name)
    if (known) return known
    const receiver = { inHand: new Map(), abort: new AbortController(), sending: 0, retries: 0 }
    // As many listen as deliveries are under way, which is no leak.
    setMaxListeners(0, receiver.abort.signal)
    this.#receivers.set(name, receiver)
    return receiver
  }

  #endLeftAlone(now: Timestamp): void {
    for (const [deliveryId, { until }] of this.#leftAlone) {
      if (until <= now) this.#leftAlone.delete(deliveryId)
    }
  }
}
