import { setTimeout } from 'node:timers/promises'
import { type Delivery, receiverOf } from '../../domain/webhooks/delivery.ts'
import type { ReadableRecords, Records, Store, StoreHealth } from '../../ports/store.ts'
import { Readers, Writers } from '../store/records.ts'
import { Transaction } from '../store/transaction.ts'
import type { DatabaseOptions } from './connect.ts'
import { Database } from './database.ts'
import { closed, refusal, within } from './faults.ts'
import { GroupCommit } from './group-commit.ts'
import { KeptAnswers } from './kept-answers.ts'
import { PostgresLookup, Reads } from './lookup.ts'
import { OtherInstances } from './other-instances.ts'
import { isUnchangedQuestion } from './questions.ts'
import { PostgresReceiverLeases } from './receiver-leases.ts'

const healthMs = 2000
/** A standby answers, too; and without these rights deliveries would be sent again and again, and never recorded. */
const lookAtHealth = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  has_table_privilege('events', 'update') and has_table_privilege('deliveries', 'update') as "mayRecord",
  (select moved_to from store) as "movedTo"`

/** Each time somebody else got through; at other instances, too, so this one has to be lucky. */
const leastAttempts = 8
const patienceMs = 4000
const longestPauseMs = 20

interface Health {
  readonly isReadOnly: boolean
  readonly mayRecord: boolean
  readonly movedTo: string | null
}

/** The store on PostgreSQL. What several instances do to it at once is kept apart by what each commit proves. */
export class PostgresStore implements Store {
  readonly receiverLeases: PostgresReceiverLeases
  protected readonly database: Database
  readonly #reads: Reads
  readonly #kept: KeptAnswers
  readonly #commits: GroupCommit
  readonly #others: OtherInstances
  readonly #turns = new Turns()
  #looking: Promise<StoreHealth> | undefined
  #unready: Extract<StoreHealth, { ready: false }> | undefined

  constructor(options: DatabaseOptions) {
    this.database = new Database(options)
    this.#reads = new Reads(this.database.ask)
    this.#kept = new KeptAnswers(this.database.ask, this.#reads)
    this.#commits = new GroupCommit(this.database)
    this.#others = new OtherInstances({ options, database: this.database, kept: this.#kept })
    this.receiverLeases = new PostgresReceiverLeases(this.database)
  }

  async read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result> {
    return work(new Readers(new PostgresLookup(this.#reads, this.#kept)))
  }

  write<Result>(subject: string, work: (records: Records) => Promise<Result>): Promise<Result> {
    return this.#turns.take(subject, () => this.#write(work))
  }

  watchDeliveries(listener: () => void): () => void {
    return this.#others.watch(listener)
  }

  async health(): Promise<StoreHealth> {
    // Anybody may ask, as often as they like.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    const found = await this.#looking
    if (found.ready) this.#unready = undefined
    // The same object as long as the reason is, so that a log says it once.
    else if (found.reason !== this.#unready?.reason) this.#unready = found
    return this.#unready ?? { ready: true }
  }

  async close(): Promise<void> {
    await Promise.all([this.#others.close(), this.database.close()])
  }

  /** Again and again while others change what it reads; these runs follow one another, so they are not in each other's way. */
  async #write<Result>(work: (records: Records) => Promise<Result>): Promise<Result> {
    const lastAtMs = performance.now() + patienceMs
    for (let attempt = 1; ; attempt += 1) {
      const tried = await (attempt === 1
        ? this.#run(work)
        : this.#turns.take('again', () => this.#run(work)))
      if (tried) return tried.result
      if (attempt >= leastAttempts && performance.now() > lastAtMs) {
        throw refusal('Others keep changing the same things. Try again later.')
      }
      await setTimeout(Math.random() * Math.min(2 ** (attempt - 1), longestPauseMs))
    }
  }

  /** Once; undefined when what it has read has changed since. */
  async #run<Result>(
    work: (records: Records) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    if (this.database.isClosed) throw closed()
    const transaction = new Transaction(
      new PostgresLookup(this.#reads, this.#kept, { isProven: true }),
    )
    let result: Result
    try {
      result = await work(new Writers(transaction))
    } catch (error) {
      if (await this.#isUnchanged(transaction)) throw error
      return undefined
    }
    const isDone = await (transaction.changes.length > 0
      ? this.#commit(transaction)
      : this.#isUnchanged(transaction))
    return isDone ? { result } : undefined
  }

  async #commit({ proof, changes }: Transaction): Promise<boolean> {
    const committed = await this.#commits.commit(
      { proof, changes },
      this.#others.mustNotify(changes),
    )
    const isDone = committed === 'done'
    if (!isDone && proof.collections.size > 0) await this.#kept.look()
    if (isDone) this.#noteCommitted(changes)
    return isDone
  }

  #noteCommitted(changes: Transaction['changes']): void {
    if (changes.some(({ collection }) => collection.isKept)) this.#kept.doubt()
    const put = changes.filter(({ collection }) => collection.name === 'deliveries')
    if (put.length === 0) return
    this.#others.wake()
    if (put.some(({ record }) => record && !this.#isOwned(record as Delivery))) this.#others.hint()
  }

  #isOwned(delivery: Delivery): boolean {
    return this.receiverLeases.isOwned(receiverOf(delivery))
  }

  /** What comes of a work that puts nothing rests on what it has read, too. */
  async #isUnchanged({ proof }: Transaction): Promise<boolean> {
    const asker = {}
    const rows = proof.rows.map(({ collection, key, version }) =>
      this.#reads.ask(isUnchangedQuestion(collection, key, version), asker),
    )
    if (proof.collections.size > 0) await this.#kept.look()
    const versions = [...proof.collections].map(
      async ([collection, version]) => (await this.#kept.version(collection)) === version,
    )
    return (await Promise.all([...rows, ...versions])).every((isSame) => isSame)
  }

  async #look(): Promise<StoreHealth> {
    try {
      const [row] = await within(healthMs, this.database.ask<Health>(lookAtHealth))
      if (row?.isReadOnly) throw new Error('The database takes no writes.')
      if (row && !row.mayRecord) throw new Error('This role may not change events and deliveries.')
      if (row?.movedTo) throw new Error(`The store was moved to ${row.movedTo}.`)
      return { ready: true }
    } catch (error) {
      return unready(error as Error)
    }
  }
}

function unready(error: Error): StoreHealth {
  const cause = error.cause instanceof Error ? error.cause : error
  return { ready: false, reason: cause.message, cause, isFinal: false }
}

/** What has the same name follows one another. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name)
    const turn = before === undefined ? work() : before.then(work, work)
    this.#last.set(name, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name)
    }
  }
}
