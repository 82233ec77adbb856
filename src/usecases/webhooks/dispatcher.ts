import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import {
  type DeadReason,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFailure,
  type DeliveryKind,
  receiverOf,
} from '../../domain/webhooks/delivery.ts'
import { endOfFaults } from '../../domain/webhooks/delivery-retries.ts'
import { nextTurn } from '../../machine/time.ts'
import type { LogFields, Logger } from '../../ports/logger.ts'
import type { Service } from '../service.ts'
import {
  AttemptRecorder,
  abandonDelivery,
  attemptDelivery,
  recordOwnFault,
} from './attempt-delivery.ts'
import { DeliverySlots, type DueDeliveries, type SlotOptions } from './delivery-slots.ts'
import { prepareDelivery, type Send } from './prepare-delivery.ts'
import { StoreOutage } from './store-outage.ts'
import { listHeldReceivers } from './webhook-endpoints.ts'

/** The outcome of a delivery, without anything that identifies a receiver. */
export interface Dispatched {
  readonly kind: DeliveryKind
  /** `own_fault` does not count as an attempt. */
  readonly outcome: 'delivered' | 'written' | DeliveryFailure | 'own_fault'
  readonly seconds: number
}

export interface DispatcherOptions extends SlotOptions {
  readonly logger: Logger
  readonly observe?: ((dispatched: Dispatched) => void) | undefined
  /** The pause between two fetches. Deliveries that fall due meanwhile share the next fetch. */
  readonly pauseBetweenReads?: (() => Promise<void>) | undefined
}

/** How long a delivery is postponed after a fault of ours. */
const localFaultSeconds = 30

interface Prepared {
  readonly delivery: Delivery
  /**
   * The way to send the delivery, the reason why it will never be sent, a sign that it has to wait, or the fault that
   * prevented its preparation.
   */
  readonly step:
    | { readonly send: Send }
    | { readonly death: DeadReason }
    | { readonly isHeld: true }
    | { readonly fault: unknown }
}

/**
 * Sends due deliveries to the receivers that this instance owns. It has no timer: its caller calls `startDue` when
 * deliveries are put and at `nextDueAt`. This page names its modes and says why each is needed.
 *
 * The dispatcher itself:
 *
 * - **Idle**: nothing is fetched and nothing is in flight. Only a call of `startDue` ends this.
 * - **Starting** (`#starting`): it fetches what is due, chooses what has a free slot, and begins it. There is one such
 *   loop at a time, because two fetches would find the same deliveries. A call meanwhile sets `#isAskedAgain`, and the
 *   loop fetches once more: the delivery that the call is about may have been put after the fetch.
 * - **Refilling** (`#isRefilling`): a slot has become free, and gets a delivery that the last fetch has left
 *   (`#fetched`). A fetch takes a round trip to the database, and a fast receiver must not wait for it. Refilling and
 *   starting may run at the same time, because both choose without waiting.
 * - **Suspicious** (`#outage.isSuspected`): the store or the machine has failed. It sends nothing before the store says
 *   that it accepts writes, because without recorded outcomes it would send the same deliveries again and again. What
 *   was fetched is dropped: another instance may own the receivers once the store is back.
 * - **Stopped** (`#isStopped`): it begins nothing more, and waits for what is in flight and for its outcome.
 * - **Aborted** (`#isAborted`): what is in flight ends now, without an outcome. The next start of the service sends it
 *   again.
 *
 * A delivery, from due to recorded:
 *
 * - **Fetched**: read from the store, without a slot yet.
 * - **Chosen**: it has a slot (`delivery-slots.ts`), and no other delivery of its receiver and ordering key has one.
 * - **Prepared**: it is known how to send it, why it will never be sent, that it has to wait because its endpoint was
 *   paused since the fetch, or which fault prevented the preparation. All that are chosen are prepared by one read.
 * - **Sending**: on the way to the receiver. If the lease of the receiver has ended, it is not sent, because another
 *   instance sends it.
 * - **Sent**: its slot is free, but it stays in flight until its outcome is recorded, because a fetch could still find it
 *   as due.
 * - **Released**: its outcome is recorded. The next delivery of the ordering key may start.
 * - **Postponed**: a fault of ours prevented it. It waits in memory and uses up no attempt.
 */
