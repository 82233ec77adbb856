import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { connectOne, type DatabaseOptions, type Sql } from './connect.ts'
import type { Ask, Value } from './database.ts'
import {
  connectionClosed,
  isTemporary,
  ReportedFault,
  refusal,
  tlsCodes,
  unavailable,
} from './faults.ts'

/**
 * One connection for long transactions of operators. Statements have no time limit, and errors are explained. After the
 * connection is lost, no statement is sent: the driver would reconnect, outside of the transaction.
 */
export interface Session {
  /** A text without values may contain several statements. */
  readonly ask: Ask
  close(): Promise<void>
}

export async function openSession(options: DatabaseOptions): Promise<Session> {
  let sql: Sql | undefined
  const explaining = (error: unknown) => {
    throw explained(options, error)
  }
  const forget = () => {
    sql = undefined
  }
  const opened = await connectOne({ ...options, statementTimeoutMs: 0 }, forget).catch(explaining)
  sql = opened.sql
  return {
    async ask<Row>(text: string, values: readonly Value[] = []) {
      if (!sql) return explaining(connectionClosed('The connection to the database is closed.'))
      // Unnamed statements work through a pooler, and each is run once or twice only.
      const answer = sql.unsafe(text, [...values], { prepare: false }).catch(explaining)
      return (await answer) as unknown as readonly Row[]
    },
    async close() {
      const open = sql
      sql = undefined
      await open?.end({ timeout: 1 })
    },
  }
}

/** Closes the connection when the work has ended, which rolls back an open transaction. */
export async function withSession<Result>(
  options: DatabaseOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(options)
  return work(session).finally(() => session.close())
}

/** What an operator can do about a fault, by its code and message. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^ERR_TLS_NOT_OFFERED/, 'See --database-tls.'],
  [tlsCodes, 'Name the authority to trust with --database-ca-file, or see --database-tls.'],
  [/^53300/, 'Each instance takes up to --database-pool-size connections, plus one to listen.'],
  [/^(08P01|28P01) .*authentication failed/, 'Check the user and the password in the address.'],
  [/^57014/, 'See --database-statement-timeout.'],
  // Other programs read `keepalives` from an address; here it would be sent to the database.
  [
    /^\w+ unrecognized configuration parameter/,
    'Leave it out of the address: only settings of the database itself may follow the question mark.',
  ],
  [
    /^42501/,
    'Grant the missing rights as the owner of the schema, or run `store migrate` as the owner.',
  ],
  // Access rule violations: the tables of another program are in the way.
  [/^42/, 'Name an empty database, or one that only this program uses.'],
]

/** Refuses an encoding that cannot store all names. */
export function encodingRefused(options: DatabaseOptions, encoding: string): Problem {
  return cannotUse(
    options,
    `its encoding is ${encoding}, which cannot store all names. Make a database with \`create database … encoding 'UTF8' template template0\`.`,
  )
}

/** Adds advice for operators to a fault. */
export function explained(options: DatabaseOptions, error: unknown): unknown {
  const found = unavailable(error)
  const fault = found instanceof Problem ? found.cause : found
  if (!(fault instanceof ReportedFault)) return found
  const [, hint] = hints.find(([pattern]) => pattern.test(fault.message)) ?? []
  if (!(found instanceof Problem || hint)) return found
  const reason = fault.reason.replace(/\.?$/, '.')
  return cannotUse(options, hint ? `${reason} ${hint}` : reason, fault)
}

/** Address and reason contain no password. */
function cannotUse({ url }: DatabaseOptions, reason: string, cause?: unknown): Problem {
  const { host, pathname } = new URL(url)
  return refusal(`Cannot use the database postgres://${host}${pathname}: ${reason}`, cause)
}

export interface DatabaseWait {
  readonly longestMs: number
  /** Called once, with the first failure. */
  readonly onWait: (error: unknown) => void
}

const pauseMs = 500

/** Opens a database that may be starting or recovering. Tries again until it succeeds or the time is up. */
export async function awaitDatabase<Opened>(
  { longestMs, onWait }: DatabaseWait,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const lastAtMs = performance.now() + longestMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      if (!isTemporary(error) || performance.now() + pauseMs > lastAtMs) throw error
      if (attempt === 1) onWait(error)
      await setTimeout(pauseMs)
    }
  }
}
