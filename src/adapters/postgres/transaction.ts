import { codeOf, Retry, TransactionOver } from './faults.ts'
import { constraintOf, meaningOf } from './refusals.ts'
import { RememberedAnswers } from './remembered-answers.ts'
import type { OfInvestor, Put, Question, Session, UnderInvestor } from './session.ts'
import { type RowChange, StatementQueue } from './statement-queue.ts'
import type { Statement, Value } from './statements.ts'
import type { Life } from './writer.ts'

const failedBefore = '25P02'

/**
 * One transaction, at READ COMMITTED. Reads lock what they find, so it runs as if alone; statements are waited for only
 * where the work needs an answer.
 */
export class Transaction implements Session {
  /** The tables that something was put into. */
  readonly changed = new Set<string>()
  readonly #life: Life
  readonly #sent: Promise<unknown>[] = []
  readonly #remembered = new RememberedAnswers()
  readonly #absent = new Set<string>()
  readonly #investors = new Set<string>()
  readonly #names = new Set<string>()
  readonly #queue = new StatementQueue((text, values) => this.#ask(text, values))
  #isBegun = false
  #isCommitted = false
  #isOver = false
  #failure: unknown

  constructor(life: Life) {
    this.#life = life
  }

  /** Nothing has to be ended otherwise. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Whatever fails after that, it took place. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  /** The first thing that went wrong: what fails after it fails because of it. */
  get failure(): unknown {
    return this.#failure
  }

  readonly ask = <Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> => {
    this.#queue.flush()
    return this.#ask(text, values)
  }

  /** Travels with what else is looked at in the same turn. */
  readonly look = <Row>(text: string, values: readonly Value[] = []): Promise<readonly Row[]> =>
    this.#send(this.#queue.ask({ text, values })) as Promise<readonly Row[]>

  readonly remember = <Row>(question: Question): Promise<readonly Row[]> => {
    const asked = { ...question, text: question.lockingText ?? question.text }
    const answer = this.#remembered.answer(question.table, asked, () => this.#look(asked))
    return answer as Promise<readonly Row[]>
  }

  readonly underInvestor = async <Row extends OfInvestor>(
    question: UnderInvestor,
  ): Promise<readonly Row[]> => {
    if (this.#mayBeLocked(question)) {
      const rows = await this.remember<Row>(question)
      if (rows.every(({ investorId }) => this.#investors.has(investorId))) return rows
      this.#remembered.forget(question.table)
    }
    const locking = this.ask<OfInvestor>(question.lockInvestors, question.values)
    const reading = this.remember<Row>(question)
    this.noteLocked(await locking)
    return reading
  }

  noteLocked(investors: readonly OfInvestor[]): void {
    for (const { investorId } of investors) this.#investors.add(investorId)
  }

  lockName(name: string): void {
    if (this.#names.has(name)) return
    this.#names.add(name)
    this.#sent.push(this.ask('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]))
  }

  noteAbsent(constraint: string, value = ''): void {
    this.#absent.add(constraint)
    this.#absent.add(`${constraint} ${value}`)
  }

  wasAbsent(constraint: string, value: string): boolean {
    return this.#absent.has(`${constraint} ${value}`)
  }

  async requireUnchanged(table: string): Promise<void> {
    this.lockName(table)
    for (const { text, values, answer } of this.#remembered.of(table)) {
      const before = JSON.stringify(await answer)
      if (JSON.stringify(await this.#queue.ask({ text, values })) !== before)
        this.#fail(new Retry(table, { isOutdated: true }))
    }
  }

  async put({ table, row, isAwaited, alone }: Put): Promise<void> {
    const changed = this.#change(table, { ...alone(), row })
    if (!isAwaited) return
    this.#queue.flush()
    await changed
  }

  async change(table: string, change: RowChange): Promise<void> {
    void this.#change(table, change)
  }

  /** What nobody waits for; it counts for the commit all the same. */
  send({ text, values }: Statement): void {
    this.#sent.push(this.ask(text, values))
  }

  /** Sent together with what nobody has waited for: a statement that fails makes a rollback of the commit. */
  async commit(): Promise<void> {
    this.#queue.flush()
    if (this.#failure) throw this.#failure
    const ended = this.#send(this.#sendCommit())
    this.#isOver = true
    await Promise.allSettled([...this.#sent, ended])
    if (this.#failure) throw this.#failure
    await ended
  }

  /** Work that failed in one part may still ask in another: its connection is somebody else's by then. */
  end(): void {
    this.#isOver = true
  }

  async rollback(): Promise<void> {
    if (this.#isBegun && !this.#life.isOver) await this.#life.command('rollback')
  }

  async #sendCommit(): Promise<void> {
    const done = await this.#life.command('commit')
    this.#isCommitted = done === 'COMMIT'
    if (!this.#isCommitted) throw new Error(`The database answered a commit with ${done}.`)
  }

  #change(table: string, { text, values, row }: RowChange): Promise<unknown> {
    this.changed.add(table)
    this.#remembered.forget(table)
    this.#begin()
    const changed = this.#send(this.#queue.change(table, { text, values, row }))
    this.#sent.push(changed)
    return changed
  }

  #mayBeLocked({ investorId }: UnderInvestor): boolean {
    return investorId === undefined ? this.#investors.size > 0 : this.#investors.has(investorId)
  }

  readonly #ask = <Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> => {
    if (this.#isOver) return Promise.reject(new TransactionOver())
    this.#begin()
    return this.#send(this.#life.query<Row>(text, values))
  }

  /** `text` is the one that locks. */
  #look({ text, values, locksInvestor }: Question): Promise<readonly unknown[]> {
    if (locksInvestor !== undefined) {
      this.#investors.add(locksInvestor)
      return this.ask(text, values)
    }
    return this.look(text, values)
  }

  #begin(): void {
    if (this.#isBegun || this.#isOver) return
    this.#isBegun = true
    this.#sent.push(this.#send(this.#life.command('begin isolation level read committed')))
  }

  #send<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const known = answer.catch((error) => this.#fail(error))
    // Whoever has to know asks for it, at the latest with the commit.
    known.catch(() => {})
    return known
  }

  #fail(error: unknown): never {
    if (error instanceof TransactionOver) throw error
    if (error !== this.#failure && codeOf(error) !== failedBefore) {
      // It was not there a moment ago, so somebody else was faster.
      const isRace = this.#absent.has(constraintOf(error))
      this.#failure ??= isRace ? new Retry(error) : meaningOf(error)
    }
    throw this.#failure ?? error
  }
}
