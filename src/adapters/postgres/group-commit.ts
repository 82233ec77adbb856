import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import { nextTurn, stopwatchMs } from '../../machine/time.ts'
import { UniquenessError } from '../../ports/store.ts'
import { nameOf, type Proof } from '../store/proof.ts'
import { collections } from '../store/records.ts'
import type { Change } from '../store/staged-changes.ts'
import type { Database } from './database.ts'
import {
  codeOf,
  constraintOf,
  isCanceled,
  isConflict,
  isLost,
  isSilent,
  unavailable,
} from './faults.ts'
import { Batcher } from './reads.ts'
import { type Table, tableOf } from './table.ts'

const maximumBatch = 64
const maximumCalls = 2
/** The pauses between attempts while a database restarts. A request does not wait longer than their sum. */
const outcomePausesMs = [0, 100, 300, 600, 1000, 2000]
/** The database keeps the record of a call for this time, by its own clock. */
export const callsKeptMs = 600_000

const commit = 'select array_to_json(commit_works($1::text::uuid, $2::text::jsonb)) as stale'
const outcomeOf = 'select array_to_json(call_outcome($1::text::uuid)) as stale'

/** Whether the work was committed, or something that it read has changed. */
type Committed = 'done' | 'stale'
/** The indexes of the stale works. */
type Stale = readonly number[] | 'all'

interface Waiting extends Commitment {
  readonly reads: ReadonlySet<string>
  readonly puts: ReadonlySet<string>
  readonly resolve: (committed: Committed) => void
  readonly reject: (error: unknown) => void
}

/** Commits works that wait at the same time with one call of a function in the database. */
export class GroupCommit {
  readonly #database: Database
  readonly #running = new Set<Waiting>()
  readonly #waiting = new Batcher<Waiting>({
    maximum: maximumCalls,
    choose: (waiting) => this.#choose(waiting),
    send: async (works) => {
      await this.#send(works)
      for (const work of works) this.#running.delete(work)
    },
  })

  constructor(database: Database) {
    this.#database = database
  }

  commit(work: Commitment): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ resolve, reject, ...work, ...namesOf(work) })
    })
  }

  /** Chooses works that do not touch records of each other: of two such works, one would have to run again. */
  #choose(waiting: readonly Waiting[]): { readonly chosen: Waiting[]; readonly left: Waiting[] } {
    const chosen: Waiting[] = []
    const left: Waiting[] = []
    const busy = [...this.#running]
    const reads = new Set(busy.flatMap((work) => [...work.reads]))
    const puts = new Set(busy.flatMap((work) => [...work.puts]))
    for (const work of waiting) {
      const isFree =
        chosen.length < maximumBatch &&
        ![...work.puts].some((name) => reads.has(name) || puts.has(name)) &&
        ![...work.reads].some((name) => puts.has(name))
      if (!isFree) {
        left.push(work)
        continue
      }
      chosen.push(work)
      this.#running.add(work)
      for (const name of work.reads) reads.add(name)
      for (const name of work.puts) puts.add(name)
    }
    return { chosen, left }
  }

  /**
   * Returns the error with which works were refused.
   * @param isLast whether the works are refused together if they take too long
   */
  async #send(
    works: readonly Waiting[],
    { isBlind = true, isLast = works.length === 1 } = {},
  ): Promise<unknown> {
    try {
      const stale = await this.#call(works, isBlind)
      for (const [index, { resolve }] of works.entries()) {
        resolve(stale === 'all' || stale.includes(index) ? 'stale' : 'done')
      }
      return undefined
    } catch (error) {
      const isDivided = works.length > 1 && !isUnavailable(error)
      if (isDivided && !(isLast && isCanceled(error))) return this.#sendEach(works)
      // The record may exist already. The second call looks for it first.
      if (isBlind && constraintOf(error)) return this.#send(works, { isBlind: false, isLast })
      for (const { reject } of works) reject(meaningOf(error))
      return error
    }
  }

  /**
   * Tries each work alone, so that only a faulty one fails. After two that take too long, the others are tried
   * together, because each of them may wait for the same locked table.
   */
  async #sendEach(works: readonly Waiting[]): Promise<unknown> {
    let slow = 0
    for (const [index, work] of works.entries()) {
      if (slow > 1) return this.#send(works.slice(index), { isLast: true })
      if (isCanceled(await this.#send([work]))) slow += 1
    }
    return undefined
  }

  async #call(works: readonly Waiting[], isBlind: boolean): Promise<Stale> {
    const [id, sentAtMs] = [v7(), stopwatchMs()]
    try {
      const call = await writeCall(works, isBlind)
      // The driver copies a long text in one go.
      if (call.length > longCall) await nextTurn()
      return (await this.#run(commit, [id, call])) ?? []
    } catch (error) {
      if (isLost(error) || isSilent(error)) return this.#askOutcome(id, sentAtMs, error)
      if (works.length === 1 && isRace(error, isBlind)) return 'all'
      throw error
    }
  }

  /** The connection was lost during the call, and only the database knows whether the call has committed. */
  async #askOutcome(id: string, sentAtMs: number, lost: unknown): Promise<Stale> {
    for (const pauseMs of outcomePausesMs) {
      if (this.#database.isClosed) break
      await setTimeout(pauseMs)
      try {
        const stale = await this.#run(outcomeOf, [id])
        // The record of an older call may have been removed.
        if (stale || stopwatchMs() - sentAtMs < callsKeptMs / 2) return stale ?? 'all'
        break
      } catch (error) {
        // The database may be back in a moment.
        if (!isUnavailable(error) && !codeOf(error).startsWith('53')) throw error
        if (isSilent(error)) break
      }
    }
    throw lost
  }

  /** Returns the indexes of the stale works. */
  async #run(text: string, values: readonly string[]): Promise<readonly number[] | null> {
    type Row = { readonly stale: readonly number[] | null }
    const [row] = await this.#database.run<Row>(text, values)
    return row?.stale ?? null
  }
}

