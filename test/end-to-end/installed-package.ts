import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { findDeno } from '../../fixtures/program/installed-tools.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { findLockedNode, findPinnedNode } from '../../scripts/build/pinned-node.ts'
import { installLockedPackages, lockedFolder } from '../../scripts/packages/locked-packages.ts'
import { packProgram } from '../../scripts/release/npm-package.ts'

const root = join(import.meta.dirname, '..', '..')
const consumer = join(root, 'fixtures', 'consumer')
const runners = join(consumer, 'node_modules')
const read = (name: string) => readFileSync(join(consumer, name), 'utf8')

/** A project outside the checkout, so that it finds no packages of ours. */
function createProject(): string {
  installLockedPackages(consumer)
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-project-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const argv = ['install', '--offline', '--no-audit', '--no-fund', packProgram(root, folder)]
  execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  mkdirSync(join(folder, 'node_modules', '@types'))
  for (const name of ['jest', 'vitest'])
    symlinkSync(join(runners, name), join(folder, 'node_modules', name))
  const types = join('node_modules', '@types', 'node')
  symlinkSync(join(root, types), join(folder, types))
  return folder
}

const project = createProject()
const { PATH, HOME } = process.env

async function run(t: Test, program: string, argv: readonly string[], env: object = {}) {
  const options = { cwd: project, env: { PATH, HOME, NO_COLOR: '1', ...env } }
  const { stdout, stderr } = await promisify(execFile)(program, argv, options).catch((error) => {
    t.fail(`${program} ${argv.join(' ')}: ${error.message}\n${error.stdout}`)
    return { stdout: '', stderr: '' }
  })
  return `${stdout}${stderr}`
}

/** The tests of the partner for one runner. */
function saveTests(name: string, runner: string): string {
  const text = read('orders.test.js').replace("import { test } from 'node:test'\n", runner)
  const isModule = name.endsWith('.mjs')
  const saved = isModule
    ? text
    : text.replaceAll(/^import (.+) from (.+)$/gm, 'const $1 = require($2)')
  writeFileSync(join(project, name), saved)
  return join(project, name)
}

const nodes = {
  '20': findLockedNode(lockedFolder('node-20')),
  '22': findPinnedNode(),
  '24': findLockedNode(lockedFolder('node-24')),
}

for (const [version, node] of Object.entries(nodes))
  t.test(
    `node:test of Node ${version} imports and requires both modules`,
    { skip: !node && 'npm has no package with it for this platform' },
    async (t) => {
      for (const ending of ['mjs', 'cjs']) {
        const file = saveTests(`orders.${ending}`, "import { test } from 'node:test'\n")
        t.match(await run(t, node?.program ?? '', ['--test', file]), /pass 2\n/)
      }
    },
  )

// vitest and Jest end a test after 5 s, which starting the service takes on a busy machine.
const patience = ['--testTimeout=60000']

t.test('vitest imports both modules', async (t) => {
  const file = saveTests('orders.vitest.test.mjs', "import { test } from 'vitest'\n")
  const vitest = join(project, 'node_modules', 'vitest', 'vitest.mjs')
  t.match(await run(t, process.execPath, [vitest, 'run', file, ...patience]), /2 passed/)
})

t.test('Jest without settings requires both modules', async (t) => {
  const file = saveTests('orders.jest.test.js', '')
  const jest = join(project, 'node_modules', 'jest', 'bin', 'jest.js')
  t.match(await run(t, process.execPath, [jest, file, ...patience]), /Tests: +2 passed/)
})

t.test('compilers find exact types with every kind of module resolution', async (t) => {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023']
  const withNode = ['--lib', 'es2023,esnext.disposable', '--types', 'node']
  const withBrowser = ['--lib', 'es2023,esnext.disposable,dom', '--skipLibCheck']
  const settings = [
    ['typed.mts', '--module', 'node16', ...withNode],
    ['typed.cts', '--module', 'node16', ...withNode],
    ['readme.mts', '--module', 'node16', '--skipLibCheck', ...withNode],
    ['typed.ts', '--module', 'esnext', '--moduleResolution', 'bundler', ...withBrowser],
    ['typed.ts', '--module', 'commonjs', '--moduleResolution', 'node10', ...withNode],
    ['typed.ts', '--module', 'esnext', '--moduleResolution', 'node10', ...withNode],
  ]
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const readme = readFileSync(join(project, 'node_modules', 'coopshare', 'README.md'), 'utf8')
  const shown = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  for (const [file = '', ...argv] of settings) {
    const text = file === 'readme.mts' ? shown.join('\n') : read('typed.ts')
    writeFileSync(join(project, file), text)
    const all = [tsc, ...strict, ...argv, file]
    t.equal(await run(t, process.execPath, all), '', argv.join(' '))
  }
})

t.test('the client runs under Deno and Bun', async (t) => {
  const served = await serve(t, ['--demo', '--data-dir', t.testdir()])
  const env = {
    COOPSHARE_URL: served.base_url,
    COOPSHARE_CLIENT_ID: served.client_id,
    COOPSHARE_CLIENT_SECRET: served.client_secret,
  }
  const file = join(project, 'without-node.mjs')
  writeFileSync(file, read('without-node.mjs'))
  const deno = findDeno().program
  const bun = join(runners, 'bun', 'bin', 'bun')
  for (const [program, ...argv] of [[deno, 'run', '-A'], [bun]] as const)
    if (existsSync(program))
      t.match(
        await run(t, program, [...argv, file], env),
        /^\d+ cooperatives\nWebhookVerificationError milliseconds\n$/,
      )
    else t.pass(program, { skip: `npm has no ${program} for this platform` })
})
