import { escapeInvisible } from '../../domain/text.ts'
import { exitCodeOf, renderError } from '../errors.ts'
import { type LogForm, renderLine } from './log-form.ts'

const stderr = process.stderr
const writeText = stderr.write.bind(stderr)

/** Used where no logger is open, and right before the process ends. */
function writeLine(
  form: LogForm,
  fields: {
    readonly level: 'warn' | 'error'
    readonly msg: string
    readonly [field: string]: unknown
  },
): void {
  const { level, msg, ...others } = fields
  const line = { level, time: new Date().toISOString(), pid: process.pid, ...others, msg }
  writeText(form === 'text' ? renderLine(line) : `${escapeInvisible(JSON.stringify(line))}\n`)
}

/** For programs; a person gets the error as from every other command. */
export function writeFailedStart(error: Error): void {
  const { message: msg, ...fields } = renderError(error)
  writeLine('json', { level: 'error', ...fields, exit: exitCodeOf(error), msg })
}

/**
 * Log collectors expect JSON lines and nothing else. So output of oclif, warnings of Node and uncaught errors become
 * lines of the log, too. The logger does not write through here.
 */
export function keepStderrLog(form: LogForm): void {
  if (form === 'json') stderr.write = writeAsLine as typeof stderr.write
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, stack }) => {
    writeLine(form, {
      level: 'warn',
      error: { type: name, message, stack },
      msg: 'warning of Node',
    })
  })
  process.on('uncaughtException', (thrown: unknown) => {
    writeLine(form, { level: 'error', error: describe(thrown), msg: 'The service crashed.' })
    process.exit(1)
  })
}

function writeAsLine(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
  const text = Buffer.from(chunk as Uint8Array)
    .toString()
    .trimEnd()
  if (text !== '') writeLine('json', { level: 'error', msg: text })
  const done = rest.at(-1)
  if (typeof done === 'function') process.nextTick(done as () => void)
  return true
}

function describe(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, message, stack } = thrown
  return { type: name, message, stack }
}
