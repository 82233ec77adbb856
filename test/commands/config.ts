import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ConfigShow from '../../commands/config/show.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { serveFlags } from '../../src/config/serve-flags.ts'
import type { Setting } from '../../src/config/settings.ts'

const page = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'reference', 'settings.md'),
  'utf8',
)

const key = 'a1'.repeat(32)

function find(settings: readonly Setting[], name: string) {
  const found = settings.find((one) => one.name === name)
  return { value: found?.value, source: found?.source }
}

t.test('config show has every setting of the reference once, and nothing else', async (t) => {
  const { json } = await runCommand(ConfigShow, '--json')
  const names: string[] = json.map(({ name }: Setting) => name)
  t.equal(new Set(names).size, names.length)
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const explained = rows.flatMap((row) => [
    ...(row.split(' | ')[0] ?? '').matchAll(/`(--[\w-]+)[^`]*`/g),
  ])
  t.ok(explained.length > 30)
  for (const [, name = ''] of explained) t.ok(names.includes(name), name)
  const secrets = [...page.matchAll(/`(COOPSHARE_\w+(?:_TOKEN|_KEY))`/g)].map(
    ([, name = '']) => name,
  )
  t.strictSame(names.filter((name) => !name.startsWith('--')).sort(), [...new Set(secrets)].sort())
  t.strictSame(
    names.filter((name) => name.startsWith('--')),
    Object.keys(serveFlags).map((name) => `--${name}`),
  )
})

t.test('config show says where each value comes from, and what follows from others', async (t) => {
  const directory = t.testdir({ key, 'fixtures.yaml': 'organizations: []' })
  const keyFile = join(directory, 'key')
  const argv = [
    ...['--port', '9090', '--webhook-schedule', '1s,5m', '--https', '--drain=1500ms'],
    ...['--data-dir', join(directory, 'data'), '--fixtures', join(directory, 'fixtures.yaml')],
  ]
  const variables = {
    COOPSHARE_ENCRYPTION_KEY_FILE: keyFile,
    COOPSHARE_OPERATOR_TOKEN: 'a-token-that-nobody-may-ever-see-in-here',
    COOPSHARE_RATE_LIMIT: '5',
    COOPSHARE_DEMO: 'false',
    COOPSHARE_PORT: '7070',
  }
  const { stdout, code } = await runCoopshare(['config', 'show', '--json', ...argv], variables)
  t.equal(code, 0, stdout)
  const settings: Setting[] = JSON.parse(stdout)
  const rows: [name: string, value: Setting['value'], source: Setting['source']][] = [
    ['--port', 9090, 'flag'],
    ['--base-url', 'https://127.0.0.1:9090', 'default'],
    ['--operator-port', 9091, 'default'],
    ['--https', true, 'flag'],
    ['--webhook-schedule', '1s,5m', 'flag'],
    ['--mail-schedule', '5m,10m,30m,1h,2h,4h,8h,16h,16h', 'default'],
    ['--event-retention', '90d', 'default'],
    ['--drain', '1500ms', 'flag'],
    ['--rate-limit', 5, 'variable'],
    ['--demo', false, 'variable'],
    ['--bench', false, 'default'],
    ['--fixtures', [join(directory, 'fixtures.yaml')], 'flag'],
    ['--mail-directory', join(directory, 'data', 'mail'), 'default'],
    ['--smtp-url', null, 'default'],
    ['--encryption-key-file', keyFile, 'variable'],
    ['COOPSHARE_ENCRYPTION_KEY', '***', 'file'],
    ['COOPSHARE_OPERATOR_TOKEN', '***', 'variable'],
    ['COOPSHARE_METRICS_TOKEN', null, 'default'],
  ]
  for (const [name, value, source] of rows) {
    t.strictSame(find(settings, name), { value, source }, name)
  }
  t.notMatch(stdout, key)
  const table = await runCoopshare(['config', 'show', ...argv], variables)
  t.match(table.stdout, /^SETTING +VALUE +SOURCE\n/)
  t.match(table.stdout, /^--port +9090 +flag$/m)
  t.match(table.stdout, /^COOPSHARE_OPERATOR_TOKEN +\*\*\* +variable$/m)
})

t.test('config show masks secrets within addresses', async (t) => {
  const argv = [
    ...['--smtp-url', 'smtps://relay:mail%20secret@mail.example:465?auth=secret-2'],
    ...['--mail-from', 'a@coop.example'],
    ...['--bank-lookup-url', 'https://banks.example/lookup?api_key=secret-3'],
    ...['--database-url', 'postgres://me:secret-4@db.example/coopshare?password=secret-5'],
  ]
  const variables = { COOPSHARE_ENCRYPTION_KEY: key }
  for (const form of [['--json'], []]) {
    const { stdout, code } = await runCoopshare(['config', 'show', ...argv, ...form], variables)
    t.equal(code, 0, stdout)
    t.notMatch(stdout, /secret|a1a1/)
    t.match(stdout, 'smtps://relay:***@mail.example:465?auth=***')
    t.match(stdout, 'https://banks.example/lookup?api_key=***')
    t.match(stdout, 'postgres://me:***@db.example/coopshare?password=***')
  }
})

t.test('config show refuses what serve refuses, and names the setting', async (t) => {
  const directory = t.testdir({ key: 'no key', 'other.yaml': 'people: []' })
  const production = ['--environment', 'production', '--no-investor-mail']
  const rows: [argv: string[], variables: Record<string, string>, message: RegExp][] = [
    [['--port', 'abc'], {}, /^--port: /],
    [[], { COOPSHARE_PORT: 'abc' }, /^COOPSHARE_PORT: /],
    [[], { COOPSHARE_LOG_FORMAT: 'xml' }, /^COOPSHARE_LOG_FORMAT: /],
    [[], { COOPSHARE_DATABASE_URL: '' }, /^COOPSHARE_DATABASE_URL is empty/],
    [[], { COOPSHARE_OPERATOR_TOKEN: 'short' }, /^COOPSHARE_OPERATOR_TOKEN must/],
    [['--encryption-key-file', join(directory, 'key')], {}, /encryption key must be 32 bytes/],
    [['--encryption-key-file', join(directory, 'none')], {}, /no key file/],
    [['--fixtures', join(directory, 'none.yaml')], {}, /none\.yaml does not exist/],
    [['--fixtures', join(directory, 'other.yaml')], {}, /other\.yaml/],
    [['--https-cert', 'x'], {}, /--https-cert and --https-key together/],
    [['--smtp-url', 'smtp://mail.example'], {}, /needs --mail-from/],
    [['--database-url', 'postgres://a@b.example/c'], {}, /needs a key/],
    [['--environment', 'production'], {}, /Choose what happens to e-mails/],
    [[...production, '--demo'], {}, /--demo/],
    [[...production, '--bench'], {}, /--bench is for staging only/],
    [[...production, '--operator-host', '10.0.0.1'], {}, /needs TLS/],
  ]
  for (const [argv, variables, message] of rows) {
    const here = ['--data-dir', join(directory, 'data')]
    const shown = await runCoopshare(['config', 'show', '--json', ...here, ...argv], variables)
    t.not(shown.code, 0, argv.join(' '))
    t.match(JSON.parse(shown.stdout).error.message, message)
    const served = await runCoopshare(['serve', '--json', '--port=0', ...here, ...argv], variables)
    if (!argv.includes('--port')) t.equal(served.code, shown.code, argv.join(' '))
  }
})
