import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import {
  type DeathCause,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFailure,
  type DeliveryKind,
  receiverOf,
} from '../../domain/webhooks/delivery.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Service } from '../service.ts'
import { attemptDelivery, endDelivery, recordAttempt } from './attempt-delivery.ts'
import { logFieldsOf } from './log-fields-of.ts'
import { type Due, Places, type PlacesOptions } from './places.ts'
import { prepareSending, type Send } from './prepare-sending.ts'
import { StoreOutage } from './store-outage.ts'

/** What became of one delivery that was begun, without anything that tells one receiver from another. */
export interface Dispatched {
  readonly kind: DeliveryKind
  /** `own_fault` is no attempt: the receiver had no part in it. */
  readonly outcome: 'delivered' | 'written' | DeliveryFailure | 'own_fault'
  readonly seconds: number
}

export interface DispatcherOptions extends PlacesOptions {
  readonly logger: Logger
  readonly observe?: ((dispatched: Dispatched) => void) | undefined
}

/** How long a delivery is left alone that a fault of ours has kept from being attempted. */
const ownFaultSeconds = 30

interface Prepared {
  readonly delivery: Delivery
  /** What sends it, why it is not to be sent, or the fault that keeps both from being known. */
  readonly step:
    | { readonly send: Send }
    | { readonly death: DeathCause }
    | { readonly fault: unknown }
}

/**
 * Sends what is due at the receivers that this instance owns. It fetches in batches what finds a place, and begins the next
 * batch while outcomes of the one before are being recorded. It has no timer: its caller says when to look.
 */
export class Dispatcher {
  readonly #service: Service
  readonly #options: DispatcherOptions
  readonly #places: Places
  readonly #outage: StoreOutage
  readonly #underWay = new Set<Promise<void>>()
  #starting: Promise<void> | undefined
  #isAskedAgain = false
  #notePutOff: (() => void) | undefined
  #isStopped = false
  #isGivenUp = false

  constructor(service: Service, options: DispatcherOptions) {
    this.#service = service
    this.#options = options
    this.#places = new Places(options)
    this.#outage = new StoreOutage(service.clock, options.logger)
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
    const now = clock.now()
    const due = await store.read(({ deliveries }) => deliveries.findNextDueAt(now))
    const next = [due, this.#places.nextEnd(now)].filter((at) => at !== undefined).sort()[0]
    return this.#outage.after(next)
  }

  /** Calls `listener` when a fault of ours has put a delivery off, which changes `nextDueAt`. */
  onPutOff(listener: () => void): void {
    this.#notePutOff = listener
  }

  /** To be called every `renewalSeconds`. What goes to a receiver that another instance may own by now is cut off. */
  async renewLeases(): Promise<void> {
    const { receiverLeases } = this.#service.store
    const inUse = this.#places.receiversInUse
    try {
      await receiverLeases.renew(inUse)
    } finally {
      for (const receiver of inUse) {
        if (!receiverLeases.isOwned(receiver)) this.#places.abort(receiver)
      }
    }
  }

  /** Begins nothing more, and resolves when nothing is under way and others may go on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#untilIdle()
    // A database that is away lets the leases end by themselves.
    await this.#service.store.receiverLeases.giveBack().catch(() => undefined)
  }

  /** Ends what is under way: the next start sends it again. */
  giveUp(): void {
    this.#isGivenUp = true
    for (const receiver of this.#places.receiversInUse) this.#places.abort(receiver)
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
        await this.#beginDue()
      }
    } catch (error) {
      this.#outage.note(error)
      this.#notePutOff?.()
    } finally {
      // In the same turn as the last look at whether somebody has asked: who asks from now on starts it again.
      this.#starting = undefined
    }
  }