function namesOf({ proof, changes }: Commitment) {
  const reads = [
    ...proof.rows.map(nameOf),
    ...[...proof.collections.keys()].map(({ name }) => name),
  ]
  const puts = changes.flatMap((change) =>
    change.collection.isCached ? [change.collection.name, nameOf(change)] : [nameOf(change)],
  )
  return { reads: new Set(reads), puts: new Set(puts) }
}

/** Whether the database is at fault: no work caused the error, and another call would fail as well. */
function isUnavailable(error: unknown): boolean {
  return isLost(error) || isSilent(error) || /^(08|57P|25006)/.test(codeOf(error))
}

const indexNames = new Map(
  Object.values(collections).flatMap(({ unique = [] }) =>
    unique.flatMap(({ constraint, name }) => (constraint ? [[constraint, name] as const] : [])),
  ),
)

/** Whether another work has created a record that the first one found missing. The first work then runs again and sees it. */
function isRace(error: unknown, isBlind: boolean): boolean {
  const constraint = constraintOf(error)
  return isConflict(error) || (!isBlind && constraint !== '' && !indexNames.has(constraint))
}

function meaningOf(error: unknown): unknown {
  const index = indexNames.get(constraintOf(error))
  return index === undefined ? unavailable(error) : new UniquenessError(index)
}

/** The reads and the changes of a work. */
interface Commitment {
  readonly proof: Proof
  readonly changes: readonly Change[]
}

type List = 'reads' | 'inserts' | 'puts' | 'removals'

/** Writing this many rows takes a few milliseconds. */
const rowsPerTurn = 100

const longCall = 256 * 1024

/**
 * The `works` argument of commit_works, by table. `w` is the index of the work to which a row belongs. `isBlind` means
 * that a record which no work has looked for is inserted as new, which is cheaper. A work can have thousands of rows,
 * so others have their turn meanwhile.
 */
async function writeCall(works: readonly Waiting[], isBlind: boolean): Promise<string> {
  const tables = new Map<string, Map<List, string[]>>()
  let count = 0
  const add = async ({ name }: Table<object>, list: List, row: object) => {
    const lists = tables.get(name) ?? new Map<List, string[]>()
    const rows = lists.get(list) ?? []
    rows.push(JSON.stringify(row))
    tables.set(name, lists.set(list, rows))
    count += 1
    if (count % rowsPerTurn === 0) await nextTurn()
  }
  for (const { collection, key, version, w, p } of readsOf(works)) {
    const table = tableOf(collection)
    await add(table, 'reads', { w, v: textOf(version), p, ...table.writeKey(key) })
  }
  for (const [w, { proof, changes }] of works.entries()) {
    const seen = new Map(proof.rows.map((read) => [nameOf(read), read.version]))
    for (const change of changes) {
      const { collection, key, record, version } = change
      const table = tableOf(collection)
      // A record that was found missing is inserted. The insert fails if another work has created the record.
      const before = seen.get(nameOf(change))
      const isNew = before === null || (before === undefined && isBlind)
      if (record) await add(table, isNew ? 'inserts' : 'puts', { w, ...table.write(record) })
      else await add(table, 'removals', { w, v: textOf(version), ...table.writeKey(key) })
    }
  }
  const cached = Object.entries(cachedOf(works) ?? {}).map(
    ([name, rows]) => [name, JSON.stringify(rows)] as const,
  )
  const written = [...tables].map(([name, lists]) => {
    const rows = [...lists].map(([list, texts]) => [list, `[${texts.join(',')}]`] as const)
    return [name, writeObject(rows)] as const
  })
  return writeObject([...written, ...cached])
}

/** @param members names of this program, and values as JSON */
function writeObject(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`
}

/** All calls lock rows in the same order. `p` means that the work changes the record. */
function readsOf(works: readonly Waiting[]) {
  const reads = works.flatMap(({ proof, puts }, w) =>
    proof.rows.map((read) => {
      const name = nameOf(read)
      return { w, name, p: puts.has(name), ...read }
    }),
  )
  return reads.sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** Collections that are cached and proven by their version. */
function cachedOf(works: readonly Commitment[]) {
  const versions = works.flatMap(({ proof }, w) =>
    [...proof.collections].map(([{ row }, v]) => ({ w, name: row.table, v })),
  )
  const kept = new Map(versions.map(({ name }) => [name, false]))
  for (const { collection } of works.flatMap(({ changes }) => changes)) {
    if (collection.isCached) kept.set(collection.row.table, true)
  }
  if (kept.size === 0) return undefined
  const names = [...kept.keys()].sort()
  return { kept: names.map((name) => ({ name, p: kept.get(name) })), versions }
}

function textOf(version: number | null | undefined): string | null {
  return version === null || version === undefined ? null : String(version)
}
