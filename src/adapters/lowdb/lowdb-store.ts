import type { Low } from 'lowdb'
import { Problem } from '../../domain/problem.ts'
import { mapInTurns, nextTurn } from '../../machine/time.ts'
import { soleOwner } from '../../ports/receiver-leases.ts'
import {
  type AuditTrail,
  type ReadableRecords,
  type Records,
  type Store,
  StoreFailedProblem,
  type StoreHealth,
} from '../../ports/store.ts'
import type { Subject } from '../../ports/subjects.ts'
import { readersOf, runWork, wakesJobs } from '../store/records.ts'
import type { Change } from '../store/staged-changes.ts'
import { Transaction } from '../store/transaction.ts'
import { textLength, type WrittenChange } from './journal.ts'
import { groupBy, type Table } from './table.ts'
import { MemoryLookup, type Tables } from './tables.ts'

/** All records in memory, and the changes of the current write. An adapter takes `changes` synchronously. */
export interface StoreData {
  readonly tables: Tables
  changes: readonly WrittenChange[]
}

/** Changing this many records takes a few milliseconds. A larger write lets others have their turn meanwhile. */
const changesPerTurn = 100

// A journal line is read back as one string. V8 allows strings that are about four times as long.
const largestWrite = 128 * 1024 * 1024

/**
 * The store on lowdb. Transactions run one after the other in memory. Each is answered when the adapter has made it
 * durable; all waiting transactions share one sync. If a sync fails, its changes and all later ones are undone.
 */
export class LowdbStore implements Store {
  protected readonly low: Low<StoreData>
  readonly receiverLeases = soleOwner
  readonly #deliveryListeners = new Set<() => void>()
  #turn: Promise<unknown> = Promise.resolve()
  /** Resolves when a large write is complete in memory. Reads wait, because they must not see a part of it. */
  #applying: Promise<unknown> | undefined
  #applied = 0
  #durable = 0
  /** How to undo each change, and whether it has become durable. */
  readonly #notYetDurable = new Map<number, { undo: (() => void)[]; outcome: Promise<boolean> }>()
  #failure: { readonly reason: string; readonly cause: unknown } | undefined

  constructor(low: Low<StoreData>) {
    this.low = low
  }

  read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result> {
    return this.look((lookup) => work(readersOf(lookup)))
  }

  /** Writes run one after the other, whatever their subjects. */
  write<Result>(
    _subject: Subject,
    work: (records: Records) => Promise<Result>,
    trail?: AuditTrail,
  ): Promise<Result> {
    return this.transact((transaction) => runWork(transaction, work, trail))
  }