export class Dispatcher {
  readonly #service: Service
  readonly #options: DispatcherOptions
  readonly #slots: DeliverySlots
  readonly #recorder: AttemptRecorder
  readonly #outage: StoreOutage
  readonly #inFlight = new Set<Promise<void>>()
  /** Deliveries of the last fetch that still wait for a slot. */
  #fetched: readonly DueDeliveries[] = []
  #isRefilling = false
  #starting: Promise<void> | undefined
  #isAskedAgain = false
  #notePostponed: (() => void) | undefined
  #isStopped = false
  #isAborted = false

  constructor(service: Service, options: DispatcherOptions) {
    this.#service = service
    this.#options = options
    this.#slots = new DeliverySlots(options)
    this.#recorder = new AttemptRecorder(service)
    this.#outage = new StoreOutage(service.clock, options.logger)
  }

  /** Resolves when everything that is due, or becomes due meanwhile, has been attempted. */
  async dispatchDue(): Promise<void> {
    await this.startDue()
    await this.#untilIdle()
  }

  /**
   * Resolves when due deliveries with a free slot have started. The others start when slots
   * become free.
   */
  startDue(): Promise<void> {
    this.#isAskedAgain = true
    if (!this.#isStopped) this.#starting ??= this.#start()
    return this.#starting ?? Promise.resolve()
  }

  /**
   * When to call `startDue` again, unless deliveries are put before.
   * @param now a time before the last call, because a delivery may have fallen due during the call
   */
  async nextDueAt(now = this.#service.clock.now()): Promise<Timestamp | undefined> {
    const { store } = this.#service
    const due = await store.read(({ deliveries }) => deliveries.findNextDueAt(now))
    const next = [due, this.#slots.nextRetryAt(now)].filter((at) => at !== undefined).sort()[0]
    return this.#outage.nextAttemptAt(next)
  }

  /** Calls `listener` when a delivery was postponed, which changes `nextDueAt`. */
  onPostponed(listener: () => void): void {
    this.#notePostponed = listener
  }

  /**
   * Must be called every `renewEveryMs` of the leases. Aborts deliveries to receivers whose lease may have
   * expired.
   */
  async renewLeases(): Promise<void> {
    const { receiverLeases } = this.#service.store
    const inUse = this.#slots.receiversInUse
    try {
      await receiverLeases.renew(inUse)
    } finally {
      for (const receiver of inUse) {
        if (!receiverLeases.isOwned(receiver)) this.#slots.abort(receiver)
      }
    }
  }

  /** The receivers that have not answered yet. */
  get receiversInUse(): readonly string[] {
    return [...this.#slots.receiversInUse]
  }

  /** Starts nothing more. Resolves when nothing is in flight and all leases are released. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#untilIdle()
    // If the database is unreachable, the leases expire.
    await this.#service.store.receiverLeases.releaseAll().catch(() => undefined)
  }

  /** Aborts everything in flight; the next start sends it again. */
  abortAll(): void {
    this.#isAborted = true
    for (const receiver of this.#slots.receiversInUse) this.#slots.abort(receiver)
  }

  async #untilIdle(): Promise<void> {
    while (this.#starting || this.#inFlight.size > 0) {
      await (this.#starting ?? Promise.race(this.#inFlight))
    }
  }

  async #start(): Promise<void> {
    try {
      while (this.#isAskedAgain && !this.#isStopped) {
        this.#isAskedAgain = false
        await this.#beginDue()
        await this.#options.pauseBetweenReads?.()
      }
    } catch (error) {
      this.#noteOutage(error)
    } finally {
      // This must run in the same turn as the last check of `#isAskedAgain`, so that no call gets lost.
      this.#starting = undefined
    }
  }

  async #beginDue(): Promise<void> {
    const { store, clock } = this.#service
    // Without recorded outcomes, deliveries would be sent again and again.
    if (this.#outage.isSuspected) {
      if (!(await store.health()).ready) return this.#outage.pause()
      this.#outage.clear()
    }
    const now = clock.now()
    this.#slots.beginFetch()
    this.#fetched = await this.#findDue(now)
    await this.#beginFetched(now)
  }

  /** Starts the deliveries that find a slot, and returns their number. */
  async #beginFetched(now: Timestamp): Promise<number> {
    const chosen = this.#slots.choose(this.#fetched, now)
    this.#fetched = this.#slots.leftOf(this.#fetched)
    try {
      const prepared = chosen.length > 0 ? await this.#prepare(chosen) : []
      this.#outage.forgetReason()
      // The dispatcher may have been stopped meanwhile.
      if (this.#isStopped) for (const delivery of chosen) this.#slots.release(delivery)
      else for (const one of prepared) this.#begin(one)
      return chosen.length
    } catch (error) {
      for (const delivery of chosen) this.#slots.release(delivery)
      throw error
    }
  }

  /** A slot has become free. Until the next fetch, a remaining delivery of the last fetch gets it. */
  #refill(): void {
    if (this.#isRefilling) return
    this.#isRefilling = true
    const refilling = this.#refillSlots()
      .catch((error) => this.#noteOutage(error))
      .then(() => {
        this.#isRefilling = false
        this.#inFlight.delete(refilling)
      })
    this.#inFlight.add(refilling)
  }

  async #refillSlots(): Promise<void> {
    do await nextTurn()
    while (!this.#outage.isSuspected && (await this.#beginFetched(this.#service.clock.now())) > 0)
  }

  #noteOutage(error: unknown): void {
    // Another instance may own the receivers when the store is back.
    this.#fetched = []
    this.#outage.record(error)
    this.#notePostponed?.()
  }

  /** Reads only what is durable: a crash must not undo an event that a receiver knows. */
  async #findDue(now: Timestamp): Promise<readonly DueDeliveries[]> {
    const { store } = this.#service
    const leases = store.receiverLeases
    const [all, held] = await store.read((records) =>
      Promise.all([records.deliveries.listReceivers(), listHeldReceivers(records)]),
    )
    await leases.acquire(all)
    const isOpen = (one: string) => !held.has(one) && leases.maySend(one)
    const open = all.filter((one) => isOpen(one) && this.#slots.freeSlots(one, now) > 0)
    if (open.length === 0) return []
    return store.read(({ deliveries }) =>
      Promise.all(
        open.map(async (receiver) => {
          const limit = this.#slots.fetchLimit(receiver, now)
          const [firstAttempts, retries] = await Promise.all([
            deliveries.listDue(receiver, { attempts: 'first', now, limit }),
            deliveries.listDue(receiver, { attempts: 'retry', now, limit }),
          ])
          return { receiver, firstAttempts, retries }
        }),
      ),
    )
  }

  #prepare(chosen: readonly Delivery[]): Promise<readonly Prepared[]> {
    const service = this.#service
    return service.store.read((records) =>
      Promise.all(
        chosen.map(async (delivery) => {
          const asked = prepareDelivery(records, service, delivery)
          const step = await asked.then(stepOf, (fault) => ({ fault }))
          return { delivery, step }
        }),
      ),
    )
  }

  #begin(prepared: Prepared): void {
    const { delivery, step } = prepared
    if ('isHeld' in step) {
      this.#slots.release(delivery)
      return
    }
    const attempt = this.#attempt(prepared).then(() => {
      this.#slots.release(delivery)
      this.#inFlight.delete(attempt)
      // The next delivery of the ordering key may start now.
      void this.startDue()
    })
    this.#inFlight.add(attempt)
  }

  async #attempt({ delivery, step }: Prepared): Promise<void> {
    const { clock } = this.#service
    const startedMs = clock.stopwatchMs()
    try {
      if ('isHeld' in step) return
      if ('fault' in step) throw step.fault
      if ('death' in step) await this.#end(delivery, step.death)
      else await this.#send(delivery, step.send)
    } catch (error) {
      await this.#noteLocalFault(delivery, error, (clock.stopwatchMs() - startedMs) / 1000)
    }
  }

  async #end(delivery: Delivery, cause: DeadReason): Promise<void> {
    this.#slots.markSent(delivery)
    const after = await abandonDelivery(this.#service, delivery, cause)
    if (after) this.#noteDeath(after)
  }

  async #send(delivery: Delivery, send: Send): Promise<void> {
    // The lease may have expired while the store or the machine was slow.
    if (!this.#service.store.receiverLeases.isOwned(receiverOf(delivery))) return
    const signal = this.#slots.signalOf(delivery)
    const attempted = await attemptDelivery(this.#service, send, signal)
    this.#noteCondition(delivery, attempted.attempt)
    this.#slots.markSent(delivery)
    this.#refill()
    void this.startDue()
    const after = await this.#recorder.record(delivery, attempted)
    if (!after) return
    this.#noteAttempt(after, attempted.attempt)
    this.#noteDeath(after)
  }

  #noteCondition(delivery: Delivery, { failure }: DeliveryAttempt): void {
    const { health } = this.#slots
    if (failure === null) health.recordSuccess(receiverOf(delivery))
    else if (delivery.target.kind === 'webhook') health.recordFailure(receiverOf(delivery))
  }

  #noteAttempt(delivery: Delivery, attempt: DeliveryAttempt): void {
    const { target, attemptsInRound } = delivery
    const { failure, status, durationMs, written } = attempt
    const outcome = failure ?? (written ? 'written' : 'delivered')
    this.#options.observe?.({ kind: target.kind, outcome, seconds: durationMs / 1000 })
    const what = { attempt: attemptsInRound, outcome, status, durationMs }
    this.#options.logger.info({ ...logFieldsOf(delivery), ...what }, 'delivery attempted')
  }

  #noteDeath(delivery: Delivery): void {
    const { state, deadBecause: cause } = delivery
    if (state === 'dead')
      this.#options.logger.warn({ ...logFieldsOf(delivery), cause }, 'delivery died')
  }

  async #noteLocalFault(delivery: Delivery, error: unknown, seconds: number): Promise<void> {
    // An aborted delivery is neither an attempt nor a fault.
    if (this.#isAborted || this.#slots.signalOf(delivery).aborted) return
    const now = this.#service.clock.now()
    this.#fetched = []
    this.#slots.postpone(delivery, this.#retryAfterFault(delivery, now))
    this.#slots.health.pause(receiverOf(delivery), now)
    this.#outage.suspect()
    this.#notePostponed?.()
    this.#options.observe?.({ kind: delivery.target.kind, outcome: 'own_fault', seconds })
    const fields = { ...logFieldsOf(delivery), error }
    this.#options.logger.error(fields, 'a delivery was not attempted because of an internal error')
    if (delivery.target.kind === 'mail') await this.#recordOwnFault(delivery, now)
  }

  /** The last try is at the end of the schedule. */
  #retryAfterFault(delivery: Delivery, now: Timestamp): Timestamp {
    const next = addSeconds(now, localFaultSeconds)
    if (delivery.target.kind !== 'mail') return next
    const end = endOfFaults(delivery, now, this.#service.settings.mailWaits)
    return end < next ? end : next
  }

  async #recordOwnFault(delivery: Delivery, now: Timestamp): Promise<void> {
    try {
      const after = await recordOwnFault(this.#service, delivery, now)
      if (after) this.#noteDeath(after)
    } catch {
      // The store fails, too. Nothing is sent before it accepts writes, and the next fault is recorded.
    }
  }
}

function stepOf(found: Send | DeadReason | 'held'): Prepared['step'] {
  if (found === 'held') return { isHeld: true }
  return typeof found === 'string' ? { death: found } : { send: found }
}

/** Identifies the delivery without anything that a partner wrote. */
function logFieldsOf({ target, organizationId, eventId, deliveryId }: Delivery): LogFields {
  const whose = { organizationId, eventId, deliveryId }
  return target.kind === 'mail'
    ? { kind: target.kind, ...whose }
    : { kind: target.kind, webhookEndpointId: target.webhookEndpointId, ...whose }
}
