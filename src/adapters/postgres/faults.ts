import postgres from 'postgres'
import { Problem } from '../../domain/problem.ts'

const retryAfterSeconds = 1

// lock_not_available, serialization_failure, deadlock_detected
const ofConflict = /^(55P03|40001|40P01)$/
/** It took longer than a statement may, or an operator ended it. */
const queryCanceled = '57014'
const tooManyConnections = '53300'
/** What sockets and the driver say of a connection that is gone, or cannot be made. */
const ofConnection = /^(CONNECTION_[A-Z]+|CONNECT_TIMEOUT|EAI_AGAIN|E[A-Z]+)$/
/** Connection, insufficient resources, operator intervention, system error, and a transaction that stood idle. */
const ofServer = /^(08|53|57|58|25P03)/
/**
 * An operator has changed something under a running service: whether it takes writes or connections, who may connect, or
 * use the schema, or a table.
 */
const ofOperator = /^(25006|28000|28P01|3D000|3F000|42501|55000)$/
/** A database that starts, stops or recovers. */
const ofRestart = /^(08...|57P0[123])$/
/** What Node says of a certificate, or of a server that does not encrypt at all. */
export const ofEncryption = /^(CERT_|ERR_SSL_|ERR_TLS_|UNABLE_TO_|EPROTO\b|\w*SELF_SIGNED)/
const tookTooLong = 'The database took longer over this than a statement may. Try again later.'

/** As much of an error as a log may show: what the database throws contains the row, and what postgres.js throws the parameters. */
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
  return ofConflict.test(codeOf(error))
}

/** The connection is of no more use; another one may be. */
export function isLost(error: unknown): boolean {
  if (codeOf(error) === queryCanceled) return false
  if (!(error instanceof postgres.PostgresError)) return isUnreachable(error)
  return /^(08|57)|^25P03$/.test(error.code)
}

/** It gives no more connections, to anybody or to this role. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === tooManyConnections
}

/** What the database cannot do at the moment, in words for callers; anything else is a fault of ours. */
export function unavailable(error: unknown): unknown {
  const isDatabase = error instanceof postgres.PostgresError
  if (isDatabase && codeOf(error) === queryCanceled) return refusal(tookTooLong, error)
  const isAway = isUnreachable(error) || (isDatabase && ofServer.test(error.code))
  if (!isAway && !isConflict(error)) return isDatabase ? safely(error) : error
  return refusal('The service cannot reach its database at the moment. Try again later.', error)
}

/** Whether it may be over soon without anybody changing a setting: a wrong password or certificate stays wrong. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error instanceof Problem ? error.cause : error)
  const isOfConnection = ofConnection.test(code) && !ofEncryption.test(code)
  return isOfConnection || ofRestart.test(code) || code === tooManyConnections
}

function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  return ofConnection.test(code) || ofOperator.test(code) || ofEncryption.test(code)
}

export function refusal(detail: string, cause?: unknown): Problem {
  return new Problem('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause: safely(cause) })
}

/** Whatever was asked: nothing was heard of it. */
export function isSilent(error: unknown): boolean {
  return error instanceof Problem && codeOf(error.cause) === 'CONNECTION_CLOSED'
}

/** Refuses when there is no answer in time. */
export async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const cause = connectionClosed('It does not answer.')
      reject(refusal('The database does not answer. Try again later.', cause))
    }, ms)
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

export function unencrypted(): Error {
  return Object.assign(new Error('The server does not encrypt.'), { code: 'ERR_TLS_NOT_OFFERED' })
}

export function closed(): Problem {
  return refusal('The store is closed.')
}

function safely(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof ReportedFault) return cause
  return new ReportedFault(cause)
}
