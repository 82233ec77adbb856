import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Child {
  readonly pid: number
  /** The time from the start of the process to its first line. */
  readonly readyInMs: number
  /** The first line on stdout, in which a server names its address. */
  readonly said: string
  stop(): Promise<void>
}

interface ChildOptions {
  readonly cwd?: string
  /** The file for stderr. */
  readonly logFile?: string
  readonly variables?: Readonly<Record<string, string>>
}

const guardScript = `read -r _
kill -KILL "-$1" 2>/dev/null`
const maximumSeconds = { start: 120, stop: 10 }

/** The environment variables of all servers. */
export const productionVariables = { ...process.env, NODE_ENV: 'production' }

/** Starts a server in a separate process group. A guard kills the group when this process ends. */
export async function startChild(
  command: readonly [string, ...string[]],
  { cwd, logFile = '/dev/null', variables }: ChildOptions = {},
): Promise<Child> {
  const startedAt = performance.now()
  const [program, ...argv] = command
  const stdio: ['ignore', 'pipe', number] = ['ignore', 'pipe', openSync(logFile, 'a')]
  const env = { ...productionVariables, ...variables }
  const child = spawn(program, argv, { cwd, stdio, detached: true, env })
  const { pid = 0, stdout } = child
  const guard = guardGroup(pid)
  const ended = once(child, 'exit')
  const failed = ended.then(([code, signal]) => {
    throw new Error(`${command.join(' ')} ended with ${code ?? signal}; ${logFile} may say why.`)
  })
  failed.catch(() => {})
  const said = await Promise.race([firstLineOf(stdout as Readable, command), failed])
  const stop = async () => {
    await stopChild(child, ended)
    guard.end()
  }
  return { pid, said, readyInMs: performance.now() - startedAt, stop }
}

async function firstLineOf(stdout: Readable, command: readonly string[]): Promise<string> {
  const signal = AbortSignal.timeout(maximumSeconds.start * 1000)
  try {
    const [line] = await once(createInterface({ input: stdout }), 'line', { signal })
    return String(line)
  } catch {
    throw new Error(`${command.join(' ')} printed nothing for ${maximumSeconds.start} s.`)
  }
}

/** Stops a process, and kills it if it does not react. */
async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const overdue = setTimeout(() => child.kill('SIGKILL'), maximumSeconds.stop * 1000)
  child.kill('SIGTERM')
  await ended
  clearTimeout(overdue)
}

/** The pipe to the guard closes when this process ends. */
function guardGroup(pid: number): Socket {
  const guard = spawn('sh', ['-c', guardScript, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  const pipe = guard.stdin as Socket
  pipe.unref()
  return pipe
}
