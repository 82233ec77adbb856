import { Problem } from '../../domain/problem.ts'
import { UniquenessError } from '../../ports/store.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isFull, isLost, Retry, refusal, unavailable } from './faults.ts'
import { CountedAnswers } from './sharing/counted-answers.ts'
import { type Outcome, shareTransaction, type Work } from './sharing/shared-transaction.ts'
import { mostAtOnce } from './sharing/shared-writes.ts'
import { Transaction } from './transaction.ts'
import type { Writer } from './writer.ts'
import { Writers } from './writers.ts'

/** A write that others were in the way of is tried so often; each time somebody else got through. */
const mostAttempts = 6
/** With fewer connections, those who share and those who do not take turns. */
const fewestToShare = mostAtOnce + 1

export interface TransactionsParts {
  readonly options: DatabaseOptions
  readonly connections: number
  readonly limit: ConnectionLimit
  /** What has to be in the transaction, too. */
  readonly complete: (transaction: Transaction) => void
  readonly noteCommitted: (changed: ReadonlySet<string>) => void
}

type Tried<Result> =
  | { readonly result: Result }
  | { readonly failure: unknown; readonly mayTryAgain: boolean; readonly isUnknown: boolean }

/** Work in transactions, again where others were in the way, the connection was lost in time. */
export class Transactions {
  readonly #parts: TransactionsParts
  readonly #writers: Writers
  /** Whoever waits for what somebody holds waits elsewhere. */
  readonly #sharedWriters: Writers
  readonly #counted = new CountedAnswers()

  constructor(parts: TransactionsParts) {
    const { options, connections } = parts
    const { limit } = parts
    const isEnough = connections >= fewestToShare
    const count = isEnough ? connections - mostAtOnce : connections
    this.#parts = parts
    this.#writers = new Writers({ options, limit, count })
    this.#sharedWriters = isEnough
      ? new Writers({ options, limit, count: mostAtOnce, isSpare: true })
      : this.#writers
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    let isQueued = false
    for (let attempt = 1; ; attempt += 1) {
      const turn: typeof work = isQueued ? queued(work) : work
      const tried: Tried<Result> = await this.#use((writer) => this.#attempt(writer, turn))
      if ('result' in tried) return tried.result
      const { failure, mayTryAgain } = tried
      if (!mayTryAgain || attempt >= mostAttempts) throw refusalOf(failure)
      isQueued ||= failure instanceof Retry && failure.isOutdated
    }
  }

  /**
   * Once: what could not be done together is done by each alone, unless nobody knows whether it was done, or the database
   * does not answer at all.
   */
  async share(works: readonly Work[], noteSent: () => void): Promise<readonly Outcome[]> {
    const tried = await this.#useShared((writer) =>
      this.#attempt(writer, (transaction) =>
        shareTransaction(transaction, { works, counted: this.#counted, noteSent }),
      ),
    )
    if ('result' in tried) return tried.result
    const { failure, isUnknown } = tried
    const isOver = isUnknown || failure instanceof Problem
    return works.map(() =>
      isOver ? { status: 'rejected', reason: refusalOf(failure) } : { status: 'alone' },
    )
  }

  /** Refuses when there is no connection for writes, and none can be had. */
  async ready(): Promise<void> {
    if (!this.#writers.areConnected) await this.#use(async () => {})
  }

  async close(): Promise<void> {
    await Promise.all([this.#writers.close(), this.#sharedWriters.close()])
  }

  async #use<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await this.#writers.use(work)
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** Where there is no connection for what is shared, one of the others does it. */
  async #useShared<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    if (!this.#sharedWriters.isUsable) return this.#use(work)
    try {
      return await this.#sharedWriters.use(work)
    } catch (error) {
      if (isFull(error)) return this.#use(work)
      throw unavailable(error)
    }
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
      transaction.end()
      return { result }
    } catch (thrown) {
      transaction?.end()
      await transaction?.rollback().catch(() => undefined)
      const failure = causeOf(thrown, transaction)
      // Before the driver has noticed it, the next one would begin there again.
      if (isLost(failure)) writer.giveUp()
      // Whether a commit that was not answered took place, nobody knows: doing it again might do it twice.
      const isUnknown = isCommitting && (isLost(failure) || transaction?.isCommitted === true)
      const mayTryAgain = !isUnknown && (failure instanceof Retry || isLost(failure))
      return { failure, mayTryAgain, isUnknown }
    }
  }

  async #commit(transaction: Transaction): Promise<void> {
    this.#parts.complete(transaction)
    await transaction.commit()
    this.#parts.noteCommitted(transaction.changed)
  }
}

/**
 * One after the other: those who try again would else be in each other's way again. Nobody has another lock when waiting
 * for this one, so it makes no deadlocks.
 */
function queued<Result>(
  work: (transaction: Transaction) => Promise<Result>,
): (transaction: Transaction) => Promise<Result> {
  return (transaction) => {
    transaction.lockName('works that try again')
    return work(transaction)
  }
}

/** What a use case makes of a failure is its own; but it never sees why its transaction could not go on. */
function causeOf(thrown: unknown, transaction: Transaction | undefined): unknown {
  const failure = transaction?.failure
  return failure === undefined || failure instanceof UniquenessError ? thrown : failure
}

function refusalOf(failure: unknown): unknown {
  if (!(failure instanceof Retry)) return unavailable(failure)
  return refusal('Others keep changing the same things. Try again later.', failure.cause)
}
