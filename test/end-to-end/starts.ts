import { join } from 'node:path'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runCoopshare, serve, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { demoCredentials } from '../../src/cli/serve/initial-data.ts'
import { supportEndedOn } from '../../src/cli/serve/start-serving.ts'
import { toTimestamp } from '../../src/domain/timestamp.ts'

t.test('serve --json prints one line of JSON when it is ready', async (t) => {
  const { process, ended } = await spawnCoopshare([
    ...['serve', '--json', '--port', '0', '--data-dir', t.testdir()],
  ])
  t.teardown(() => process.kill('SIGKILL'))
  let printed = ''
  for await (const chunk of process.stdout) {
    printed += chunk
    if (printed.endsWith('\n')) break
  }
  process.kill('SIGTERM')
  t.match(await ended, { code: 0 })
  const ready = JSON.parse(printed)
  t.match(ready, { base_url: String, listening_url: String, operator_url: String })
  t.equal(ready.pid, process.pid)
  t.equal(printed.trim().split('\n').length, 1)
})

t.test('demo data is applied only once, so later changes of an operator stay', async (t) => {
  const here = ['--data-dir', t.testdir()]
  const { client_id, client_secret } = demoCredentials
  const first = await serve(t, ['--demo', ...here])
  const renamed = ['client', 'set-scopes', client_id, '--scope', 'projects:read', ...here]
  t.equal((await runCoopshare(renamed)).code, 0)
  await first.stop()
  const second = await serve(t, ['--demo', ...here])
  t.match(second, { client_id, client_secret }, 'every start shows the credentials')
  const shown = await runCoopshare(['client', 'show', client_id, '--json', ...here])
  t.strictSame(JSON.parse(shown.stdout).granted_scopes, ['projects:read'])
})

const root = join(import.meta.dirname, '..', '..')

t.test(
  'production warns once at the start about a Node without support, but the executable never does',
  async (t) => {
    const supportEnded = supportEndedOn(process.versions.node, toTimestamp(new Date()))
    const ownNode = [process.execPath, join(root, 'bin', 'run.js')]
    const rows: [words: string[], environment: string, expected: object[]][] = [
      [ownNode, 'production', supportEnded ? [{ level: 'warn', supportEnded }] : []],
      [ownNode, 'staging', []],
      [[join(root, 'dist', 'coopshare')], 'production', []],
    ]
    for (const [words, environment, expected] of rows) {
      const settings = ['--environment', environment, '--no-investor-mail', '--drain', '0s']
      const served = await serve(t, [...settings, '--data-dir', t.testdir()], {}, words)
      const { stderr } = await served.stop()
      const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
      const told = lines.map((line) => JSON.parse(line))
      const warnings = told.filter(
        ({ msg }) => msg === 'this version of Node no longer gets security fixes',
      )
      t.ok(
        told.some(({ msg }) => msg === 'serving'),
        'the log was read',
      )
      t.match(warnings, exactArrays(expected), `${environment} under ${words[0]}`)
    }
  },
)
