import { setMaxListeners } from 'node:events'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFailure,
  type DeliveryKind,
  laneOf,
} from '../../domain/webhooks/delivery.ts'
import type { ClaimRequest } from '../../ports/delivery-claims.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Service } from '../service.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { ClaimFaults } from './claim-faults.ts'
import { LaneConditions } from './lane-conditions.ts'
import { logFieldsOf } from './log-fields-of.ts'

/** What became of one claim, without anything that tells one receiver from another. */
export interface Dispatched {
  readonly kind: DeliveryKind
  /** `own_fault` is no attempt: the receiver had no part in it. */
  readonly outcome: 'delivered' | 'written' | DeliveryFailure | 'own_fault'
  readonly seconds: number
}

export interface DispatcherOptions {
  readonly logger: Logger
  readonly observe?: ((dispatched: Dispatched) => void) | undefined
  /** Deliveries under way to one receiver. */
  readonly perLane?: number
  /** Deliveries under way at all. */
  readonly inAll?: number
}

/**
 * Twice as long as any attempt takes, and an attempt begins in the first half: what an instance had in hand that is gone,
 * another one takes after that.
 */
const leaseSeconds = { webhook: 30, mail: 60 }

/** How long a delivery is left alone that a fault of ours has kept from being attempted. */
const ownFaultSeconds = 30

/** Sends what is due. It has no timer: whoever runs it says when to look. */
export class Dispatcher {
  readonly #service: Service
  readonly #options: DispatcherOptions
  readonly #lanes = new LaneConditions()
  readonly #faults: ClaimFaults
  readonly #underWay = new Set<Promise<void>>()
  /** How many of them go to receivers whose last attempt was no success, or is not known. */
  #unproven = 0
  readonly #giveUp = new AbortController()
  #starting: Promise<void> | undefined
  #isAskedAgain = false
  #isStopped = false

  constructor(service: Service, options: DispatcherOptions) {
    this.#service = service
    this.#options = options
    this.#faults = new ClaimFaults(service.clock, options.logger)
    // As many listen as deliveries are under way, which is no leak.
    setMaxListeners(0, this.#giveUp.signal)
  }

  /** Resolves when all that is due has been attempted, and what has fallen due by that. */
  async dispatchDue(): Promise<void> {
    await this.startDue()
    await this.#untilIdle()
  }

  /** Resolves when what is due, and has room, is on its way. What finds no room goes when there is some. */
  startDue(): Promise<void> {
    this.#isAskedAgain = true
    if (!this.#isStopped) this.#starting ??= this.#start()
    return this.#starting ?? Promise.resolve()
  }

  /** When to look again, apart from when deliveries are put. */
  async nextDueAt(): Promise<Timestamp | undefined> {
    const { store, clock } = this.#service
    const due = await store.deliveryClaims.nextDueAt(clock.now())
    const next = [due, this.#lanes.nextEnd()].filter((at) => at !== undefined).sort()[0]
    return this.#faults.after(next)
  }

  /** Begins nothing more, and resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#untilIdle()
  }

  /** Ends what is under way: the next start sends it again. */
  giveUp(): void {
    this.#giveUp.abort()
  }

  async #untilIdle(): Promise<void> {
    while (this.#starting || this.#underWay.size > 0) {
      await (this.#starting ?? Promise.race(this.#underWay))
    }
  }

  async #start(): Promise<void> {
    try {
      while (this.#isAskedAgain && !this.#isStopped) {
        this.#isAskedAgain = false
        await this.#beginClaimed()
      }
    } catch (error) {
      this.#faults.note(error)
    } finally {
      // In the same turn as the last look at whether somebody has asked: who asks from now on starts it again.
      this.#starting = undefined
    }
  }

  async #beginClaimed(): Promise<void> {
    const { store, clock } = this.#service
    // What could not be recorded would be sent again and again.
    if (!(await store.health()).ready) return this.#faults.pause()
    const request = { now: clock.now(), leaseSeconds, ...this.#room(clock.now()) }
    const claimedMs = clock.monotonicMs()
    const claimed = await store.deliveryClaims.claimDue(request)
    this.#faults.clear()
    for (const delivery of claimed) this.#begin(delivery, claimedMs)
    // There may be more than the bound has let through, and room for it.
    if (claimed.length > 0 && claimed.length === request.limit) this.#isAskedAgain = true
  }

  /** However many receivers hang, half of all places are left to those that are well. */
  #room(now: Timestamp): Pick<ClaimRequest, 'limit' | 'perLane' | 'exceptions'> {
    const { perLane = 8, inAll = 256 } = this.#options
    const limit = inAll - this.#underWay.size
    const unproven = Math.ceil(inAll / 2) - this.#unproven
    return unproven > 0
      ? { limit: Math.min(limit, unproven), perLane, exceptions: this.#lanes.exceptions(now) }
      : { limit, perLane: 0, exceptions: this.#lanes.provenOnly(now, perLane) }
  }

  #begin(delivery: Delivery, claimedMs: number): void {
    const place = this.#lanes.isProven(laneOf(delivery.target)) ? 0 : 1
    this.#unproven += place
    const attempt = this.#attempt(delivery, claimedMs).then(() => {
      this.#unproven -= place
      this.#underWay.delete(attempt)
      // Its end may have made room, or let the next one of its order go.
      void this.startDue()
    })
    this.#underWay.add(attempt)
  }

