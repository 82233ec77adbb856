import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'run-and-write-code-cache.js')

interface CodeCaches {
  /** The file for all code that is compiled from the start of a service to its end. */
  readonly ofServe: string
  /** The file for the smaller part that a list from a service compiles. All other commands use it. */
  readonly ofCommands: string
}

interface CacheOptions {
  /** The name of the bundle in stack traces. */
  readonly name?: string
  /** The path of Node. Only the same build of Node can use the code cache. */
  readonly node?: string
}

/**
 * Saves the code that V8 has compiled from the bundle, so that starts need not compile it again.
 */
export async function writeCodeCaches(
  bundle: string,
  { ofServe, ofCommands }: CodeCaches,
  { name = bundle, node = process.execPath }: CacheOptions = {},
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-'))
  const start = (codeCache: string, ...argv: readonly string[]) =>
    startProgram(node, [script, bundle, codeCache, name, ...argv, '--data-dir', directory])
  const service = start(ofServe, 'serve', '--demo', '--json', '--port', '0')
  try {
    await Promise.race([service.output, service.end])
    await start(ofCommands, 'cooperative', 'list').end
  } finally {
    service.stop()
    await service.end.finally(() => rm(directory, { recursive: true }))
  }
}

function startProgram(program: string, argv: readonly string[]) {
  const child = spawn(program, argv, {
    // The module loader of this process must not run in the program.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const output = once(child.stdout, 'data')
  child.stdout.resume()
  const end = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`The built program ended with ${code}:\n${said}`)
  })
  return { output, end, stop: () => child.kill() }
}
