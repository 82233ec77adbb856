import type { ContractPreview } from '../../domain/bench/contract-preview.ts'
import type { Fault } from '../../domain/bench/fault.ts'
import { Problem } from '../../domain/problem.ts'
import type { MovableClock, Random } from '../../ports/clock.ts'
import { Coverage, Journal } from './journal.ts'

export type NewFault = Omit<Fault, 'faultId' | 'happened'>

interface Occasion {
  readonly operation: string
  readonly clientId?: string | null | undefined
  readonly webhookEndpointId?: string | null | undefined
}

/** The requested faults, oldest first. At most one of them affects each occasion. */
export class Faults {
  readonly #random: Pick<Random, 'id'>
  #faults: readonly Fault[] = []

  constructor(random: Pick<Random, 'id'>) {
    this.#random = random
  }

  add(fault: NewFault): Fault {
    const added = { ...fault, faultId: this.#random.id(), happened: 0 }
    this.#faults = [...this.#faults, added]
    return added
  }

  /** The faults that can still occur. */
  list(): readonly Fault[] {
    return this.#faults
  }

  remove(faultId: string): void {
    const others = this.#faults.filter((fault) => fault.faultId !== faultId)
    if (others.length === this.#faults.length) {
      throw new Problem(
        'FAULT_NOT_FOUND',
        `There is no fault ${faultId}. \`coopshare fault list\` lists the faults that can still occur.`,
      )
    }
    this.#faults = others
  }

  /** Returns the number of removed faults. */
  clear(): number {
    const { length } = this.#faults
    this.#faults = []
    return length
  }

  /** Returns the oldest fault for this occasion, and counts one occurrence of the fault. */
  take(occasion: Occasion): Fault | undefined {
    const found = this.#faults.find((fault) => isFor(fault, occasion))
    if (!found) return undefined
    const happened = { ...found, happened: found.happened + 1 }
    const left = found.timesLeft === null ? null : found.timesLeft - 1
    this.#faults = this.#faults.flatMap((fault) => {
      if (fault !== found) return fault
      return left === 0 ? [] : { ...happened, timesLeft: left }
    })
    return happened
  }
}

function isFor(fault: Fault, { operation, clientId, webhookEndpointId }: Occasion): boolean {
  if (fault.operation !== operation) return false
  if (fault.clientId !== null && fault.clientId !== clientId) return false
  return fault.webhookEndpointId === null || fault.webhookEndpointId === webhookEndpointId
}

export interface Maintenance {
  readonly retryAfterSeconds: number
}

export interface BenchParts {
  readonly clock: MovableClock
  /** Draws only the ids of faults. If these came from the generator of records, a fault would change later ids. */
  readonly random: Pick<Random, 'id'>
  readonly contractPreview: ContractPreview | undefined
}

/** The controls of partners who test against the service (`serve --bench`), in memory. */
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
