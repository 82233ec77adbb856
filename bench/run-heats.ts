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
  /** What has been sent before. */
  readonly warm: Set<Load>
}

/** Round by round through all contestants, so that whatever else the machine does meets all of them. */
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
    for (const [number, contestant] of contestants.entries()) {
      const { load, roots, name } = contestant
      const outcome = await measure(run.generator, { load, connections, seconds }, roots)
      refuseOutcome(name, work, outcome)
      results[number]?.rounds.push(outcome)
    }
  }
  return results
}

/** What V8 has not compiled yet takes several times as long, and it compiles what has run often. */
async function warm({ name, load }: Contestant, connections: number, run: Run): Promise<void> {
  if (run.warm.has(load)) return
  run.warm.add(load)
  const startedAt = performance.now()
  for (let answers = 0; answers < run.warmUp.answers; ) {
    if (performance.now() - startedAt > run.warmUp.mostSeconds * 1000) return
    const outcome = await run.generator.send({ load, connections, seconds: 0.5 })
    refuseOutcome(name, 'warm-up', outcome)
    answers += outcome.answers
  }
}

async function measure(
  generator: Generator,
  burst: Burst,
  roots: readonly number[],
): Promise<Round & Outcome> {
  const send = await generator.open(burst)
  const before = cpuMicrosecondsOf(roots)
  const outcome = await send()
  const cpuMicroseconds = (cpuMicrosecondsOf(roots) - before) / outcome.answers
  return { ...outcome, cpuMicroseconds }
}
