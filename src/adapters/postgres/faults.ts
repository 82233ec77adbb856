import postgres from 'postgres'
import { Problem } from '../../domain/problem.ts'

const retryAfterSeconds = 1

const lockNotAvailable = '55P03'
// serialization_failure, deadlock_detected
const conflicts = new Set(['40001', '40P01', lockNotAvailable])

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
const tooManyConnections = '53300'
// A database that starts, stops or recovers, or that cannot be reached; beside these, the class 08.
const passing = new Set([
  ...['57P01', '57P02', '57P03', tooManyConnections],
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'ETIMEDOUT'],
])
const queryCanceled = '57014'
const tookTooLong = 'The database took longer over this than a statement may. Try again later.'
// What Node says of a certificate, or of a server that does not encrypt at all.
const untrusted = /^(CERT_|ERR_SSL_|ERR_TLS_|UNABLE_TO_|EPROTO$)|SELF_SIGNED/

/** Of what was thrown, as much as a log may show: the database tells of the row, and postgres.js of the parameters. */
export class ReportedFault extends Error {
  readonly code: string
  readonly reason: string

  constructor(thrown: Error) {
    const code = codeOf(thrown)
    super(`${code} ${thrown.message}`.trim())
    this.code = code
    this.reason = messageOf(thrown) || code
    this.stack = thrown.stack ?? this.message
  }
}

/** Of a name with several addresses, what each of them said. */
function messageOf(thrown: Error): string {
  if (thrown.message || !(thrown instanceof AggregateError)) return thrown.message
  return thrown.errors.map(messageOf).join('; ')
}

const uniqueViolation = '23505'

/** Of an error that says that a value is taken; of any other, an empty name. */
export function constraintOf(error: unknown): string {
  const { constraint_name: name = '' } = error as { readonly constraint_name?: string }
  return codeOf(error) === uniqueViolation ? name : ''
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Another transaction was in the way: the same may well succeed now. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

/** The connection is of no more use; another one may be. */
export function isLost(error: unknown): boolean {
  if (isCanceled(error)) return false
  if (!(error instanceof postgres.PostgresError)) return isUnreachable(error)
  return /^(08|57)|^25P03$/.test(error.code)
}

/** It took longer than a statement may, or an operator ended it. */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === queryCanceled
}

/** It gives no more connections, to anybody or to this role. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === tooManyConnections
}

/** What the database cannot do at the moment, in words for callers; anything else is a fault of ours. */
export function unavailable(error: unknown): unknown {
  const isDatabase = error instanceof postgres.PostgresError
  if (isDatabase && isCanceled(error)) return refusal(tookTooLong, error)
  const isAway = isUnreachable(error) || (isDatabase && /^(08|53|57|58)|^25P03$/.test(error.code))
  if (!isAway && !isConflict(error)) return isDatabase ? safely(error) : error
  return refusal('The service cannot reach its database at the moment. Try again later.', error)
}

/** Whether it may be over soon without anybody changing a setting: a wrong password or certificate stays wrong. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error instanceof Problem ? error.cause : error)
  return passing.has(code) || /^08...$/.test(code)
}

/** By its certificate, or because it does not encrypt. */
export function isUntrusted(error: unknown): boolean {
  return untrusted.test(codeOf(error))
}

function isUnreachable(error: unknown): boolean {
  return unreachable.has(codeOf(error)) || isUntrusted(error)
}

export function refusal(detail: string, cause?: unknown): Problem {
  return new Problem('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause: safely(cause) })
}

/** Whoever waits longer waits in vain; whoever tries again at once waits again. */
function silent(): Problem {
  const cause = connectionClosed('It does not answer.')
  return refusal('The database does not answer. Try again later.', cause)
}

/** Whatever was asked: nothing was heard of it. */
export function isSilent(error: unknown): boolean {
  return error instanceof Problem && codeOf(error.cause) === 'CONNECTION_CLOSED'
}

/** Refuses when there is no answer in time. */
export async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silent()), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

export function connectionClosed(message: string): Error {
  return Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
}

export function dropped(): Error {
  return connectionClosed(
    'What listens there takes connections and drops them. It may be a proxy that does not reach the database.',
  )
}

const notEncrypted = 'ERR_TLS_NOT_OFFERED'

export function unencrypted(): Error {
  return Object.assign(new Error('The server does not encrypt.'), { code: notEncrypted })
}

export function isUnencrypted(error: unknown): boolean {
  return codeOf(error) === notEncrypted
}

export function closed(): Problem {
  return refusal('The store is closed.')
}

function safely(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof ReportedFault) return cause
  return new ReportedFault(cause)
}
