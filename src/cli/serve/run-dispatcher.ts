import { setTimeout as pause } from 'node:timers/promises'
import type { Timestamp } from '../../domain/timestamp.ts'
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
/** For what has been given up to end. */
const lastMs = 500

/** Gives the dispatcher its time: it looks when deliveries were put, and when the next one falls due. */
export function runDispatcher(
  { store, clock }: Service,
  dispatcher: Dispatcher,
): RunningDispatcher {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async () => {
    await dispatcher.startDue()
    const next = await dispatcher.nextDueAt().catch(() => undefined)
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => void look(), sleepMs(next, clock.now()))
  }
  const unwatch = store.deliveryClaims.watch(() => void look())
  void look()
  return {
    async stop(patienceMs) {
      isStopped = true
      unwatch()
      clearTimeout(timer)
      const impatience = setTimeout(() => dispatcher.giveUp(), patienceMs)
      const late = new AbortController()
      await Promise.race([
        dispatcher.stop(),
        // It may wait for a store that does not answer.
        pause(patienceMs + lastMs, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
      clearTimeout(impatience)
    },
  }
}

function sleepMs(next: Timestamp | undefined, now: Timestamp): number {
  // A timer may fire a millisecond early.
  const untilNext = next ? Date.parse(next) - Date.parse(now) + 1 : longestSleepMs
  return Math.min(Math.max(untilNext, shortestSleepMs), longestSleepMs)
}
