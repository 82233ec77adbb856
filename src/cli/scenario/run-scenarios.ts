import { commandError } from '../errors.ts'
import { waitForStopSignal } from '../stop-signal.ts'
import { readScenarios } from './read-scenario.ts'
import { type PlayedScenario, runScenario, type Stage } from './run-scenario.ts'

interface Telling {
  /** Called when a scenario has ended. */
  readonly report: (played: PlayedScenario) => void
}

/** One after the other, so that an app may know the one port of the service. */
export async function runScenarios(
  files: readonly string[],
  stage: Stage,
  { report }: Telling,
): Promise<readonly PlayedScenario[]> {
  const scenarios = await readScenarios(files, stage.app)
  const over = new AbortController()
  let isStopped = false
  void waitForStopSignal(over.signal).then(() => {
    isStopped = true
  })
  const played: PlayedScenario[] = []
  try {
    for (const scenario of scenarios) {
      const one = await runScenario(scenario, { ...stage, isStopped: () => isStopped })
      if (isStopped) throw commandError('FAILED', 'Stopped before the last scenario had ended.')
      played.push(one)
      report(one)
    }
  } finally {
    over.abort()
  }
  return played
}
