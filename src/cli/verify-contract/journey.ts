import { v4 } from 'uuid'
import { listReadSteps } from './read-steps.ts'
import type { Known, Step } from './step.ts'
import { writeSteps } from './write-steps.ts'

export function createJourney(write: boolean): readonly Step[] {
  return [...listReadSteps(), ...(write ? writeSteps : [])]
}

export function startKnowing(told: Known): Known {
  return {
    ...told,
    reference: `contract-verify-${v4()}`,
    // A deployment whose clock is a little behind has to take it, too.
    startedAt: new Date(Date.now() - 60_000).toISOString(),
  }
}
