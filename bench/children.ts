import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Child {
  readonly pid: number
  /** From the start of the process until it said its first line. */
  readonly readyInMs: number
  /** The first line on stdout: a server says there where it is. */
  readonly said: string
  stop(): Promise<void>
}

interface ChildOptions {
  readonly cwd?: string
  /** Where stderr goes. */
  readonly logFile?: string
}

const guardScript = `read -r _
kill -KILL "-$1" 2>/dev/null`

/** A server in a process group of its own, which goes with this process, however that ends. */
export async function startChild(
  command: readonly [string, ...string[]],
  { cwd, logFile = '/dev/null' }: ChildOptions = {},
): Promise<Child> {
  const startedAt = performance.now()
  const [program, ...argv] = command
  const stdio: ['ignore', 'pipe', number] = ['ignore', 'pipe', openSync(logFile, 'a')]
  const child = spawn(program, argv, { cwd, stdio, detached: true })
  const { pid = 0, stdout } = child
  const guard = guardGroup(pid)
  const ended = once(child, 'exit')
  const line = once(createInterface({ input: stdout as Readable }), 'line').then(([text]) =>
    String(text),
  )
  const failed = ended.then(([code]) => {
    throw new Error(`${command.join(' ')} ended with ${code}; ${logFile} may say why.`)
  })
  const said = await Promise.race([line, failed])
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    guard.end()
  }
  failed.catch(() => {})
  return { pid, said, readyInMs: performance.now() - startedAt, stop }
}

/** When this process is gone, the pipe to whoever waits here is closed. */
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
