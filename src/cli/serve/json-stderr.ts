import { showHidden } from '../../domain/hidden-characters.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { renderError } from '../render-error.ts'

interface Line {
  readonly level: 'warn' | 'error'
  readonly msg: string
  readonly [field: string]: unknown
}

const stderr = process.stderr
const writeText = stderr.write.bind(stderr)

/** One line of the log, at once: for what is said where no logger is open, and for what ends the process. */
function writeLine({ level, msg, ...fields }: Line): void {
  const time = new Date().toISOString()
  const line = JSON.stringify({ level, time, pid: process.pid, ...fields, msg })
  writeText(`${showHidden(line)}\n`)
}

/** The last line of a start that failed. */
export function writeFailedStart(error: Error): void {
  const { message: msg, ...fields } = renderError(error)
  writeLine({ level: 'error', ...fields, exit: exitCodeOf(error), msg })
}

/**
 * Whatever reads the log of a service reads JSON lines and nothing else. So what others print becomes a line, too: oclif,
 * Node's warnings, and what nobody has caught, which ends the process. The logger itself writes past all this.
 */
export function keepStderrJson(): void {
  stderr.write = writeAsLine as typeof stderr.write
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, stack }) => {
    writeLine({ level: 'warn', error: { type: name, message, stack }, msg: 'Node warns' })
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
