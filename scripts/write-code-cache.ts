import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'run-and-write-code-cache.js')

/**
 * Keeps what a whole life of the service has compiled: most commands use parts of that.
 * @param name what stacks call the bundle
 */
export async function writeCodeCache(
  bundle: string,
  codeCache: string,
  name = bundle,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-'))
  const serve = ['serve', '--demo', '--json', '--port', '0', '--data-dir', directory]
  const child = spawn(process.execPath, [script, bundle, codeCache, name, ...serve], {
    // A module loader that this process runs under is none of the program's.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  child.stdout.once('data', () => child.kill())
  const [code] = await once(child, 'close')
  await rm(directory, { recursive: true })
  if (code !== 0) throw new Error(`The program that was built ended with ${code}:\n${said}`)
}
