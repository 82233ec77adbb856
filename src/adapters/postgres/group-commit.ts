import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import { UniquenessError } from '../../ports/store.ts'
import { collections } from '../store/records.ts'
import { type Commitment, nameOf, writeCall } from './commit-call.ts'
import type { Database } from './database.ts'
import { codeOf, constraintOf, isConflict, isLost, isSilent, unavailable } from './faults.ts'

const mostTogether = 64
const mostUnderWay = 2
/** A database that restarts takes a moment; whoever waits for an order waits no longer. */
const outcomePausesMs = [0, 100, 300, 600, 1000, 2000]

const commit = 'select commit_works($1::text::uuid, $2::text::jsonb) as stale'
const outcomeOf = 'select call_outcome($1::text::uuid) as stale'

/** What came of a work: it is there, or what it has read has changed. */
export type Committed = 'done' | 'stale'

interface Waiting extends Commitment {
  readonly reads: ReadonlySet<string>
  readonly puts: ReadonlySet<string>
  readonly notifies: boolean
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** Commits works that wait at the same moment by one call of a function in the database. */
export class GroupCommit {
  readonly #database: Database
  #waiting: Waiting[] = []
  readonly #underWay = new Set<readonly Waiting[]>()
  #isGathering = false

  constructor(database: Database) {
    this.#database = database
  }

  commit(work: Commitment, notifies: boolean): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...work, ...namesOf(work), notifies, resolve, reject })
      this.#gather()
    })
  }

  #gather(): void {
    if (this.#isGathering || this.#underWay.size >= mostUnderWay) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      const works = this.#take()
      if (works.length === 0) return
      this.#underWay.add(works)
      void this.#send(works).finally(() => {
        this.#underWay.delete(works)
        if (this.#waiting.length > 0) this.#gather()
      })
      if (this.#waiting.length > 0) this.#gather()
    })
  }

  /** None that reads or puts what another one puts: of two such works, one would have to run again. */
  #take(): Waiting[] {
    const busy = [...this.#underWay].flat()
    const taken: Waiting[] = []
    const left: Waiting[] = []
    const reads = new Set(busy.flatMap((work) => [...work.reads]))
    const puts = new Set(busy.flatMap((work) => [...work.puts]))
    for (const work of this.#waiting) {
      const isFree =
        taken.length < mostTogether &&
        !some(work.puts, (name) => reads.has(name) || puts.has(name)) &&
        !some(work.reads, (name) => puts.has(name))
      if (!isFree) {
        left.push(work)
        continue
      }
      taken.push(work)
      for (const name of work.reads) reads.add(name)
      for (const name of work.puts) puts.add(name)
    }
    this.#waiting = left
    return taken
  }

  async #send(works: readonly Waiting[], isBlind = true): Promise<void> {
    try {
      const stale = await this.#call(works, isBlind)
      for (const [index, { resolve }] of works.entries()) {
        resolve(stale === 'all' || stale.includes(index) ? 'stale' : 'done')
      }
    } catch (error) {
      const [first, ...others] = works
      if (!first) return
      // Whose fault it was, each finds out alone: also what the database had no room for.
      if (others.length > 0 && !isGone(error)) for (const work of works) await this.#send([work])
      // It may be there already.
      else if (isBlind && constraintOf(error)) await this.#send(works, false)
      else for (const { reject } of works) reject(meaningOf(error))
    }
  }

  async #call(works: readonly Waiting[], isBlind: boolean): Promise<readonly number[] | 'all'> {
    const id = v7()
    try {
      const text = writeCall(works, { notifies: works.some(({ notifies }) => notifies), isBlind })
      return await this.#run(commit, [id, text])
    } catch (error) {
      if (isLost(error) || isSilent(error)) return this.#askOutcome(id, error)
      if (works.length === 1 && isRace(error, isBlind)) return 'all'
      throw error
    }
  }

  /** The connection was lost during the call, and only the database knows whether it took place. */
  async #askOutcome(id: string, lost: unknown): Promise<readonly number[] | 'all'> {
    for (const pauseMs of outcomePausesMs) {
      if (this.#database.isClosed) break
      await setTimeout(pauseMs)
      try {
        return await this.#run(outcomeOf, [id], 'all')
      } catch (error) {
        if (!isAway(error)) throw error
        if (isSilent(error)) break
      }
    }
    throw lost
  }

  async #run<Never>(
    text: string,
    values: readonly string[],
    never?: Never,
  ): Promise<readonly number[] | Exclude<Never, undefined>> {
    type Row = { readonly stale: string | null }
    const [row] = await this.#database.run<Row>(text, values)
    if (!row?.stale) return (never ?? []) as Exclude<Never, undefined>
    return JSON.parse(row.stale.replace('{', '[').replace('}', ']')) as number[]
  }
}

function namesOf({ proof, changes }: Commitment) {
  const reads = [
    ...proof.rows.map(nameOf),
    ...[...proof.collections.keys()].map(({ name }) => name),
  ]
  const puts = changes.flatMap((change) =>
    change.collection.isKept ? [change.collection.name, nameOf(change)] : [nameOf(change)],
  )
  return { reads: new Set(reads), puts: new Set(puts) }
}

function some(names: ReadonlySet<string>, is: (name: string) => boolean): boolean {
  for (const name of names) if (is(name)) return true
  return false
}

/** Nobody else's fault, and nothing that another call would change. */
function isGone(error: unknown): boolean {
  return isLost(error) || isSilent(error) || /^(08|57P|25006)/.test(codeOf(error))
}

/** It may be there again in a moment. */
function isAway(error: unknown): boolean {
  return isGone(error) || codeOf(error).startsWith('53')
}

const indexNames = new Map(
  Object.values(collections).flatMap(({ unique = [] }) =>
    unique.map(({ constraint, name }) => [constraint, name] as const),
  ),
)

/** Somebody else has made what this work has seen not to be there: it runs again, and sees it. */
function isRace(error: unknown, isBlind: boolean): boolean {
  const constraint = constraintOf(error)
  return isConflict(error) || (!isBlind && constraint !== '' && !indexNames.has(constraint))
}

function meaningOf(error: unknown): unknown {
  const index = indexNames.get(constraintOf(error))
  return index === undefined ? unavailable(error) : new UniquenessError(index)
}
