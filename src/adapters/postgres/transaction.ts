import { UniquenessError } from '../../ports/store.ts'
import { codeOf, isConflict, Retry } from './faults.ts'
import type { Change, OfInvestor, Question, Session, UnderInvestor } from './session.ts'
import { StatementQueue } from './statement-queue.ts'
import type { Statement, Value } from './statements.ts'
import { uniqueIndexOf } from './unique-indexes.ts'
import type { Life } from './writer.ts'

const uniqueViolation = '23505'
const failedBefore = '25P02'

interface Remembered extends Statement {
  readonly answer: Promise<readonly unknown[]>
}

/**
 * One transaction, at READ COMMITTED. Reads lock what they find, so it runs as if alone; statements are waited for only
 * where the work needs an answer.
 */
export class Transaction implements Session {
  readonly isWrite = true
  /** The tables that something was put into. */
  readonly changed = new Set<string>()
  readonly #life: Life
  readonly #sent: Promise<unknown>[] = []
  readonly #remembered = new Map<string, Map<string, Remembered>>()
  readonly #absent = new Set<string>()
  readonly #investors = new Set<string>()
  readonly #names = new Set<string>()
  readonly #queue = new StatementQueue((text, values) => this.#ask(text, values))
  #isBegun = false
  #failure: unknown

  constructor(life: Life) {
    this.#life = life
  }

  /** Nothing has to be ended otherwise. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** The first thing that went wrong: what fails after it fails because of it. */
  get failure(): unknown {
    return this.#failure
  }

  readonly ask = <Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> => {
    this.#queue.flush()
    return this.#ask(text, values)
  }

  readonly remember = <Row>(question: Question): Promise<readonly Row[]> => {
    const { table, text, values } = question
    const answers = this.#remembered.get(table) ?? new Map<string, Remembered>()
    this.#remembered.set(table, answers)
    const name = `${text} ${JSON.stringify(values)}`
    const known = answers.get(name) ?? { text, values, answer: this.#look(question) }
    answers.set(name, known)
    return known.answer as Promise<readonly Row[]>
  }

  readonly underInvestor = async <Row extends OfInvestor>(
    question: UnderInvestor,
  ): Promise<readonly Row[]> => {
    if (this.#mayBeLocked(question)) {
      const rows = await this.remember<Row>(question)
      if (rows.every(({ investorId }) => this.#investors.has(investorId))) return rows
      this.#remembered.delete(question.table)
    }
    const locking = this.ask<OfInvestor>(question.lock, question.values)
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

  async settle(table: string): Promise<void> {
    this.lockName(table)
    for (const { text, values, answer } of this.#remembered.get(table)?.values() ?? []) {
      const before = JSON.stringify(await answer)
      if (JSON.stringify(await this.#queue.ask({ text, values })) !== before)
        this.#fail(new Retry(table))
    }
  }

  async change(table: string, change: Change): Promise<number | undefined> {
    const { isAwaited = false, mustChange = false } = change
    this.changed.add(table)
    this.#remembered.delete(table)
    this.#begin()
    const changed = this.#queue.change(table, change)
    if (isAwaited) this.#queue.flush()
    const answer = this.#requireChange(changed, mustChange)
    if (isAwaited) return answer
    this.#sent.push(answer)
    return undefined
  }

  /** What nobody waits for; it counts for the commit all the same. */
  send({ text, values }: Change): void {
    this.#sent.push(this.ask(text, values))
  }

  /** Sent together with what nobody has waited for: a statement that fails makes a rollback of the commit. */
  async commit(): Promise<void> {
    this.#queue.flush()
    if (this.#failure) throw this.#failure
    const ended = this.#send(this.#life.command('commit'))
    await Promise.allSettled([...this.#sent, ended])
    if (this.#failure) throw this.#failure
    const done = await ended
    if (done !== 'COMMIT') throw new Error(`The database answered a commit with ${done}.`)
  }

  async rollback(): Promise<void> {
    if (this.#isBegun && !this.#life.isOver) await this.#life.command('rollback')
  }

  #mayBeLocked({ investorId }: UnderInvestor): boolean {
    return investorId === undefined ? this.#investors.size > 0 : this.#investors.has(investorId)
  }

  #requireChange(answer: Promise<number>, mustChange: boolean): Promise<number> {
    return this.#send(
      answer.then((count) => {
        if (mustChange && count === 0) throw new UniquenessError('id')
        return count
      }),
    )
  }

  readonly #ask = <Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> => {
    this.#begin()
    return this.#send(this.#life.query<Row>(text, values))
  }

  #look({ text, values, locksInvestor }: Question): Promise<readonly unknown[]> {
    if (locksInvestor !== undefined) {
      this.#investors.add(locksInvestor)
      return this.ask(text, values)
    }
    return this.#send(this.#queue.ask({ text, values }))
  }

  #begin(): void {
    if (this.#isBegun) return
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
    if (error !== this.#failure && codeOf(error) !== failedBefore) {
      this.#failure ??= this.#meaningOf(error)
    }
    throw this.#failure ?? error
  }

  #meaningOf(error: unknown): unknown {
    if (isConflict(error)) return new Retry(error)
    if (codeOf(error) !== uniqueViolation) return error
    const { constraint_name: constraint = '' } = error as { constraint_name?: string }
    if (this.#absent.has(constraint)) return new Retry(error)
    return new UniquenessError(uniqueIndexOf(constraint))
  }
}
