import postgres from 'postgres'
import { Problem } from '../../domain/problem.ts'

const retryAfterSeconds = 1

// lock_not_available, serialization_failure, deadlock_detected
const conflictCodes = /^(55P03|40001|40P01)$/
const queryCanceled = '57014'
const tooManyConnections = '53300'
/** Codes of sockets and of the driver: the connection is lost or cannot be made. */
const connectionCodes = /^(CONNECTION_[A-Z]+|CONNECT_TIMEOUT|EAI_AGAIN|E[A-Z]+)$/
/** Connection exceptions, lack of resources, operator intervention, system errors, ended idle transactions. */
const serverCodes = /^(08|53|57|58|25P03)/
/** An operator has changed something while the service runs, such as write access, connection limits or rights. */
const operatorCodes = /^(25006|28000|28P01|3D000|3F000|42501|55000)$/
/** The database answers, but accepts no writes or does not give the right. */
const reachedCodes = /^(25006|42501|53100)$/
/** The database is starting, stopping or recovering. */
const restartCodes = /^(08...|57P0[123])$/
/** Codes of Node for certificates, and for a server that does not encrypt. */
export const tlsCodes = /^(CERT_|ERR_SSL_|ERR_TLS_|UNABLE_TO_|EPROTO\b|\w*SELF_SIGNED)/
const tookTooLong = 'A statement took longer than the database allows. Try again later.'

/** Contains only what may be logged. The original errors contain rows (database) or parameters (postgres.js). */
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

/** If a name has several addresses, joins the messages of all of them. */
function messageOf(thrown: Error): string {
  if (thrown.message || !(thrown instanceof AggregateError)) return thrown.message
  return thrown.errors.map(messageOf).join('; ')
}

const uniqueViolation = '23505'

/** The constraint of a uniqueness violation. Empty for any other error. */
export function constraintOf(error: unknown): string {
  const { constraint_name: name = '' } = error as { readonly constraint_name?: string }
  return codeOf(error) === uniqueViolation ? name : ''
}

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether the statement took too long, or an operator cancelled it. */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === queryCanceled
}

/** Whether another transaction conflicted. The same statement may succeed now. */
export function isConflict(error: unknown): boolean {
  return conflictCodes.test(codeOf(error))
}

/** Whether the connection cannot be used any more. Another connection may work. */
export function isLost(error: unknown): boolean {
  if (isCanceled(error)) return false
  if (!(error instanceof postgres.PostgresError)) return isUnreachable(error)
  return /^(08|57)|^25P03$/.test(error.code)
}

/** Whether the database accepts no more connections, in total or for this role. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === tooManyConnections
}

/** Converts a temporary fault of the database into a Problem. Returns other errors unchanged. */
export function unavailable(error: unknown): unknown {
  const isDatabase = error instanceof postgres.PostgresError
  if (isDatabase && isCanceled(error)) return refusal(tookTooLong, error)
  const isAway = isUnreachable(error) || (isDatabase && serverCodes.test(error.code))
  if (!isAway && !isConflict(error)) return isDatabase ? safely(error) : error
  const what = reachedCodes.test(codeOf(error)) ? 'use' : 'reach'
  return refusal(`The service cannot ${what} its database at the moment. Try again later.`, error)
}

/** PgBouncer has the same code for all of its faults, so their text has to tell them apart. */
const poolerCode = '08P01'
const lastingPoolerFaults =
  /authentication failed|no such (user|database)|does not exist|login rejected|required$|config error|password type|SASL authentication mechanism|no pg_hba\.conf entry|not permitted to log in|permission denied|unsupported startup parameter/

/** Whether the fault may pass without a change of settings. A wrong password or certificate does not. */
export function isTemporary(error: unknown): boolean {
  const fault = error instanceof Problem ? error.cause : error
  const code = codeOf(fault)
  if (code === poolerCode && lastingPoolerFaults.test(String(fault))) return false
  const isOfConnection = connectionCodes.test(code) && !tlsCodes.test(code)
  return isOfConnection || restartCodes.test(code) || code === tooManyConnections
}

function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  return connectionCodes.test(code) || operatorCodes.test(code) || tlsCodes.test(code)
}

export function refusal(detail: string, cause?: unknown): Problem {
  return new Problem('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause: safely(cause) })
}

/** Whether no answer arrived. */
export function isSilent(error: unknown): boolean {
  return error instanceof Problem && codeOf(error.cause) === 'CONNECTION_CLOSED'
}

/** Rejects if there is no answer in time. */
export async function withTimeout<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
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
    'Something listens there, but closes each connection. It may be a proxy that cannot reach the database.',
  )
}

export function closed(): Problem {
  return refusal('The store is closed.')
}

function safely(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof ReportedFault) return cause
  return new ReportedFault(cause)
}
