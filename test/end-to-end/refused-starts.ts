import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { programCommand, runCoopshare, serve } from '../../fixtures/program/serve.ts'

const inDatabase = process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' && 'it has no key file'
const fixturesFolder = join(import.meta.dirname, '..', '..', 'fixtures')
const inProduction = ['--environment', 'production']
const production = [...inProduction, '--drain', '0s']
/** Production starts only with a setting for e-mails. */
const withoutMails = ['--no-investor-mail']

/** Returns the last message on stderr, which says why the service ended. */
function lastMessage(stderr: string): string {
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '').msg
}

t.test('production refuses settings for tests, and writes nothing', async (t) => {
  const directory = t.testdir({
    'secret.yaml': `organizations:
  - name: Demo Bank
    clients: [{ name: full, client_secret: a-secret-that-stands-in-a-file }]
`,
  })
  const secretFile = join(directory, 'secret.yaml')
  const noStore = /"There is no store in /
  // The fixtures in the last row are refused by the rules of the store, although it is empty.
  const rows: [title: string, argv: string[], listed: RegExp][] = [
    ['demo data', ['--demo'], noStore],
    ['testing aids', ['--bench'], noStore],
    ['another wait before a retry', ['--webhook-backoff', '1s'], noStore],
    ['a fixed secret in a fixture', ['--fixtures', secretFile], /^\[\]$/],
  ]
  for (const [title, argv, nothing] of rows) {
    const here = ['--data-dir', join(directory, title)]
    const refused = await runCoopshare([
      'serve',
      '--port',
      '0',
      ...production,
      ...withoutMails,
      ...argv,
      ...here,
    ])
    t.equal(refused.code, 4, title)
    t.match(lastMessage(refused.stderr), 'staging', title)
    t.notMatch(refused.stderr, 'a-secret-that-stands-in-a-file')
    const listed = await runCoopshare(['organization', 'list', '--json', ...inProduction, ...here])
    t.match(listed.stdout.trim(), nothing, title)
  }
})

t.test('flags of testing aids that would have no effect are refused', async (t) => {
  const rows: [argv: string[], message: RegExp][] = [
    [['--now', '2030-01-01T00:00:00Z'], /--now needs --bench/],
    [['--bench', '--now', 'tomorrow'], /in --now must be a timestamp with an offset/],
    [['--bench', '--contract-preview', 'removed:nope'], /has a property "nope"/],
    // Only errors and tokens have these, and previews do not change them.
    [['--bench', '--contract-preview', 'removed:errors'], /has a property "errors"/],
    [['--bench', '--contract-preview', 'removed:access_token'], /has a property "access_token"/],
  ]
  for (const [index, [argv, message]] of rows.entries()) {
    const here = ['--data-dir', join(t.testdir(), String(index))]
    const { code, stderr } = await runCoopshare(['serve', '--port', '0', ...argv, ...here])
    t.equal(code, 2)
    t.match(lastMessage(stderr), message)
  }
})

