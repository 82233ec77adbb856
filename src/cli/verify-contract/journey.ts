import { v4 } from 'uuid'
import { listReadSteps, type Versions } from './read-steps.ts'
import type { Known, Step } from './step.ts'
import { writeSteps } from './write-steps.ts'

export function createJourney(versions: Versions, write: boolean): readonly Step[] {
  const steps = [...listReadSteps(versions), ...(write ? writeSteps : [])]
  // What came with a newer version than the deployment has cannot be asked of it.
  return steps.filter(({ operationId }) =>
    versions.contracts.some((contract) => contract.has(operationId)),
  )
}

export function startKnowing(told: Known): Known {
  return {
    ...told,
    reference: `contract-verify-${v4()}`,
    // A deployment whose clock is a little behind has to take it, too.
    startedAt: new Date(Date.now() - 60_000).toISOString(),
  }
}
