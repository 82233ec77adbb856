import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'run-and-write-code-cache.js')

interface CodeCaches {
  /** Everything that a whole life of the service has compiled. */
  readonly ofServe: string
  /** The little that a command on a store has compiled. */
  readonly ofCommands?: string
}

interface Options {
  /** What stacks call the bundle. */
  readonly name?: string
  /** Only the very same Node can use compiled code. */
  readonly node?: string
}

/** Keeps what V8 has compiled of the bundle, so that starts need not compile it again. */
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
    // A module loader that this process runs under is none of the program's.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  // A service stops at a signal; a command has nothing left to do.
  child.stdout.once('data', () => argv.includes('serve') && child.kill())
  child.stdout.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The program that was built ended with ${code}:\n${said}`)
}
