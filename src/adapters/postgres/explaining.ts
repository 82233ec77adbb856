import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import type { DatabaseOptions } from './connect.ts'
import { isTemporary, ReportedFault, refusal, tlsCodes, unavailable } from './faults.ts'

/** What an operator can do about a fault, by its code and message. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^ERR_TLS_NOT_OFFERED/, 'See --database-tls.'],
  [tlsCodes, 'Name who signed its certificate with --database-ca-file, or see --database-tls.'],
  [/^53300/, 'Each instance takes up to --database-pool-size connections, and one to listen.'],
  [/^57014/, 'See --database-statement-timeout.'],
  // Other programs read `keepalives` and the like from an address; here they would go to the database.
  [
    /^\w+ unrecognized configuration parameter/,
    'Leave it out of the address: what stands behind its ? are settings of the database itself.',
  ],
  // Access rule violations: the tables of another program are in the way, or the role may not create tables.
  [
    /^42/,
    'Name an empty database, or one that only this program uses, with a role that may make tables in it.',
  ],
]

/** Refuses an encoding that cannot store all names. */
export function encodingRefused(options: DatabaseOptions, encoding: string): Problem {
  return cannotUse(
    options,
    `its encoding is ${encoding}, and names in it would be refused. Make one with \`create database … encoding 'UTF8' template template0\`.`,
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
