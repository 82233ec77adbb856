import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  link,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'

const root = join(import.meta.dirname, '..', '..')
const binary = join(root, 'dist', 'coopshare')

/** Starts the executable in an empty directory, without other programs in the PATH. */
async function spawnAlone(t: Test, argv: readonly string[]) {
  const directory = t.testdir({ alone: {} })
  const alone = join(directory, 'alone')
  await link(binary, join(alone, 'coopshare'))
  const child = spawn(join(alone, 'coopshare'), argv, {
    cwd: alone,
    env: { PATH: '/nowhere', HOME: directory },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return { alone, child, lines: createInterface({ input: child.stdout }) }
}

t.test('the executable alone serves demo data, images and the reference page', async (t) => {
  const argv = ['serve', '--demo', '--json', '--port', '0', '--log-level', 'silent']
  const { alone, child, lines } = await spawnAlone(t, argv)
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(lines, 'line')
  const ready = JSON.parse(line)
  const partner = await signIn(ready.base_url, ready)
  const { body } = await partner.send('GET', '/v1/cooperatives')
  const image = await checkedFetch(body.items[0].hero_image_url)
  t.equal(image.headers.get('content-type'), 'image/svg+xml')
  for (const path of [
    '/docs',
    '/guide/',
    '/openapi.yaml',
    '/openapi/1.6.0.postman_collection.json',
  ]) {
    t.equal((await checkedFetch(`${ready.base_url}${path}`)).status, 200, path)
  }
  const ended = once(child, 'exit')
  child.kill()
  t.strictSame(await ended, [0, null])
  t.strictSame(await readdir(alone), ['coopshare'])
})

t.test('the executable contains the pinned Node and has the promised size', async (t) => {
  const file = join(root, 'scripts', 'packages', 'executable', 'package.json')
  const { optionalDependencies } = JSON.parse(await readFile(file, 'utf8'))
  const versions = Object.values<string>(optionalDependencies)
  t.equal(new Set(versions).size, 1, 'it is the same version on every platform')
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  t.match(stdout, ` node-v${versions[0]}`)
  t.ok((await stat(binary)).size <= 125e6)
})

t.test('npm scripts run with your own Node, not with the Node of the executable', (t) => {
  t.notOk(existsSync(join(root, 'node_modules', '.bin', 'node')))
  t.end()
})

t.test('the executable runs commands', async (t) => {
  const { alone, child } = await spawnAlone(t, ['contract', 'export', 'contract'])
  t.strictSame(await once(child, 'exit'), [0, null])
  t.ok((await readdir(join(alone, 'contract'))).includes('openapi.yaml'))
})

t.test('the executable ignores a memory limit that the machine sets for Node', (t) => {
  const env = { NODE_OPTIONS: '--max-old-space-size=512' }
  const { stdout, stderr } = spawnSync(binary, ['--version'], { env, encoding: 'utf8' })
  t.match(stdout, /^coopshare\//)
  t.equal(stderr, '')
  t.end()
})

const asRoot = process.getuid?.() === 0

t.test(
  'a user without an account can run the executable, as in the image',
  { skip: !asRoot && 'only root may become another user' },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'coopshare-user-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const program = join(folder, 'coopshare')
    await copyFile(binary, program)
    await chmod(program, 0o755)
    const [uid, gid] = [10001, 10001]
    await chown(folder, uid, gid)
    const here = ['--json', '--data-dir', join(folder, 'data')]
    for (const env of [{}, { HOME: '/' }]) {
      const name = `Bank ${Object.keys(env).length}`
      const argv = ['organization', 'create', name, ...here]
      const { stdout, stderr } = spawnSync(program, argv, { uid, gid, env, encoding: 'utf8' })
      t.match(stderr, /^Created [^\n]*\n$/, 'the directory has no other files')
      t.match(JSON.parse(stdout), { name })
    }
  },
)
