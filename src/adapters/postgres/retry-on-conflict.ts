import { setTimeout } from 'node:timers/promises'
import { refusal } from './faults.ts'

/** Attempts fail when other works commit first. Other instances do not queue with this one. */
const leastAttempts = 8
const longestRetryingMs = 4000
const longestPauseMs = 20

/**
 * Repeats a work until it commits, because others may change the records that it has read.
 * @param attempt returns undefined if they have
 */
export async function retryOnConflict<Result>(
  queues: WorkQueues,
  attempt: () => Promise<{ readonly result: Result } | undefined>,
): Promise<Result> {
  const lastAtMs = performance.now() + longestRetryingMs
  for (let count = 1; ; count += 1) {
    const tried = await (count === 1 ? attempt() : queues.run('retries', attempt))
    if (tried) return tried.result
    if (count >= leastAttempts && performance.now() > lastAtMs)
      throw refusal('Other requests keep changing the same records. Try again later.')
    await setTimeout(Math.random() * Math.min(2 ** (count - 1), longestPauseMs))
  }
}

/** Runs works of the same name one after the other. */
export class WorkQueues {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name)
    const run = before === undefined ? work() : before.then(work, work)
    this.#last.set(name, run)
    try {
      return await run
    } finally {
      if (this.#last.get(name) === run) this.#last.delete(name)
    }
  }
}
