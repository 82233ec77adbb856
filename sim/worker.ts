// One process of a simulation: takes seeds from its parent, and reports the result of each.
import { type Run, runSeed, type Trial } from './run-seed.ts'
import type { Hazard } from './world.ts'

export interface Task {
  readonly seed: number
  readonly isTwice: boolean
  readonly hazards?: readonly Hazard[]
  readonly skipped?: readonly number[]
}

export interface Done extends Run {
  /** Whether the second run of the seed had another digest. */
  readonly differs: boolean
  readonly cpuMs: number
}

process.on('message', (task: Task) => {
  void work(task).then((done) => process.send?.(done))
})

async function work({ seed, isTwice, hazards, skipped = [] }: Task): Promise<Done> {
  const trial: Trial = { seed, ...(hazards && { hazards }), skipped: new Set(skipped) }
  const before = process.cpuUsage()
  const run = await runSeed(trial)
  const { user, system } = process.cpuUsage(before)
  const again = isTwice ? await runSeed(trial) : run
  const story = run.violations.length > 0 ? run.story : []
  return { ...run, story, differs: again.digest !== run.digest, cpuMs: (user + system) / 1000 }
}
