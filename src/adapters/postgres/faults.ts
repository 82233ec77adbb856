import postgres from 'postgres'
import { Problem } from '../../domain/problem.ts'
import type { DatabaseOptions } from './database-options.ts'

const retryAfterSeconds = 1

/** Another transaction was in the way: the same work may well succeed now. */
export class Retry extends Error {
  constructor(cause: unknown) {
    super('Another transaction was in the way.', { cause })
    this.name = 'Retry'
  }
}

/** Asked too late. No failure of the transaction: what it has done, stands. */
export class TransactionOver extends Error {
  constructor() {
    super('This transaction is over.')
    this.name = 'TransactionOver'
  }
}

// serialization_failure, deadlock_detected, lock_not_available
const conflicts = new Set(['40001', '40P01', '55P03'])

// Beside these, whole classes: 08 connection, 53 insufficient resources, 57 operator intervention, 58 system error.
const unreachable = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  // An operator has changed something under a running service: whether it takes writes or connections, who may connect,
  // or use the schema, or a table.
  '25006',
  '28000',
  '28P01',
  '3D000',
  '3F000',
  '42501',
  '55000',
])
const queryCanceled = '57014'
const tookTooLong = 'The database took longer over this than a statement may. Try again later.'
// What Node says of a certificate, or of a server that does not encrypt at all.
const untrusted = /^(CERT_|ERR_SSL_|ERR_TLS_|UNABLE_TO_|EPROTO$)|SELF_SIGNED/
// PgBouncer, of what it would not keep for a connection.
const ofPooler = /^unsupported startup parameter/
// Access rule violations: tables of others are in the way, or the role may make none.
const ofSchema = /^42/

/** Of a database that could not hold what it is given. */
export class EncodingRefused extends Error {
  constructor(encoding: string) {
    super(`its encoding is ${encoding}, and names in it would be refused`)
    this.name = 'EncodingRefused'
  }
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

/** The connection is of no more use; another one may be. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === queryCanceled) return false
  if (!(error instanceof postgres.PostgresError)) return isUnreachable(code)
  return /^(08|57)|^25P03$/.test(code)
}

/** What the database cannot do at the moment, in words for callers; anything else is a fault of ours. */
export function unavailable(error: unknown): unknown {
  const isDatabase = error instanceof postgres.PostgresError
  if (isDatabase && error.code === queryCanceled) return refusal(tookTooLong, error)
  const isAway =
    isUnreachable(codeOf(error)) || (isDatabase && /^(08|53|57|58)|^25P03$/.test(error.code))
  if (!isAway && !isConflict(error)) return isDatabase ? safely(error) : error
  return refusal('The service cannot reach its database at the moment. Try again later.', error)
}

/** For operators, who can do something about it. Neither address nor reason has a password in it. */
export function explained({ url }: DatabaseOptions, error: unknown): unknown {
  const found = unavailable(error)
  const hint = hintFor(error)
  const isExplained = found instanceof Problem || hint !== ''
  if (!(error instanceof Error) || error instanceof Problem || !isExplained) return found
  const { host, pathname } = new URL(url)
  const reason = (error.message || codeOf(error)).replace(/\.?$/, '.')
  return refusal(`Cannot use the database postgres://${host}${pathname}: ${reason}${hint}`, error)
}

/** Works of operators on a connection of their own. */
export async function explaining<Result>(
  options: DatabaseOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explained(options, error)
  }
}

function hintFor(error: unknown): string {
  if (untrusted.test(codeOf(error))) {
    return ' Name who signed its certificate with --database-ca-file, or see --database-tls.'
  }
  if (error instanceof EncodingRefused) {
    return " Make one with `create database … encoding 'UTF8' template template0`."
  }
  if (!(error instanceof postgres.PostgresError)) return ''
  if (ofPooler.test(error.message)) {
    return ' Name the database itself: each instance has a pool of its own, and a pooler in between does not keep how connections are set.'
  }
  if (ofSchema.test(error.code)) {
    return ' Name an empty database, or one that only this program uses, with a role that may make tables in it.'
  }
  return ''
}

function isUnreachable(code: string): boolean {
  return unreachable.has(code) || untrusted.test(code)
}

export function refusal(detail: string, cause?: unknown): Problem {
  return new Problem('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause: safely(cause) })
}

/** Whoever waits longer waits in vain; whoever tries again at once waits again. */
export function silent(): Problem {
  return refusal('The database does not answer. Try again later.')
}

export function closed(): Problem {
  return refusal('The store is closed.')
}

/** The database tells of the row, and postgres.js of the parameters: a log would show them. */
function safely(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const safe = new Error(`${codeOf(cause)} ${cause.message}`.trim())
  safe.stack = cause.stack ?? safe.message
  return safe
}