t.test('production starts only with a setting for e-mails to investors [D39]', async (t) => {
  const directory = t.testdir({ file: '' })
  const here = ['--data-dir', join(directory, 'data')]
  const start = ['serve', '--port', '0', ...production, ...here]
  const smtp = ['--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'a@coop.example']
  const files = ['--mail-directory', join(directory, 'mails')]
  const refused = await runCoopshare(start)
  t.equal(refused.code, 2)
  for (const name of ['smtp-url', 'mail-directory', 'no-investor-mail']) {
    t.match(refused.stderr, `--${name}`)
    t.match(refused.stderr, `COOPSHARE_${name.toUpperCase().replaceAll('-', '_')}`)
  }
  for (const [title, argv] of [
    ['two ways at the same time', [...smtp, ...files]],
    ['a way and no way', [...files, ...withoutMails]],
    ['a directory that cannot be created', ['--mail-directory', join(directory, 'file', 'mails')]],
  ] as const) {
    const confused = await runCoopshare([...start, ...argv])
    t.equal(confused.code, 2, title)
    t.match(confused.stderr, '--mail-directory', title)
  }
  t.notOk(existsSync(join(directory, 'data')), 'nothing is written')

  for (const argv of [smtp, files, withoutMails]) {
    const served = await serve(t, [...production, ...argv, ...here])
    t.equal((await served.stop()).code, 0, argv[0] ?? '')
  }
  const variables = { COOPSHARE_NO_INVESTOR_MAIL: 'true' }
  const served = await serve(t, [...production, ...here], variables)
  t.equal((await served.stop()).code, 0, 'with the variable')
})

t.test('a service does not start on the store of the other environment', async (t) => {
  const here = ['--data-dir', t.testdir()]
  const served = await serve(t, [...production, ...withoutMails, ...here])
  const listed = await runCoopshare(['organization', 'list', '--json', ...here])
  t.equal(listed.code, 4, 'a command for that environment is refused')
  t.match(JSON.parse(listed.stdout).error, {
    code: 'ENVIRONMENT_MISMATCH',
    message: /the command is for staging, the default\. .* pass --environment production/,
  })
  await served.stop()
  const refused = await runCoopshare(['serve', '--port', '0', '--json', ...here])
  t.equal(refused.code, 4)
  t.equal(JSON.parse(refused.stdout).error.code, 'ENVIRONMENT_MISMATCH')
})

t.test('a store opens only with its own key', async (t) => {
  const directory = t.testdir({
    'first.key': `${randomBytes(32).toString('hex')}\n`,
    'second.key': `${randomBytes(32).toString('base64')}\n`,
    'short.key': 'abc\n',
  })
  const list = ['organization', 'list', '--json', '--data-dir', join(directory, 'data')]
  const withKey = (name: string) => [...list, '--encryption-key-file', join(directory, name)]
  const begin = ['organization', 'create', 'Demo Bank', ...withKey('first.key').slice(2)]
  t.equal((await runCoopshare(begin)).code, 0)
  t.notOk(existsSync(join(directory, 'data', 'encryption.key')), 'the store did not create a key')
  for (const argv of [list, withKey('second.key'), withKey('short.key'), withKey('none.key')]) {
    const refused = await runCoopshare(argv)
    t.equal(refused.code, 5, argv.at(-1) ?? '')
    const { code, message } = JSON.parse(refused.stdout).error
    t.equal(code, 'ENCRYPTION_KEY_REFUSED')
    t.notMatch(message, 'ENOENT', 'the error does not quote the system')
  }
  const key = await readFile(join(directory, 'first.key'), 'utf8')
  t.equal((await runCoopshare(list, { COOPSHARE_ENCRYPTION_KEY: key.trim() })).code, 0)
})

t.test('the error about a damaged key names its file', { skip: inDatabase }, async (t) => {
  const root = t.testdir()
  const here = ['--data-dir', join(root, 'data')]
  t.equal((await runCoopshare(['organization', 'create', 'Demo Bank', ...here])).code, 0)
  await writeFile(join(root, 'data', 'encryption.key'), '')
  const list = ['organization', 'list', ...here]
  t.match(await runCoopshare(list), {
    code: 5,
    stderr: /encryption\.key must be 32 bytes.*take it from a backup/s,
  })
  const folder = await runCoopshare([...list, '--encryption-key-file', root])
  t.match(folder, { code: 5, stderr: `The key file ${root} cannot be read` })
})

t.test('a failed start releases its locks', async (t) => {
  const here = ['--data-dir', t.testdir()]
  const fixture = ['--fixtures', join(fixturesFolder, 'none.yaml')]
  const failed = await runCoopshare(['serve', '--port', '0', ...fixture, ...here])
  t.equal(failed.code, 2)
  t.match(lastMessage(failed.stderr), 'none.yaml')
  const certificate = ['--https-cert', '/none.crt', '--https-key', '/none.key']
  t.equal((await runCoopshare(['serve', '--port', '0', ...certificate, ...here])).code, 2)
  t.equal((await runCoopshare(['store', 'compact', ...here])).code, 0)
})

t.test('a certificate that does not fit its key, or is not PEM, is refused', async (t) => {
  const root = t.testdir({ empty: '' })
  const [cert, key, otherKey] = ['localhost.crt', 'localhost.key', 'signed.key'].map((name) =>
    join(fixturesFolder, 'tls', name),
  )
  for (const [certFile = '', keyFile = ''] of [
    [cert, otherKey],
    [key, key],
    [join(root, 'empty'), key],
  ]) {
    for (const what of ['https', 'operator']) {
      const files = [`--${what}-cert`, certFile, `--${what}-key`, keyFile]
      const argv = ['serve', '--port', '0', '--data-dir', join(root, 'data'), ...files]
      const { code, stderr } = await runCoopshare(argv)
      t.equal(code, 2)
      t.match(lastMessage(stderr), `--${what}-cert and --${what}-key must be a certificate`)
    }
  }
  t.notOk(existsSync(join(root, 'data')), 'nothing is written')
})

t.test('a host that is not an address of this machine is refused', async (t) => {
  const here = ['--data-dir', join(t.testdir(), 'data')]
  for (const [host, port] of [
    ['unknown.invalid', '0'],
    ['unknown.invalid', '8099'],
    ['192.0.2.7', '0'],
    ['192.0.2.7', '8099'],
  ] as const) {
    const partners = await runCoopshare(['serve', '--host', host, '--port', port, ...here])
    t.equal(partners.code, 5)
    const message = `port ${port} of ${host}: this machine has no such address. Use another host with --host or`
    t.match(lastMessage(partners.stderr), message)
  }
  const argv = ['serve', '--port', '0', '--operator-host', '192.0.2.7', ...here]
  t.match((await runCoopshare(argv)).stderr, 'Use another host with --operator-host or')
})

t.test('a second serve on the directory is refused, and the error names the process', async (t) => {
  const here = ['--data-dir', t.testdir()]
  const served = await serve(t, here)
  const second = await runCoopshare(['serve', '--port', '0', ...here])
  t.equal(second.code, 5)
  t.match(second.stderr, `process ${served.pid}`)
  t.equal(
    (await checkedFetch(`${served.base_url}/readyz`)).status,
    200,
    'the first service continues',
  )
  const listed = await runCoopshare(['organization', 'list', '--json', ...here])
  t.equal(listed.stdout.trim(), '[]', 'commands still find the first service')
})

t.test('an operator token that is easy to guess is refused', async (t) => {
  for (const name of ['COOPSHARE_OPERATOR_TOKEN', 'COOPSHARE_METRICS_TOKEN']) {
    const variables = { [name]: 'x'.repeat(31) }
    const refused = await runCoopshare(['serve', '--data-dir', t.testdir()], variables)
    t.equal(refused.code, 2)
    t.match(refused.stderr, name)
  }
})

t.test('a given operator token replaces the generated one', async (t) => {
  const token = randomBytes(32).toString('base64url')
  const variables = { COOPSHARE_OPERATOR_TOKEN: token }
  const { operator_url } = await serve(t, ['--data-dir', t.testdir()], variables)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await checkedOperatorFetch(`${operator_url}/metrics`, { headers })
  t.equal(answer.status, 200)
  t.match(await answer.text(), /^coopshare_store_bytes\{file="journal"\} [1-9]/m)
})

t.test('serve makes an https certificate for this machine', async (t) => {
  const { base_url } = await serve(t, ['--https', '--data-dir', t.testdir()])
  t.match(base_url, /^https:/)
  t.equal(await statusOf(`${base_url}/readyz`, { rejectUnauthorized: false }), 200)
})

t.test('serve uses given https files', async (t) => {
  const [cert, key] = ['localhost.crt', 'localhost.key'].map((name) =>
    join(fixturesFolder, 'tls', name),
  )
  const files = ['--https-cert', cert ?? '', '--https-key', key ?? '']
  const { base_url } = await serve(t, [...files, '--data-dir', t.testdir()])
  const ca = await readFile(cert ?? '', 'utf8')
  t.equal(await statusOf(`${base_url}/readyz`, { ca }), 200, 'verified')
})

function statusOf(url: string, options: object): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, async (answer) => {
      await text(answer)
      resolve(answer.statusCode)
    })
    sent.once('error', reject).end()
  })
}

