import type { Contestant, Heat, Result, Round } from './contestant.ts'
import type { Generator } from './load/generator.ts'
import { cpuMicrosecondsOf } from './process-tree.ts'

export interface Effort {
  readonly rounds: number
  readonly secondsPerRound: number
}

interface Run extends Effort {
  readonly generator: Generator
  /** What has been sent to whom before. */
  readonly warm: Set<string>
}

// What V8 has not compiled yet takes several times as long, and it compiles what has run often.
const warmUp = { answers: 3000, mostSeconds: 12 }

/** Round by round through all contestants, so that whatever else the machine does meets all of them. */
export async function runHeat(heat: Heat, run: Run): Promise<Result[]> {
  const { work, connections, contestants } = heat
  for (const contestant of contestants) await warm(contestant, connections, run)
  const results = contestants.map(({ name }) => {
    const measured: Round[] = []
    return { work, connections, name, rounds: measured }
  })
  for (let round = 0; round < run.rounds; round++) {
    for (const [number, { load, roots }] of contestants.entries()) {
      const burst = { load, connections, seconds: run.secondsPerRound }
      results[number]?.rounds.push(await measure(roots, () => run.generator.send(burst)))
    }
  }
  return results
}

async function warm({ name, load }: Contestant, connections: number, { generator, ...run }: Run) {
  if (run.warm.has(`${name} ${load.paths[0]}`)) return
  run.warm.add(`${name} ${load.paths[0]}`)
  const startedAt = performance.now()
  for (let answers = 0; answers < warmUp.answers; ) {
    if (performance.now() - startedAt > warmUp.mostSeconds * 1000) return
    answers += (await generator.send({ load, connections, seconds: 0.5 })).answers
  }
}

async function measure(
  roots: readonly number[],
  send: () => ReturnType<Generator['send']>,
): Promise<Round> {
  const before = cpuMicrosecondsOf(roots)
  const { answers, perSecond, p50Ms, p99Ms, wrong, firstWrong } = await send()
  const cpuMicroseconds = (cpuMicrosecondsOf(roots) - before) / answers
  return { answers, perSecond, p50Ms, p99Ms, cpuMicroseconds, wrong, firstWrong }
}
