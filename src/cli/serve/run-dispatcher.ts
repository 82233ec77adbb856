import { setTimeout as pause } from 'node:timers/promises'
import type { Timestamp } from '../../domain/timestamp.ts'
import { renewalSeconds } from '../../ports/receiver-leases.ts'
import type { Service } from '../../usecases/service.ts'
import type { Dispatcher } from '../../usecases/webhooks/dispatcher.ts'

export interface RunningDispatcher {
  /** Finishes what is on its way, but not longer than `patienceMs`: what is left goes out after the next start. */
  stop(patienceMs: number): Promise<void>
}

/** Looks again after so long at the latest, whatever the clock has done. */
const longestSleepMs = 30_000
/** What is due and finds no place would else be looked for without a pause. */
const shortestSleepMs = 50
/** When the next one falls due is asked so often at most while outcomes are recorded. */
const askMs = 1000
/** For what has been given up to end. */
const lastMs = 500
/** When a renewal has failed. */
const renewalRetryMs = 1000

/** Gives the dispatcher its time: it looks when deliveries were put, and when the next one falls due. */
export function runDispatcher(
  { store, clock }: Service,
  dispatcher: Dispatcher,
): RunningDispatcher {
  const isOver = new AbortController()
  const { signal } = isOver
  const timer = new WakeUp(() => void look())
  let askedMs = performance.now()
  const look = async () => {
    await dispatcher.startDue()
    askedMs = performance.now()
    const next = await dispatcher.nextDueAt().catch(() => undefined)
    if (!signal.aborted) timer.setFor(askedMs + sleepMs(next, clock.now()))
  }
  const keepLeases = async () => {
    while (!signal.aborted) {
      const renewing = dispatcher.renewLeases()
      const isRenewed = await renewing.then(
        () => true,
        () => false,
      )
      await sleep(isRenewed ? renewalSeconds * 1000 : renewalRetryMs, signal)
    }
  }
  const askSoon = () => timer.setFor(askedMs + askMs)
  dispatcher.onPutOff(askSoon)
  const unwatch = store.watchDeliveries(() => {
    void dispatcher.startDue()
    askSoon()
  })
  void look()
  void keepLeases()
  return {
    async stop(patienceMs) {
      isOver.abort()
      unwatch()
      timer.clear()
      const impatience = setTimeout(() => dispatcher.giveUp(), patienceMs)
      const late = new AbortController()
      await Promise.race([
        dispatcher.stop(),
        // It may wait for a store that does not answer.
        sleep(patienceMs + lastMs, late.signal),
      ])
      late.abort()
      clearTimeout(impatience)
    },
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined)
}

function sleepMs(next: Timestamp | undefined, now: Timestamp): number {
  // A timer may fire a millisecond early.
  const untilNext = next ? Date.parse(next) - Date.parse(now) + 1 : longestSleepMs
  return Math.min(Math.max(untilNext, shortestSleepMs), longestSleepMs)
}

/** A timer that only ever moves to an earlier moment. */
class WakeUp {
  readonly #wake: () => void
  #timer: NodeJS.Timeout | undefined
  #atMs = Number.POSITIVE_INFINITY

  constructor(wake: () => void) {
    this.#wake = wake
  }

  setFor(atMs: number): void {
    if (this.#atMs <= atMs) return
    clearTimeout(this.#timer)
    this.#atMs = atMs
    const wake = () => {
      this.clear()
      this.#wake()
    }
    this.#timer = setTimeout(wake, Math.max(0, atMs - performance.now()))
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#atMs = Number.POSITIVE_INFINITY
  }
}
