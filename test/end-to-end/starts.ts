import t from 'tap'
import { runCoopshare, serve, spawnCoopshare } from '../../fixtures/served.ts'
import { demoCredentials } from '../../src/cli/serve/demo-credentials.ts'

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

t.test('demo data is applied once: what an operator has changed since stays changed', async (t) => {
  const here = ['--data-dir', t.testdir()]
  const { client_id, client_secret } = demoCredentials
  const first = await serve(t, ['--demo', ...here])
  const renamed = ['client', 'set-scopes', client_id, '--scope', 'projects:read', ...here]
  t.equal((await runCoopshare(renamed)).code, 0)
  await first.stop()
  const second = await serve(t, ['--demo', ...here])
  t.match(second, { client_id, client_secret }, 'the credentials are told at every start')
  const shown = await runCoopshare(['client', 'show', client_id, '--json', ...here])
  t.strictSame(JSON.parse(shown.stdout).granted_scopes, ['projects:read'])
})
