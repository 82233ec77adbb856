import { pino } from 'pino'
import type { Logger } from '../ports/logger.ts'

const stderr = 2

/** Names under which no log may show a value, wherever they come from. */
const confidential = [
  'access_token',
  'authorization',
  'client_secret',
  'clientSecret',
  'email',
  'iban',
  'secret',
  'tax_id',
  'taxId',
  'token',
]

export interface FlushedLogger extends Logger {
  /** Writes what is still in memory; before the process ends. */
  flush(): void
}

/** JSON lines on stderr, written in the background. */
export function createLogger(level: string): FlushedLogger {
  const destination = pino.destination({ dest: stderr, sync: false })
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: confidential.flatMap((name) => [name, `*.${name}`]),
      serializers: { error: describe },
    },
    destination,
  )
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    flush: () => destination.flushSync(),
  }
}

/** Only what errors have in common: what else one carries may be about a person. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack, cause } = error
  return { type: name, message, stack, ...(cause !== undefined && { cause: describe(cause) }) }
}
