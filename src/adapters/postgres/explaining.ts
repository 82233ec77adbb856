import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import type { DatabaseOptions } from './connect.ts'
import {
  codeOf,
  isCanceled,
  isFull,
  isPassing,
  isUnencrypted,
  isUntrusted,
  ReportedFault,
  refusal,
  unavailable,
} from './faults.ts'

// What other programs read from an address, such as `keepalives`, goes to the database here.
const ofAddress = /^unrecognized configuration parameter/
// Access rule violations: tables of others are in the way, or the role may make none.
const ofSchema = /^42/

/** Of a database that could not hold what it is given. */
export class EncodingRefused extends ReportedFault {
  constructor(encoding: string) {
    super(new Error(`its encoding is ${encoding}, and names in it would be refused`))
  }
}

/** Works of operators, who can do something about what goes wrong. */
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

/** Neither address nor reason has a password in it. */
export function explained({ url }: DatabaseOptions, error: unknown): unknown {
  const found = unavailable(error)
  const fault = found instanceof Problem ? found.cause : found
  if (!(fault instanceof ReportedFault)) return found
  const hint = hintFor(fault)
  if (!(found instanceof Problem || hint)) return found
  const { host, pathname } = new URL(url)
  const reason = fault.reason.replace(/\.?$/, '.')
  return refusal(`Cannot use the database postgres://${host}${pathname}: ${reason}${hint}`, fault)
}

function hintFor(fault: ReportedFault): string {
  if (fault instanceof EncodingRefused) {
    return " Make one with `create database … encoding 'UTF8' template template0`."
  }
  if (isUnencrypted(fault)) return ' See --database-tls.'
  if (isUntrusted(fault)) {
    return ' Name who signed its certificate with --database-ca-file, or see --database-tls.'
  }
  if (isFull(fault)) {
    return ' Each instance takes up to --database-pool-size connections, and one to listen.'
  }
  if (isCanceled(fault)) return ' See --database-statement-timeout.'
  if (ofAddress.test(fault.reason)) {
    return ' Leave it out of the address: what stands behind its ? are settings of the database itself.'
  }
  if (ofSchema.test(codeOf(fault))) {
    return ' Name an empty database, or one that only this program uses, with a role that may make tables in it.'
  }
  return ''
}

export interface DatabasePatience {
  readonly longestMs: number
  /** Called once, with the first failure. */
  readonly onWait: (error: unknown) => void
}

const pauseMs = 500

/** Opens a database that may be starting or recovering: again and again, until it is there or the time is over. */
export async function awaitDatabase<Opened>(
  { longestMs, onWait }: DatabasePatience,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const lastAtMs = performance.now() + longestMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > lastAtMs) throw error
      if (attempt === 1) onWait(error)
      await setTimeout(pauseMs)
    }
  }
}