/** With these arguments process ids begin with 1, as in a container. */
const contained = ['--pid', '--fork', '--mount-proc', '--kill-child']
const canContain = spawnSync('unshare', [...contained, 'true']).status === 0
const skip = !canContain && 'it needs unshare(1), and permission to use it'

t.test(
  'only one of two containers with the same name owns the directory until it ends',
  { skip },
  async (t) => {
    const dataDirectory = join(t.testdir(), 'data')
    const argv = ['serve', '--port', '0', '--json', '--log-level', 'silent']
    const start = () => {
      const words = [...contained, ...programCommand, ...argv, '--data-dir', dataDirectory]
      const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'ignore'] })
      t.teardown(() => child.kill('SIGKILL'))
      return { child, told: once(child.stdout, 'data').then(String), ended: once(child, 'close') }
    }
    const first = start()
    t.match(await first.told, '"pid":1')
    const second = start()
    t.match(await second.told, 'of another container')
    t.strictSame(await second.ended, [5, null])
    first.child.kill('SIGKILL')
    await first.ended
    const third = start()
    t.match(await third.told, '"pid":1')
    const held = (await readdir(dataDirectory)).filter((name) => name.startsWith('lock'))
    t.equal(held.length, 2, 'the socket of the killed container was removed')
  },
)
