import type { ReadableRecords, Records, Store, StoreHealth } from '../../ports/store.ts'
import type { SharedWriteCounts } from '../../ports/store-upkeep.ts'
import { ConnectionLimit } from './connection-limit.ts'
import type { DatabaseOptions } from './database-options.ts'
import { PostgresDeliveryClaims } from './delivery-claims.ts'
import { closed, unavailable } from './faults.ts'
import { concernsKept, KeptAnswers } from './kept-answers.ts'
import { Listener } from './listener.ts'
import { OtherInstances } from './other-instances.ts'
import { Readers } from './readers.ts'
import { createRecords } from './records/records.ts'
import { createReadSession } from './session.ts'
import { SharedWrites } from './sharing/shared-writes.ts'
import type { Value } from './statements.ts'
import type { Transaction } from './transaction.ts'
import { Transactions } from './transactions.ts'
import { within } from './within.ts'

const healthMs = 2000
/** A standby answers, too. */
const lookAtHealth = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  (select moved_to from store) as "movedTo"`

interface Health {
  readonly isReadOnly: boolean
  readonly movedTo: string | null
}

/** The store on PostgreSQL. What several instances do to it at once is kept apart by the database. */
export class PostgresStore implements Store {
  readonly deliveryClaims: PostgresDeliveryClaims
  readonly #readers: Readers
  readonly #listener: Listener
  readonly #transactions: Transactions
  readonly #kept: KeptAnswers
  readonly #others: OtherInstances
  readonly #sharedWrites = new SharedWrites((works, noteSent) =>
    this.#transactions.share(works, noteSent),
  )
  readonly #shared = { together: 0, alone: 0 }
  #isClosed = false
  #looking: Promise<StoreHealth> | undefined
  #unready: Extract<StoreHealth, { ready: false }> | undefined

  constructor(options: DatabaseOptions) {
    const forReads = Math.max(1, Math.floor(options.poolSize / 4))
    const limit = new ConnectionLimit()
    this.#readers = new Readers(options, forReads, limit)
    this.#listener = new Listener({ options, limit, hear: () => this.#others.hear() })
    this.#kept = new KeptAnswers(this.ask)
    this.#others = new OtherInstances({
      ask: this.ask,
      kept: this.#kept,
      listen: () => this.#listener.listen(),
    })
    this.#transactions = new Transactions({
      options,
      connections: Math.max(1, options.poolSize - forReads),
      limit,
      complete: (transaction) => this.#others.announce(transaction),
      noteCommitted: (changed) => this.#noteCommitted(changed),
    })
    this.deliveryClaims = new PostgresDeliveryClaims({
      ask: this.ask,
      transact: (work) => this.transact(work),
      others: this.#others,
    })
  }

  async read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result> {
    return work(createRecords(createReadSession(this.ask, this.#kept)))
  }

  write<Result>(work: (records: Records) => Promise<Result>): Promise<Result> {
    return this.transact((transaction) => work(createRecords(transaction)))
  }

  async writeTogether<Result>(
    subject: string,
    work: (records: Records) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw closed()
    const outcome = await this.#sharedWrites.add(subject, work)
    if (outcome.status === 'alone') {
      this.#shared.alone += 1
      return this.write(work).finally(outcome.release)
    }
    if (outcome.status === 'rejected') throw outcome.reason
    this.#shared.together += 1
    return outcome.value as Result
  }

  sharedWrites(): SharedWriteCounts {
    return this.#shared
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
    if (this.#isClosed) return
    this.#isClosed = true
    this.#others.stop()
    await Promise.all(
      [this.#readers, this.#listener, this.#transactions].map((part) => part.close()),
    )
  }

  /** One statement that changes nothing. */
  protected readonly ask = async <Row>(
    text: string,
    values?: readonly Value[],
  ): Promise<readonly Row[]> => {
    if (this.#isClosed) throw closed()
    try {
      return await this.#readers.ask<Row>(text, values)
    } catch (error) {
      throw unavailable(error)
    }
  }

  protected async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw closed()
    return this.#transactions.transact(work)
  }

  #noteCommitted(changed: ReadonlySet<string>): void {
    if (concernsKept(changed)) this.#kept.forget()
    this.deliveryClaims.noteCommitted(changed)
  }

  async #look(): Promise<StoreHealth> {
    try {
      const asked = this.ask<Health>(lookAtHealth)
      const [[row]] = await within(healthMs, Promise.all([asked, this.#transactions.ready()]))
      if (row?.isReadOnly) throw new Error('The database takes no writes.')
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
