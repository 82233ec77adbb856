import type { Contestant, Heat, Result, Round, WarmUp } from './contestant.ts'
import type { Generator } from './load/generator.ts'
import type { Burst, Load, Outcome } from './load/load.ts'
import { cpuMicrosecondsOf } from './process-tree.ts'
import { refuseOutcome } from './wrong-answers.ts'

export interface Effort {
  readonly rounds: number
  readonly secondsPerRound: number
  readonly warmUp: WarmUp
}

interface Run extends Effort {
  readonly generator: Generator
  /** Loads that have had their warm-up. */
  readonly warm: Set<Load>
}

/**
 * Each round measures all contestants, so that other work on the machine affects all of them. Every
 * second round has the reverse order, because a contestant can leave work behind (a vacuum, a
 * compaction) that slows down the next one.
 */
export async function runHeat(heat: Heat, run: Run): Promise<Result[]> {
  const { work, connections, contestants, leastSeconds = 0 } = heat
  const { warmUp = run.warmUp } = heat
  for (const contestant of contestants) await warm(contestant, connections, { ...run, warmUp })
  const results = contestants.map(({ name }) => {
    const measured: Round[] = []
    return { work, connections, name, rounds: measured }
  })
  const seconds = Math.max(run.secondsPerRound, leastSeconds)
  for (let round = 0; round < run.rounds; round++) {
    const turns = [...contestants.entries()]
    if (round % 2 === 1) turns.reverse()
    for (const [number, contestant] of turns) {
      const { load } = contestant
      const burst = { load, connections, seconds }
      results[number]?.rounds.push(await measure(contestant, { work, burst }, run.generator))
    }
  }
  return results
}

/**
 * Code that V8 has not compiled yet is several times slower, and V8 compiles only code that has run
 * often.
 */
async function warm(contestant: Contestant, connections: number, run: Run): Promise<void> {
  const { name, load, settle } = contestant
  if (run.warm.has(load)) return
  run.warm.add(load)
  const startedAt = performance.now()
  for (let answers = 0; answers < run.warmUp.answers; ) {
    if (performance.now() - startedAt > run.warmUp.maximumSeconds * 1000) return
    const outcome = await run.generator.send({ load, connections, seconds: 0.5 })
    refuseOutcome(name, 'warm-up', outcome)
    await settle?.(run.generator.answersFrom(load.origin))
    answers += outcome.answers
  }
}

async function measure(
  { name, roots, load, settle }: Contestant,
  { work, burst }: { readonly work: string; readonly burst: Burst },
  generator: Generator,
): Promise<Round & Outcome> {
  const send = await generator.open(burst)
  const before = cpuMicrosecondsOf(roots)
  const startedAt = performance.now()
  const outcome = await send()
  refuseOutcome(name, work, outcome)
  const { answers } = outcome
  if (!settle) return { ...outcome, cpuMicroseconds: cpuOf(roots, before) / answers }
  await settle(generator.answersFrom(load.origin))
  const seconds = (performance.now() - startedAt) / 1000
  const cpuMicroseconds = cpuOf(roots, before) / answers
  return { ...outcome, seconds, perSecond: answers / seconds, cpuMicroseconds }
}

function cpuOf(roots: readonly number[], before: number): number {
  return cpuMicrosecondsOf(roots) - before
}
