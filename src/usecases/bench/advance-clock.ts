import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { atMost } from '../../machine/time.ts'
import type { MovableClock } from '../../ports/clock.ts'

/** Work that waits for the clock, such as retries of deliveries. */
export interface TimedWork {
  /** Resolves when no such work is due or in progress. */
  run(): Promise<void>
  /** The next time after now at which work falls due; undefined if nothing waits. */
  nextDueAt(): Promise<Timestamp | undefined>
  /** A text about the work in progress; empty if there is none. */
  describe(): string
}

export interface Advance {
  /** Called when its turn has come: other commands may have moved the clock before. */
  readonly findTarget: (now: Timestamp) => Timestamp
  readonly timeoutMs: number
}

/**
 * Moves the clock from one due instant to the next, and does the work that is due at that instant, so that
 * everything happens in the same order and at the same times as in a service in real time. Resolves
 * when nothing due is in progress.
 */
export async function advanceClock(
  clock: MovableClock,
  works: readonly TimedWork[],
  { findTarget, timeoutMs }: Advance,
): Promise<void> {
  const to = findTarget(clock.now())
  if (to < clock.now()) throw backwards(clock.now(), to)
  let isOver = false
  const walk = async () => {
    await runAll(works)
    while (!isOver) {
      const next = await nextOf(works, clock.now())
      // After a time-out, another advance or a reset may have moved the clock.
      if (isOver) return
      if (next === undefined || next > to) break
      clock.moveTo(next)
      await runAll(works)
    }
    if (isOver) return
    clock.moveTo(to)
    await runAll(works)
  }
  if (await atMost(timeoutMs, walk())) return
  isOver = true
  throw busy(clock.now(), works, timeoutMs)
}

/** One kind of work may cause another: a decision creates deliveries, which come last in `works`. */
async function runAll(works: readonly TimedWork[]): Promise<void> {
  for (const work of works) await work.run()
}

async function nextOf(works: readonly TimedWork[], now: Timestamp): Promise<Timestamp | undefined> {
  const times = await Promise.all(works.map((work) => work.nextDueAt()))
  return times.filter((at) => at !== undefined && at > now).sort()[0]
}

function backwards(now: Timestamp, to: Timestamp): Problem {
  return new Problem(
    'CLOCK_BACKWARDS',
    `The clock shows ${now} and never goes backwards, so it cannot be set to ${to}. A reset returns to the start.`,
  )
}

function busy(now: Timestamp, works: readonly TimedWork[], timeoutMs: number): Problem {
  const running = works.map((work) => work.describe()).filter((text) => text !== '')
  const what = running.join(', ') || 'work on due deliveries'
  return new Problem(
    'CLOCK_BUSY',
    `After ${timeoutMs / 1000} s this was still in progress: ${what}. The clock shows ${now}. Advance the clock again to continue, or allow a longer timeout.`,
  )
}
