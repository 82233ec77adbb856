import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ServiceStart {
  /** The words that start the program. */
  readonly program: readonly string[]
  readonly fixtures: readonly (string | object)[]
  /** More flags of `serve`. */
  readonly args: readonly string[]
}

export interface StartedService {
  readonly url: string
  readonly operatorUrl: string
  readonly operatorToken: string
  readonly clientId: string
  readonly clientSecret: string
  /** Resolves when the service has ended. */
  readonly ended: Promise<unknown>
  /** Stops the service and removes its data. */
  close(): Promise<void>
}

/** The service has ended instead of starting. */
export class FailedStart extends Error {
  override readonly name = 'FailedStart'
  /** The code of the error, such as FILE_NOT_FOUND. */
  readonly code: string
  readonly exitCode: number

  constructor(message: string, { code, exitCode }: Pick<FailedStart, 'code' | 'exitCode'>) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/** At the end of this process, stops the services that nobody has closed. */
const unclosed = new Set<() => void>()
process.on('exit', () => {
  for (const end of unclosed) end()
})

/** Starts a service on free ports with its own data directory. The service ends with this process. */
export async function startService(start: ServiceStart): Promise<StartedService> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-'))
  try {
    return await startIn(directory, start)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

async function startIn(
  directory: string,
  { program: [command = '', ...words], fixtures, args }: ServiceStart,
): Promise<StartedService> {
  const files = await writeFixtures(directory, fixtures)
  const dataDirectory = join(directory, 'data')
  const argv = [
    ...words,
    'serve',
    '--json',
    '--exit-with-parent',
    '--allow-private-webhooks',
    '--environment',
    'staging',
    '--data-dir',
    dataDirectory,
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--operator-port',
    '0',
    '--log-level',
    'warn',
    ...(files.length === 0 ? ['--demo'] : files.flatMap((file) => ['--fixtures', file])),
    ...args,
  ]
  // The service has a separate process group: otherwise Ctrl-C at a terminal would stop it before the programs that
  // use it.
  const env = { ...environment(), COOPSHARE_STARTED_BY: String(process.pid) }
  const child = spawn(command, argv, { env, detached: true })
  const ended = once(child, 'close').catch(() => undefined)
  const end = () => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  // This process may end while the service is starting.
  unclosed.add(end)
  const ready = await readyOf(child)
  const control = JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8'))
  keepAlive(child, 'unref')
  return {
    url: ready.base_url,
    operatorUrl: ready.operator_url,
    operatorToken: control.token,
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    ended,
    async close() {
      unclosed.delete(end)
      keepAlive(child, 'ref')
      child.kill()
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function writeFixtures(
  directory: string,
  fixtures: readonly (string | object)[],
): Promise<readonly string[]> {
  const writing = fixtures.map(async (fixture, index) => {
    if (typeof fixture === 'string') return fixture
    const file = join(directory, `fixtures-${index}.json`)
    await writeFile(file, JSON.stringify(fixture), { mode: 0o600 })
    return file
  })
  return Promise.all(writing)
}

/** Leaves out settings that would choose another store or other data, and the token of an operator of another service. */
function environment(): NodeJS.ProcessEnv {
  const ignored = /^COOPSHARE_(DATABASE_|DEMO$|FIXTURES$|BASE_URL$|OPERATOR_TOKEN$)|^NODE_OPTIONS$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ignored.test(name)))
}

async function readyOf(child: ChildProcess): Promise<{
  readonly base_url: string
  readonly operator_url: string
  readonly client_id: string
  readonly client_secret: string
}> {
  const output = { stdout: '', stderr: '' }
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => (output.stdout += `${line}\n`))
  child.stderr?.on('data', (chunk) => (output.stderr = `${output.stderr}${chunk}`.slice(-4000)))
  const failed = once(child, 'close').then(([code]) => {
    const { message, code: reason } = refusalIn(output)
    throw new FailedStart(`The service ended with ${code} before it was ready. ${message}`, {
      code: reason,
      // A service that is stopped during its start ends with 0.
      exitCode: code || 1,
    })
  })
  const [line] = await Promise.race([once(lines, 'line'), failed])
  failed.catch(() => undefined)
  const ready = JSON.parse(line)
  // A refusal ends the process.
  return 'error' in ready ? failed : ready
}

function refusalIn({ stdout, stderr }: Record<'stdout' | 'stderr', string>): {
  readonly code: string
  readonly message: string
} {
  try {
    return JSON.parse(stdout).error
  } catch {
    return { code: 'FAILED', message: stderr }
  }
}

/**
 * If a test forgets to close the service, the test and the service still end. The streams of the service end after it, so they are kept,
 * too.
 */
function keepAlive(child: ChildProcess, keep: 'ref' | 'unref'): void {
  child[keep]()
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if (stream instanceof Socket) stream[keep]()
}
