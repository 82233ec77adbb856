import type { Low } from 'lowdb'
import { Problem } from '../../domain/problem.ts'
import {
  type ReadableRecords,
  type Records,
  type Store,
  StoreFailedProblem,
  type StoreHealth,
} from '../../ports/store.ts'
import type { Collections } from './collections.ts'
import { VolatileDeliveryClaims } from './delivery-claims.ts'
import { StoredRecords } from './readable-records.ts'
import { createRecords } from './records.ts'
import { type Change, textLength, type Undo } from './staged.ts'
import type { StoreData } from './store-data.ts'
import { Transaction } from './transaction.ts'
import { View } from './view.ts'

// Far below the longest text that V8 can make, which a line has to be when it is read back.
const largestWrite = 128 * 1024 * 1024

interface NotYetDurable {
  readonly undo: readonly Undo[]
  /** Whether it became durable. */
  readonly outcome: Promise<boolean>
}

/**
 * The store on lowdb. Transactions run one after the other against memory; each is answered when lowdb's adapter has
 * made it durable, which several wait for together. A change that cannot be made durable is taken back, with all later ones.
 */
export class LowdbStore implements Store {
  protected readonly low: Low<StoreData>
  readonly deliveryClaims = new VolatileDeliveryClaims((work) => this.#look(work))
  #turn: Promise<unknown> = Promise.resolve()
  #applied = 0
  #durable = 0
  readonly #notYetDurable = new Map<number, NotYetDurable>()
  #failure: { readonly reason: string; readonly cause: unknown } | undefined

  constructor(low: Low<StoreData>) {
    this.low = low
  }

  read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result> {
    return this.#look((data, view) => work(new StoredRecords(data, view)))
  }

  async write<Result>(work: (records: Records) => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(() => this.#transact(work))
    this.#turn = turn.catch(() => undefined)
    const { outcome, seen } = await turn
    if (await this.#isDurable(seen)) return resultOf(outcome)
    throw this.#unavailable()
  }

  /** All that waits for the disk at the same time waits for one write to it. */
  writeTogether<Result>(
    _subject: string,
    work: (records: Records) => Promise<Result>,
  ): Promise<Result> {
    return this.write(work)
  }

  async health(): Promise<StoreHealth> {
    return this.#failure ? { ready: false, isFinal: true, ...this.#failure } : { ready: true }
  }

  async close(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#stop('The store is closed.'))
    await this.#turn
  }

  async #look<Result>(work: (data: Collections, view: View) => Result): Promise<Awaited<Result>> {
    const view = new View()
    const outcome = await outcomeOf(() => work(this.low.data.collections, view))
    // What was seen may just have been taken back: then it never was.
    return (await this.#isDurable(view.seen)) ? resultOf(outcome) : this.#look(work)
  }

  async #transact<Result>(work: (records: Records) => Promise<Result>) {
    if (this.#failure) throw this.#unavailable()
    const transaction = new Transaction()
    const records = createRecords(this.low.data.collections, transaction)
    const outcome = await outcomeOf(() => work(records))
    const isDone = outcome.status === 'fulfilled'
    return { outcome, seen: isDone ? this.#commit(transaction) : transaction.seen }
  }

  /** Returns the transaction that has to be durable before anyone is told: its own, or the last one it saw. */
  #commit(transaction: Transaction): number {
    const changes = transaction.changes()
    if (changes.length === 0) return transaction.seen
    requireStorable(changes)
    if (this.#failure) throw this.#unavailable()
    const number = ++this.#applied
    const undo = transaction.apply(number)
    this.low.data.changes = changes
    const outcome = this.#makeDurable(number, transaction, changes)
    this.low.data.changes = []
    this.#notYetDurable.set(number, { undo, outcome })
    return number
  }

  async #makeDurable(
    number: number,
    transaction: Transaction,
    changes: readonly Change[],
  ): Promise<boolean> {
    try {
      await this.low.write()
    } catch (cause) {
      this.#fail(cause)
      return false
    }
    this.#durable = number
    this.#notYetDurable.delete(number)
    transaction.noteDurable(number)
    this.deliveryClaims.noteDurable(changes)
    return true
  }

  async #isDurable(transaction: number): Promise<boolean> {
    return (
      transaction <= this.#durable ||
      ((await this.#notYetDurable.get(transaction)?.outcome) ?? false)
    )
  }

  #fail(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#failure ??= { reason, cause }
    for (const { undo } of [...this.#notYetDurable.values()].reverse()) {
      for (const takeBack of undo) takeBack()
    }
    this.#notYetDurable.clear()
    for (const collection of Object.values(this.low.data.collections)) {
      collection.changes.takeBackTo(this.#durable)
    }
  }

  #stop(reason: string): void {
    this.#failure ??= { reason, cause: new Error(reason) }
  }

  #unavailable(): Problem {
    return new StoreFailedProblem(this.#failure?.cause)
  }
}

/** A refusal tells what was seen, too. */
async function outcomeOf<Result>(
  work: () => Result,
): Promise<PromiseSettledResult<Awaited<Result>>> {
  try {
    return { status: 'fulfilled', value: await work() }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

function resultOf<Result>(outcome: PromiseSettledResult<Result>): Result {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function requireStorable(changes: readonly Change[]): void {
  if (textLength(changes) <= largestWrite) return
  throw new Problem('PAYLOAD_TOO_LARGE', 'One write changes more than 128 MiB. Do it in parts.')
}
