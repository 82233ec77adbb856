import type { ContractPreview } from '../../domain/bench/contract-preview.ts'
import type { MovableClock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { Faults } from './faults.ts'
import { Coverage, Journal } from './journal.ts'

export interface Maintenance {
  readonly retryAfterSeconds: number
}

export interface BenchParts {
  readonly clock: MovableClock
  /** For the ids of faults, so that they do not shift the ids of records. */
  readonly random: Pick<Random, 'id'>
  readonly contractPreview: ContractPreview | undefined
}

/** What partners control when they test against the service (`serve --bench`); in memory. */
export class Bench {
  readonly clock: MovableClock
  readonly faults: Faults
  readonly journal = new Journal()
  readonly coverage = new Coverage()
  readonly contractPreview: ContractPreview | undefined
  /** undefined: the service answers. */
  maintenance: Maintenance | undefined

  constructor({ clock, random, contractPreview }: BenchParts) {
    this.clock = clock
    this.faults = new Faults(random)
    this.contractPreview = contractPreview
    this.journal.watch((exchange) => this.coverage.note(exchange))
  }

  /** Coverage stays, because it is about a whole run of tests. */
  reset(): void {
    this.clock.reset()
    this.faults.clear()
    this.journal.clear()
    this.maintenance = undefined
  }
}
