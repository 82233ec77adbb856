import { escapeInvisible } from '../../domain/text.ts'
import { exitCodeOf, renderError } from '../errors.ts'

const stderr = process.stderr
const writeText = stderr.write.bind(stderr)

/** Used where no logger is open, and right before the process ends. */
function writeLine({
  level,
  msg,
  ...fields
}: {
  readonly level: 'warn' | 'error'
  readonly msg: string
  readonly [field: string]: unknown
}): void {
  const time = new Date().toISOString()
  const line = JSON.stringify({ level, time, pid: process.pid, ...fields, msg })
  writeText(`${escapeInvisible(line)}\n`)
}

export function writeFailedStart(error: Error): void {
  const { message: msg, ...fields } = renderError(error)
  writeLine({ level: 'error', ...fields, exit: exitCodeOf(error), msg })
}

/**
 * Log collectors expect JSON lines and nothing else. So output of oclif, warnings of Node and uncaught errors become JSON
 * lines, too. The logger does not write through here.
 */
export function keepStderrJson(): void {
  stderr.write = writeAsLine as typeof stderr.write
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, stack }) => {
    writeLine({ level: 'warn', error: { type: name, message, stack }, msg: 'warning of Node' })
  })
  process.on('uncaughtException', (thrown: unknown) => {
    writeLine({ level: 'error', error: describe(thrown), msg: 'The service crashed.' })
    process.exit(1)
  })
}

function writeAsLine(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
  const text = Buffer.from(chunk as Uint8Array)
    .toString()
    .trimEnd()
  if (text !== '') writeLine({ level: 'error', msg: text })
  const done = rest.at(-1)
  if (typeof done === 'function') process.nextTick(done as () => void)
  return true
}

function describe(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, message, stack } = thrown
  return { type: name, message, stack }
}
