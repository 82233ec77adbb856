import { setImmediate as immediately, setTimeout as pauseOf } from 'node:timers/promises'
import type { Time, Timer } from '../ports/machine.ts'

export const machineTime: Time = {
  nowMs: () => Date.now(),
  stopwatchMs: () => performance.now(),
  setTimeout: (work, ms) => globalThis.setTimeout(work, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer as NodeJS.Timeout | undefined),
  setInterval: (work, ms) => globalThis.setInterval(work, ms),
  clearInterval: (timer) => globalThis.clearInterval(timer as NodeJS.Timeout | undefined),
  nextTurn: () => immediately(),
  pause: (ms, signal) => pauseOf(ms, undefined, signal && { signal }),
}

let time = machineTime

/** A simulation calls this before it starts a service. */
export function useTime(other: Time): void {
  time = other
}

export const nowMs = (): number => time.nowMs()
export const stopwatchMs = (): number => time.stopwatchMs()
export const setTimeout = (work: () => void, ms: number): Timer => time.setTimeout(work, ms)
export const clearTimeout = (timer: Timer | undefined): void => time.clearTimeout(timer)
export const setInterval = (work: () => void, ms: number): Timer => time.setInterval(work, ms)
export const clearInterval = (timer: Timer | undefined): void => time.clearInterval(timer)
export const nextTurn = (): Promise<void> => time.nextTurn()
export const pause = (ms: number, signal?: AbortSignal): Promise<void> => time.pause(ms, signal)

/** Waits for the work, but no longer than this, and returns whether it has ended. If not, it continues. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const late = pause(ms, over.signal).catch(() => undefined)
  try {
    return await Promise.race([work.then(() => true), late.then(() => false)])
  } finally {
    over.abort()
  }
}

const perTurn = 1000

/** Maps a long list, and lets other requests have their turn meanwhile. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped,
  most = perTurn,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (const item of items) {
    if (mapped.length > 0 && mapped.length % most === 0) await nextTurn()
    mapped.push(map(item))
  }
  return mapped
}

/** Callers that wait at the same time share a run, which begins after all have asked. */
export function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const started = run()
      running = started.catch(() => undefined)
      return started
    })
    return next
  }
}