  async look<Result>(work: (lookup: MemoryLookup) => Promise<Result>): Promise<Result> {
    if (this.#applying !== undefined) {
      await this.#applying
      return this.look(work)
    }
    const lookup = new MemoryLookup(this.low.data.tables)
    const outcome = await outcomeOf(async () => work(lookup))
    // A change that the read saw may just have been undone, so it must not be reported.
    return (await this.#isDurable(lookup.seen)) ? resultOf(outcome) : this.look(work)
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(() => this.#run(work))
    this.#turn = turn.catch(() => undefined)
    const { outcome, seen } = await turn
    if (await this.#isDurable(seen)) return resultOf(outcome)
    throw new StoreFailedProblem(this.#failure?.cause)
  }

  /** The changes of a work in the form in which they are stored. */
  protected prepare(changes: readonly Change[]): readonly Change[] {
    return changes
  }

  watchDeliveries(listener: () => void): () => void {
    this.#deliveryListeners.add(listener)
    return () => this.#deliveryListeners.delete(listener)
  }

  async remember(): Promise<() => Promise<void>> {
    while (this.#applying !== undefined) await this.#applying
    const remembered = [...this.low.data.tables.all()].map(
      (table) =>
        [table, new Map([...table.values()].map((one) => [table.keyOf(one), one]))] as const,
    )
    const restore = async (transaction: Transaction) => {
      for (const [table, records] of remembered) {
        const others = [...table.values()].filter((record) => !records.has(table.keyOf(record)))
        // The other records are removed first, so that the unique values of a restored record are free.
        for (const record of others) transaction.remove(table.collection, { record, sequence: 0 })
        const lost = [...records].filter(([key, record]) => table.get(key)?.record !== record)
        for (const [, record] of lost) await transaction.put(table.collection, record)
      }
    }
    return () => this.transact(restore)
  }

  async health(): Promise<StoreHealth> {
    return this.#failure ? { ready: false, isFinal: true, ...this.#failure } : { ready: true }
  }

  async close(): Promise<void> {
    this.#turn = this.#turn.then(() => {
      const reason = 'The store is closed.'
      this.#failure ??= { reason, cause: new Error(reason) }
    })
    await this.#turn
  }

  /**
   * Returns the transaction that has to be durable before the answer: that of the work, or else the last one that the
   * work saw.
   */
  async #run<Result>(work: (transaction: Transaction) => Promise<Result>) {
    this.#requireWritable()
    const lookup = new MemoryLookup(this.low.data.tables)
    const transaction = new Transaction(lookup)
    let number = 0
    const outcome = await outcomeOf(async () => {
      const result = await work(transaction)
      const changed = this.prepare(transaction.changes)
      const placed = groupBy(changed, ({ collection }) => lookup.tables.of(collection))
      for (const [table, changes] of placed) {
        if (changes.length > changesPerTurn) await nextTurn()
        lookup.noteAll(table)
        table.requireUnique(changes)
      }
      if (placed.size > 0) number = await this.#commit(placed)
      return result
    })
    return { outcome, seen: number || lookup.seen }
  }

  async #commit(placed: ReadonlyMap<Table<object>, readonly Change[]>): Promise<number> {
    const staged = [...placed.values()].flat()
    const changes = await mapInTurns(staged, writtenOf, changesPerTurn)
    if (textLength(changes) > largestWrite) {
      throw new Problem('PAYLOAD_TOO_LARGE', 'One write changes more than 128 MiB. Split it.')
    }
    this.#requireWritable()
    const number = ++this.#applied
    const slices = slicesOf(placed)
    const undo: (() => void)[] = []
    // The journal takes the changes first: a snapshot that contains some of them waits until it has all of them.
    this.low.data.changes = changes
    const written = this.low.write()
    this.low.data.changes = []
    this.#notYetDurable.set(number, { undo, outcome: this.#makeDurable(number, staged, written) })
    const applySlice = ([table, ofTable]: Slice) => void undo.unshift(table.apply(ofTable, number))
    if (slices.length === placed.size) for (const slice of slices) applySlice(slice)
    else await this.#applyInTurns(slices, applySlice)
    return number
  }

  async #applyInTurns(slices: readonly Slice[], applySlice: (slice: Slice) => void): Promise<void> {
    const applying = mapInTurns(
      slices,
      (slice) => {
        // If the disk has failed meanwhile, the earlier slices are undone already.
        this.#requireWritable()
        applySlice(slice)
      },
      1,
    )
    this.#applying = applying.catch(() => undefined)
    try {
      await applying
    } finally {
      this.#applying = undefined
    }
  }

  #requireWritable(): void {
    if (this.#failure) throw new StoreFailedProblem(this.#failure.cause)
  }

  async #makeDurable(
    number: number,
    staged: readonly Change[],
    written: Promise<void>,
  ): Promise<boolean> {
    try {
      await written
    } catch (cause) {
      this.fail(cause)
      return false
    }
    this.#durable = number
    this.#notYetDurable.delete(number)
    if (staged.some(wakesJobs)) {
      for (const listener of this.#deliveryListeners) listener()
    }
    return true
  }

  async #isDurable(transaction: number): Promise<boolean> {
    if (transaction <= this.#durable) return true
    return (await this.#notYetDurable.get(transaction)?.outcome) ?? false
  }

  /** Undoes what is not durable, and accepts no more writes. */
  protected fail(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#failure ??= { reason, cause }
    const lastFirst = [...this.#notYetDurable.values()].reverse()
    for (const undo of lastFirst.flatMap((change) => change.undo)) undo()
    this.#notYetDurable.clear()
  }
}

/** A refusal reveals data that the work has read, so it waits for durability, too. */
async function outcomeOf<Result>(work: () => Promise<Result>) {
  const [outcome] = await Promise.allSettled([work()])
  return outcome
}

function resultOf<Result>(outcome: PromiseSettledResult<Result>): Result {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

/** Changes of one table. */
type Slice = readonly [Table<object>, readonly Change[]]

function slicesOf(placed: ReadonlyMap<Table<object>, readonly Change[]>): readonly Slice[] {
  return [...placed].flatMap(([table, changes]) =>
    Array.from(
      { length: Math.ceil(changes.length / changesPerTurn) },
      (_, at) => [table, changes.slice(at * changesPerTurn, (at + 1) * changesPerTurn)] as const,
    ),
  )
}

/** Rendered before the write, so that a record that cannot be stored fails only its own transaction. */
export function writtenOf({ collection, key, record }: Change): WrittenChange {
  const json = record && JSON.stringify(record)
  return { collection: collection.name, key: collection.key.text(key), json }
}
