import { pino } from 'pino'
import { escapeInvisible } from '../domain/text.ts'
import { clearTimeout, nowMs, setTimeout } from '../machine/time.ts'
import type { LogFields, Logger } from '../ports/logger.ts'
import type { Timer } from '../ports/machine.ts'

const stderr = 2

// Lines are written in batches, because a write for each line would take longer than all other work on it. A crash
// loses only the lines of the last interval.
const buffered = { minLength: 8 * 1024, periodicFlush: 100 }
/** The maximum number of bytes that wait while nothing can be written. Later lines are lost. */
const maxLength = 1024 * 1024
/** The flush has a time limit, because the reader of the log may have stopped reading. */
const longestFlushMs = 2000

export interface ServiceLogger extends Logger {
  /**
   * For lines that anybody can cause without a token. A flood of requests must fill neither the disk nor the log
   * collector, so these lines are limited, and a line says how many were left out.
   */
  readonly limited: Logger
  /** Writes buffered lines before the process ends, if that is possible. */
  flush(): Promise<void>
}

/**
 * Lines on stderr, written in the background.
 *
 * @param render turns a JSON line into the text that is written
 */
export function createLogger(level: string, render = escapeInvisible): ServiceLogger {
  const { destination, flush } = openDestination(render)
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
  const limited = new LimitedLogger(logger)
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    limited,
    flush() {
      limited.report()
      return flush()
    },
  }
}

/** With the line that counts the others, and another one at the end of the service, it is 200. */
const mostPerSecond = 198

/** Writes a limited number of lines in each second of the clock, and counts those that are left out. */
class LimitedLogger implements Logger {
  readonly #logger: Logger
  #second = 0
  #written = 0
  #leftOut = 0
  #timer: Timer | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  info(fields: LogFields, message: string): void {
    if (this.#take()) this.#logger.info(fields, message)
  }

  warn(fields: LogFields, message: string): void {
    if (this.#take()) this.#logger.warn(fields, message)
  }

  error(fields: LogFields, message: string): void {
    if (this.#take()) this.#logger.error(fields, message)
  }

  /** Writes the count, at most once a second and at the end. */
  report(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#leftOut === 0) return
    this.#logger.warn({ leftOut: this.#leftOut }, 'log lines were left out')
    this.#leftOut = 0
  }

  #take(): boolean {
    const second = Math.floor(nowMs() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written < mostPerSecond) {
      this.#written += 1
      return true
    }
    this.#leftOut += 1
    this.#timer ??= setTimeout(() => this.report(), 1000).unref()
    return false
  }
}

/** If the log cannot be written, because the disk is full for example, the process continues and tries again. */
function openDestination(render: (json: string) => string) {
  const destination = pino.destination({ dest: stderr, sync: false, maxLength, ...buffered })
  const flushSync = destination.flushSync.bind(destination)
  let isStuck = false
  destination.on('error', () => {
    isStuck = true
  })
  destination.on('write', () => {
    isStuck = false
  })
  // pino calls this function when the process ends, until a call succeeds.
  destination.flushSync = () => {
    if (!isStuck) flushSync()
  }
  const flush = () =>
    new Promise<void>((resolve) => {
      const giveUp = setTimeout(() => {
        isStuck = true
        resolve()
      }, longestFlushMs)
      destination.flush(() => {
        clearTimeout(giveUp)
        resolve()
      })
    })
  const write = destination.write.bind(destination)
  destination.write = (line) => write(render(line))
  return { destination, flush }
}

/** Logs only the fields that all errors have. Other fields may contain personal data. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack, cause } = error
  return { type: name, message, stack, ...(cause !== undefined && { cause: describe(cause) }) }
}

/**
 * A second safeguard: values under these names are never logged. LogFields should not contain them in the first place.
 */
const confidential: ReadonlySet<string> = new Set([
  'access_token',
  'authorization',
  'client_secret',
  'clientSecret',
  'debtor_iban',
  'debtorIban',
  'email',
  'iban',
  'password',
  'secret',
  'signing_secret',
  'signingSecret',
  'tax_id',
  'taxId',
  'token',
])

/**
 * Redacts fields at the top and one level below, not in lists. pino's own redaction takes as long
 * as all other work on a line.
 */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactTo(2, fields)
}

function redactTo(depth: number, fields: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    shown[name] = confidential.has(name) ? '[Redacted]' : redactInside(depth - 1, value)
  }
  return shown
}

function redactInside(depth: number, value: unknown): unknown {
  return depth > 0 && hasNames(value) ? redactTo(depth, value) : value
}

function hasNames(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof Error)
}
