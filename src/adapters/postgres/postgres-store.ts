import {
  type ReadableRecords,
  type Records,
  type Store,
  type StoreHealth,
  UniquenessError,
} from '../../ports/store.ts'
import { connect, connectMs, type Sql } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { PostgresDeliveryClaims } from './delivery-claims.ts'
import { isLost, Retry, refusal, unavailable } from './faults.ts'
import { concernsKept, KeptAnswers } from './kept-answers.ts'
import { OtherInstances } from './other-instances.ts'
import { createRecords } from './records/records.ts'
import { createReadSession } from './session.ts'
import { run, type Value } from './statements.ts'
import { Transaction } from './transaction.ts'
import { within } from './within.ts'
import type { Writer } from './writer.ts'
import { Writers } from './writers.ts'

/** A write that others were in the way of is tried so often; each time somebody else got through. */
const mostAttempts = 6
const healthMs = 2000

/** The store on PostgreSQL. What several instances do to it at once is kept apart by the database. */
export class PostgresStore implements Store {
  readonly deliveryClaims: PostgresDeliveryClaims
  protected readonly readers: Sql
  protected readonly writers: Writers
  readonly #patienceMs: number
  readonly #kept: KeptAnswers
  readonly #others: OtherInstances
  #isClosed = false
  #unready: Extract<StoreHealth, { ready: false }> | undefined

  constructor(options: DatabaseOptions) {
    this.#patienceMs = options.statementTimeoutMs + connectMs
    const forReads = Math.max(1, Math.floor(options.poolSize / 4))
    this.readers = connect(options, { connections: forReads })
    this.writers = new Writers(options, Math.max(1, options.poolSize - forReads))
    this.#kept = new KeptAnswers(this.ask)
    this.#others = new OtherInstances({
      ask: this.ask,
      kept: this.#kept,
      listen: (channel, hear) => this.readers.listen(channel, hear, hear),
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

  async health(): Promise<StoreHealth> {
    const found = await this.#look()
    if (found.ready) this.#unready = undefined
    // The same object as long as the reason is, so that a log says it once.
    else if (found.reason !== this.#unready?.reason) this.#unready = found
    return this.#unready ?? { ready: true }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#others.stop()
    await Promise.all([this.readers.end({ timeout: 5 }), this.writers.close()])
  }

  /** One statement that changes nothing. It is asked once more when its connection turns out to be gone. */
  protected readonly ask = async <Row>(
    text: string,
    values?: readonly Value[],
  ): Promise<readonly Row[]> => {
    if (this.#isClosed) throw closed()
    try {
      const answer = run<Row>(this.readers, text, values).catch((error) => {
        if (!isLost(error)) throw error
        return run<Row>(this.readers, text, values)
      })
      return await within(this.#patienceMs, answer)
    } catch (error) {
      throw unavailable(error)
    }
  }

  protected async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw closed()
    return this.writers.use(async (writer) => {
      for (let attempt = 1; ; attempt += 1) {
        const tried = await this.#attempt(writer, work)
        if ('result' in tried) return tried.result
        if (!tried.mayTryAgain || attempt >= mostAttempts) throw refusalOf(tried.failure)
      }
    })
  }

  async #attempt<Result>(
    writer: Writer,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Tried<Result>> {
    let transaction: Transaction | undefined
    let isCommitting = false
    try {
      transaction = new Transaction(await writer.live())
      const result = await work(transaction)
      isCommitting = true
      if (transaction.isBegun) await this.#commit(transaction)
      this.deliveryClaims.noteCommitted(transaction.changed)
      return { result }
    } catch (thrown) {
      await transaction?.rollback().catch(() => undefined)
      const failure = causeOf(thrown, transaction)
      // Whether a commit that was not answered took place, nobody knows: doing it again might do it twice.
      const mayTryAgain = failure instanceof Retry || (isLost(failure) && !isCommitting)
      return { failure, mayTryAgain }
    }
  }

  async #commit(transaction: Transaction): Promise<void> {
    this.#others.announce(transaction)
    await transaction.commit()
    if (concernsKept(transaction.changed)) this.#kept.forget()
  }

  async #look(): Promise<StoreHealth> {
    try {
      await within(healthMs, this.ask('select 1'))
      return { ready: true }
    } catch (error) {
      return unready(error as Error)
    }
  }
}

function unready(error: Error): StoreHealth {
  const cause = error.cause instanceof Error ? error.cause : error
  return { ready: false, reason: cause.message, cause }
}

type Tried<Result> =
  | { readonly result: Result }
  | { readonly failure: unknown; readonly mayTryAgain: boolean }

/** What a use case makes of a failure is its own; but it never sees why its transaction could not go on. */
function causeOf(thrown: unknown, transaction: Transaction | undefined): unknown {
  const failure = transaction?.failure
  return failure === undefined || failure instanceof UniquenessError ? thrown : failure
}

function refusalOf(failure: unknown): unknown {
  if (!(failure instanceof Retry)) return unavailable(failure)
  return refusal('Others keep changing the same things. Try again later.', failure.cause)
}

function closed() {
  return refusal('The store is closed.')
}
