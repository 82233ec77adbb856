import type { OfInvestor, Put, Question, Session, UnderInvestor } from '../session.ts'
import { type Ask, nameOf, type Statement, type Value } from '../statements.ts'
import type { SharedQuestions, SharedStatement } from './shared-questions.ts'

/** With the text that puts it in together with others. */
export interface SharedPut extends Pick<Put, 'table' | 'row' | 'record' | 'numberedUnder'> {
  readonly text: string
}

/**
 * One of several works in a transaction. It leaves when it asks for what another one has, or for more than can be held
 * back until all have ended; whatever it says after that does not count.
 */
export class Member implements Session {
  /** By the row, which one statement changes once. */
  readonly puts = new Map<string, SharedPut>()
  readonly changes: { readonly table: string; readonly statement: Statement }[] = []
  readonly #questions: SharedQuestions
  /** By whom, of all members. */
  readonly #taken: Map<string, Member>
  readonly #remembered = new Map<string, Promise<readonly unknown[]>>()
  readonly #absent = new Set<string>()
  /** The tables that it has seen rows of. */
  readonly #found = new Set<string>()
  readonly #changed = new Set<string>()
  #hasInvestors = false
  #hasLeft = false

  constructor(questions: SharedQuestions, taken: Map<string, Member>) {
    this.#questions = questions
    this.#taken = taken
  }

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  readonly ask: Ask = async () => this.#leave()

  readonly remember = async <Row>(question: Question): Promise<readonly Row[]> => {
    // What this one has put is not there yet.
    if (this.#changed.has(question.table)) this.#leave()
    const name = nameOf(question)
    const known = this.#remembered.get(name) ?? this.#look(question)
    this.#remembered.set(name, known)
    return known as Promise<readonly Row[]>
  }

  readonly underInvestor = async <Row extends OfInvestor>(
    question: UnderInvestor,
  ): Promise<readonly Row[]> => {
    if (this.#mayBeLocked(question)) {
      const rows = await this.remember<Row>(question)
      if (this.#areOwn(rows)) return rows
      this.#remembered.delete(nameOf(question))
    }
    const [investors, rows] = await Promise.all([
      this.#questions.lock<OfInvestor>({
        text: question.lockInvestors,
        values: this.#requireTexts(question.values),
      }),
      this.remember<Row>(question),
    ])
    this.noteLocked(investors)
    return this.#areOwn(rows) ? rows : this.#leave()
  }

  noteLocked(investors: readonly OfInvestor[]): void {
    for (const { investorId } of investors) this.#takeInvestor(investorId)
  }

  lockName(): void {
    this.#leave()
  }

  noteAbsent(constraint: string, value = ''): void {
    this.#absent.add(`${constraint} ${value}`)
  }

  wasAbsent(constraint: string, value: string): boolean {
    return this.#absent.has(`${constraint} ${value}`)
  }

  async requireUnchanged(): Promise<void> {
    this.#leave()
  }

  /** What it has seen nothing of is new: if it is not, the database says so, and each works alone. */
  async put({ table, row, isAwaited, record, numberedUnder, together }: Put): Promise<void> {
    const text = together(!this.#found.has(table))
    if (isAwaited || text === undefined) this.#leave()
    this.#changed.add(table)
    this.puts.set(`${table} ${row}`, { table, row, record, numberedUnder, text })
  }

  async change(table: string, statement: Statement): Promise<void> {
    // It is sent before all that is put.
    if (this.#changed.has(table)) this.#leave()
    this.#changed.add(table)
    this.changes.push({ table, statement })
  }

  async #look(question: Question): Promise<readonly unknown[]> {
    const rows = await this.#ask(question)
    if (rows.length > 0) this.#found.add(question.table)
    return rows
  }

  #ask(question: Question): Promise<readonly unknown[]> {
    const { text, lockingText, locksInvestor, isCounted } = question
    const values = this.#requireTexts(question.values)
    if (isCounted) return this.#questions.lookAtCounted({ text, values })
    if (lockingText === undefined) return this.#questions.look({ text, values })
    if (locksInvestor === undefined) return this.#lookForNone({ text, values })
    this.#takeInvestor(locksInvestor)
    return this.#lockInvestor({ text: lockingText, values })
  }

  /** Whoever has to wait for somebody else's lock, which is skipped here, waits alone. */
  async #lockInvestor(locking: SharedStatement): Promise<readonly unknown[]> {
    const rows = await this.#questions.lock(locking)
    return rows.length > 0 ? rows : this.#leave()
  }

  /**
   * Idempotency records and references of new orders are seldom there: a row that does not exist needs no lock, and a look
   * costs less. Where there is one, the work is done alone.
   */
  async #lookForNone(question: SharedStatement): Promise<readonly unknown[]> {
    this.#take(nameOf(question))
    const rows = await this.#questions.look(question)
    return rows.length > 0 ? this.#leave() : rows
  }

  /** A NUL, which the database takes for a fault, is to be the fault of one only. */
  #requireTexts(values: readonly Value[]): readonly string[] {
    return values.every(isSound) ? values : this.#leave()
  }

  #mayBeLocked({ investorId }: UnderInvestor): boolean {
    return investorId === undefined ? this.#hasInvestors : this.#isOwn({ investorId })
  }

  readonly #isOwn = ({ investorId }: OfInvestor): boolean =>
    this.#taken.get(investorNamed(investorId)) === this

  #areOwn(rows: readonly OfInvestor[]): boolean {
    return rows.every(this.#isOwn)
  }

  #takeInvestor(investorId: string): void {
    this.#take(investorNamed(investorId))
    this.#hasInvestors = true
  }

  #take(name: string): void {
    const owner = this.#taken.get(name) ?? this
    if (owner !== this) this.#leave()
    this.#taken.set(name, this)
  }

  #leave(): never {
    this.#hasLeft = true
    throw new Error('This work needs a transaction of its own.')
  }
}

function isSound(value: Value): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function investorNamed(investorId: string): string {
  return `investor ${investorId}`
}
