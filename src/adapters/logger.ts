import { pino } from 'pino'
import type { Logger } from '../ports/logger.ts'
import { redact } from './redact.ts'

const stderr = 2

// One write for each line takes longer than everything else of it. What a crash could lose is younger than this.
const buffered = { minLength: 8 * 1024, periodicFlush: 100 }

export interface FlushedLogger extends Logger {
  /** Writes what is still in memory; before the process ends. */
  flush(): void
}

/** JSON lines on stderr, written in the background. */
export function createLogger(level: string): FlushedLogger {
  const destination = pino.destination({ dest: stderr, sync: false, ...buffered })
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      formatters: { level: (level) => ({ level }), log: redact },
      timestamp: pino.stdTimeFunctions.isoTime,
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