  async #beginDue(): Promise<void> {
    const { store, clock } = this.#service
    // What could not be recorded would be sent again and again.
    if (this.#outage.isSuspected) {
      if (!(await store.health()).ready) return this.#outage.pause()
      this.#outage.trust()
    }
    const now = clock.now()
    this.#places.beginLook()
    const due = await this.#findDue(now)
    const chosen = this.#places.choose(due, now)
    try {
      const prepared = chosen.length > 0 ? await this.#prepare(chosen) : []
      this.#outage.forgetReason()
      // It may have been stopped meanwhile.
      if (this.#isStopped) for (const delivery of chosen) this.#places.release(delivery)
      else for (const one of prepared) this.#begin(one)
    } catch (error) {
      for (const delivery of chosen) this.#places.release(delivery)
      throw error
    }
  }

  /** What is durable: nobody is told of anything that a crash could still undo. */
  async #findDue(now: Timestamp): Promise<readonly Due[]> {
    const { store } = this.#service
    const leases = store.receiverLeases
    const all = await store.read(({ deliveries }) => deliveries.listReceivers())
    await leases.take(all)
    const open = all.filter((one) => leases.mayBegin(one) && this.#places.room(one, now) > 0)
    if (open.length === 0) return []
    return store.read(({ deliveries }) =>
      Promise.all(
        open.map(async (receiver) => {
          const limit = this.#places.lookAt(receiver, now)
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
          const asked = prepareSending(records, service, delivery)
          const step = await asked.then(
            (found) => (typeof found === 'string' ? { death: found } : { send: found }),
            (fault) => ({ fault }),
          )
          return { delivery, step }
        }),
      ),
    )
  }

  #begin(prepared: Prepared): void {
    const { delivery } = prepared
    const attempt = this.#attempt(prepared).then(() => {
      this.#places.release(delivery)
      this.#underWay.delete(attempt)
      // Its end lets the next one of its ordering key go.
      void this.startDue()
    })
    this.#underWay.add(attempt)
  }

  async #attempt({ delivery, step }: Prepared): Promise<void> {
    const { clock } = this.#service
    const startedMs = clock.monotonicMs()
    try {
      if ('fault' in step) throw step.fault
      if ('death' in step) await this.#end(delivery, step.death)
      else await this.#send(delivery, step.send)
    } catch (error) {
      this.#noteOwnFault(delivery, error, (clock.monotonicMs() - startedMs) / 1000)
    }
  }

  async #end(delivery: Delivery, cause: DeathCause): Promise<void> {
    this.#places.noteSent(delivery)
    const after = await endDelivery(this.#service, delivery, cause)
    if (after) this.#noteDeath(after)
  }

  async #send(delivery: Delivery, send: Send): Promise<void> {
    // The store may have taken long, or the machine may have stood still.
    if (!this.#service.store.receiverLeases.isOwned(receiverOf(delivery))) return
    const signal = this.#places.signalOf(delivery)
    const attempted = await attemptDelivery(this.#service, send, signal)
    this.#noteCondition(delivery, attempted.attempt)
    this.#places.noteSent(delivery)
    void this.startDue()
    const after = await recordAttempt(this.#service, delivery, attempted)
    if (!after) return
    this.#noteAttempt(after, attempted.attempt)
    this.#noteDeath(after)
  }

  #noteCondition(delivery: Delivery, { failure }: DeliveryAttempt): void {
    const { conditions } = this.#places
    if (failure === null) conditions.noteSuccess(receiverOf(delivery))
    else if (delivery.target.kind === 'webhook') conditions.noteFailure(receiverOf(delivery))
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

  #noteOwnFault(delivery: Delivery, error: unknown, seconds: number): void {
    // What was cut off was neither an attempt nor a fault.
    if (this.#isGivenUp || this.#places.signalOf(delivery).aborted) return
    const now = this.#service.clock.now()
    this.#places.leaveAlone(delivery, addSeconds(now, ownFaultSeconds))
    this.#places.conditions.noteOwnFault(receiverOf(delivery), now)
    this.#outage.suspect()
    this.#notePutOff?.()
    this.#options.observe?.({ kind: delivery.target.kind, outcome: 'own_fault', seconds })
    const fields = { ...logFieldsOf(delivery), error }
    this.#options.logger.error(fields, 'a fault of ours kept a delivery from being attempted')
  }
}