  async #attempt(delivery: Delivery, claimedMs: number): Promise<void> {
    const { clock } = this.#service
    const passedMs = () => clock.monotonicMs() - claimedMs
    const longestMs = (leaseSeconds[delivery.target.kind] * 1000) / 2
    const isInTime = () => passedMs() < longestMs
    try {
      const { signal } = this.#giveUp
      const attempted = await attemptDelivery(this.#service, { delivery, signal, isInTime })
      if (attempted.attempt) this.#noteAttempt(attempted.delivery, attempted.attempt)
      this.#noteDeath(attempted.delivery)
    } catch (error) {
      await this.#noteOwnFault(delivery, error, passedMs() / 1000)
    }
  }

  #noteAttempt(delivery: Delivery, attempt: DeliveryAttempt): void {
    const { target, attemptsInRound } = delivery
    const { failure, status, durationMs, written } = attempt
    const lane = laneOf(target)
    if (failure === null) this.#lanes.noteSuccess(lane)
    else if (target.kind === 'webhook') this.#lanes.noteFailure(lane)
    const outcome = failure ?? (written ? 'written' : 'delivered')
    this.#options.observe?.({ kind: target.kind, outcome, seconds: durationMs / 1000 })
    const told = { attempt: attemptsInRound, outcome, status, durationMs }
    this.#options.logger.info({ ...logFieldsOf(delivery), ...told }, 'delivery attempted')
  }

  #noteDeath(delivery: Delivery): void {
    const { state, deadBecause: cause } = delivery
    if (state === 'dead')
      this.#options.logger.warn({ ...logFieldsOf(delivery), cause }, 'delivery died')
  }

  async #noteOwnFault(delivery: Delivery, error: unknown, seconds: number): Promise<void> {
    const { deliveryId, target } = delivery
    const now = this.#service.clock.now()
    const notBefore = addSeconds(now, ownFaultSeconds)
    const { deliveryClaims } = this.#service.store
    // A store that is away cannot be told either: then the claim ends with its time, after which it may be another's.
    const isOurs = seconds < leaseSeconds[target.kind]
    if (isOurs) await deliveryClaims.release(deliveryId, notBefore).catch(() => undefined)
    if (this.#giveUp.signal.aborted) return
    this.#lanes.noteOwnFault(laneOf(target), now)
    this.#options.observe?.({ kind: target.kind, outcome: 'own_fault', seconds })
    const fields = { ...logFieldsOf(delivery), error }
    this.#options.logger.error(fields, 'a fault of ours kept a delivery from being attempted')
  }
}
