import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'run-and-write-code-cache.js')

interface CodeCaches {
  /** Everything that is compiled from the start of a service to its end. */
  readonly ofServe: string
  /** The little that is compiled for a command on a store. */
  readonly ofCommands?: string
}

interface Options {
  /** The name of the bundle in stacks. */
  readonly name?: string
  /** Only the same build of Node can use the code cache. */
  readonly node?: string
}

/**
 * Saves the code that V8 has compiled from the bundle, so that starts need not compile it again.
 */
export async function writeCodeCaches(
  bundle: string,
  { ofServe, ofCommands }: CodeCaches,
  { name = bundle, node = process.execPath }: Options = {},
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-'))
  const runAndWrite = (codeCache: string, ...argv: readonly string[]) =>
    runUntilOutput(node, [script, bundle, codeCache, name, ...argv, '--data-dir', directory])
  try {
    await runAndWrite(ofServe, 'serve', '--demo', '--json', '--port', '0')
    if (ofCommands !== undefined) await runAndWrite(ofCommands, 'cooperative', 'list')
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function runUntilOutput(program: string, argv: readonly string[]): Promise<void> {
  const child = spawn(program, argv, {
    // The module loader of this process must not run in the program.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  // A service is stopped with a signal. A command ends by itself.
  child.stdout.once('data', () => argv.includes('serve') && child.kill())
  child.stdout.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The program that was built ended with ${code}:\n${said}`)
}
