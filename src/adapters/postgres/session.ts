import type { KeptAnswers } from './kept-answers.ts'
import type { Ask, Statement } from './statements.ts'

/**
 * How repositories ask. In a write, what is read is locked for it and remembered, and what is put is sent with whatever
 * follows, without waiting for the answer.
 */
export interface Session {
  readonly ask: Ask
  /** The answer of an earlier question, as long as nothing was put into its table. */
  readonly remember: <Row>(question: Question) => Promise<readonly Row[]>
  /** What belongs to an investor is read under a lock of the investor. */
  readonly underInvestor: <Row extends OfInvestor>(ask: UnderInvestor) => Promise<readonly Row[]>
  noteLocked(investors: readonly OfInvestor[]): void
  /** Nobody else who asks for this name gets on before this write is over. */
  lockName(name: string): void
  /** Another write that makes such a thing is in the way, and no mistake. */
  noteAbsent(constraint: string, value?: string): void
  wasAbsent(constraint: string, value: string): boolean
  /** Nobody else puts into the table any more; what was read of it stands, or the write begins anew. */
  requireUnchanged(table: string): Promise<void>
  /** Returns at once, unless whoever puts wants to know. */
  put(put: Put): Promise<void>
  change(table: string, statement: Statement): Promise<void>
}

export interface Question extends Statement {
  readonly table: string
  /** The text in a write, where what it finds has to stay as it is. */
  readonly lockingText?: string
  /** The investor that it locks: what is asked after it sees what others did until then. */
  readonly locksInvestor?: string
  /** Every request asks it: a read may be answered from what is kept. */
  readonly isKept?: boolean
  /** Of a table whose changes are counted: whoever has the answer can see whether it is still good. */
  readonly isCounted?: boolean
}

export interface OfInvestor {
  readonly investorId: string
}

/** `lockInvestors` finds and locks the investors of what `text` reads; both take the same values. */
export interface UnderInvestor extends Statement {
  readonly table: string
  readonly lockInvestors: string
  /** Whose it is, where that is known before it is read. */
  readonly investorId?: string
}

/** A record on its way into its table, by itself or with others. */
export interface Put {
  readonly table: string
  /** The key of the one row that it changes. */
  readonly row: string
  /** Whoever puts wants to know now whether it was taken. */
  readonly isAwaited: boolean
  alone(): Statement
  /**
   * The text for many: `$1` are their records as JSON, `$2` the names that they are numbered under. With `isNew` the
   * database refuses what is there already, and looks at each index once.
   */
  together(isNew: boolean): string | undefined
  record(): object
  readonly numberedUnder: string | undefined
}

/** Of a read: each statement sees what is committed, and none waits for a write. */
export function createReadSession(ask: Ask, kept: KeptAnswers): Session {
  return {
    ask,
    remember: async (question) => {
      if (!mayBeFound(question)) return []
      return question.isKept ? kept.read(question) : ask(question.text, question.values)
    },
    underInvestor: ({ text, values }) => ask(text, values),
    noteLocked: () => {},
    lockName: () => {},
    noteAbsent: () => {},
    wasAbsent: () => false,
    requireUnchanged: refuse,
    put: refuse,
    change: refuse,
  }
}

/** PostgreSQL refuses text with a NUL, so nothing there has one. */
function mayBeFound({ values }: Question): boolean {
  return !values.some((value) => typeof value === 'string' && value.includes('\0'))
}

function refuse(): never {
  throw new Error('A read changes nothing.')
}
