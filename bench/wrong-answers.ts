import type { Result } from './contestant.ts'
import type { Outcome } from './load/load.ts'

/** Ends the run, because figures are meaningless if answers are wrong. */
export class WrongAnswers extends Error {}

/** A limit that did not hold, which is reported without a stack. */
export class GaveWay extends Error {}

/** Returns the exit code. */
export async function exitCodeOf(run: () => Promise<void>): Promise<number> {
  try {
    await run()
    return 0
  } catch (error) {
    if (error instanceof WrongAnswers) {
      console.error(`Do not quote these figures, because some answers were wrong. ${error.message}`)
    } else console.error(error instanceof GaveWay ? error.message : error)
    return 1
  }
}

export function refuseOutcome(name: string, work: string, outcome: Outcome): void {
  const { answers, wrong, firstWrong } = outcome
  if (wrong === 0 && answers > 0) return
  const first = firstWrong === null ? '' : `, the first: ${firstWrong}`
  throw new WrongAnswers(`${name}, ${work}: ${answers} answers, ${wrong} faults${first}`)
}

export function refuseResults(results: readonly Result[]): void {
  for (const { name, work, rounds } of results) {
    for (const { answers, wrong, firstWrong } of rounds) {
      if (wrong === 0 && answers > 0) continue
      throw new WrongAnswers(
        `${name}, ${work}: ${wrong} answers are wrong. The first: ${firstWrong}`,
      )
    }
  }
}
