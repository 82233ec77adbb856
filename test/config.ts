import { Parser } from '@oclif/core'
import t from 'tap'
import { exactArrays } from '../fixtures/exact-arrays.ts'
import { type ServeFlags, serveFlags } from '../src/config/serve-flags.ts'
import { baseUrlOf, createConfig, urlOf } from '../src/config.ts'
import { specifiedLimits } from '../src/domain/rate-limits.ts'

const defaultDataDirectory = '/var/lib/coopshare'

async function read(argv: string[], variables: Record<string, string> = {}) {
  const { flags } = await Parser.parse(argv, { flags: serveFlags })
  return createConfig(flags as ServeFlags, { defaultDataDirectory, variables })
}

t.test('without flags and variables, every setting has its default', async (t) => {
  t.match(
    await read([]),
    exactArrays({
      environment: 'staging',
      dataDirectory: defaultDataDirectory,
      host: '127.0.0.1',
      port: 8080,
      https: false,
      demo: false,
      fixtures: [],
      limits: specifiedLimits,
      trustedHops: 0,
      maximumShareCount: 10_000,
      operatorHost: '127.0.0.1',
      operatorPort: undefined,
      logLevel: 'info',
    }),
  )
  t.ok(Object.isFrozen(await read([])))
})

t.test('a variable whose name is almost that of a setting is noticed', async (t) => {
  const { misspelt } = await read([], {
    COOPSHARE_ENVIROMENT: 'production',
    COOPSHARE_ENV: 'production',
    COOPSHARE_LOG: 'debug',
    COOPSHARE_ENCRYPTION_KEYS: 'a',
    coopshare_port: '8080',
    // These are settings of the service, of commands, of Kubernetes and of others.
    COOPSHARE_ENVIRONMENT: 'production',
    COOPSHARE_METRICS_TOKEN: 'a',
    COOPSHARE_OPERATOR_URL: 'http://127.0.0.1:9464',
    COOPSHARE_OPERATOR_CA: 'ca.pem',
    COOPSHARE_URL: 'http://127.0.0.1:8080',
    COOPSHARE_CLIENT_ID: 'a',
    COOPSHARE_CLIENT_SECRET: 'a',
    COOPSHARE_SIGNING_SECRET: 'a',
    COOPSHARE_COPY_TO: 'a',
    COOPSHARE_PROGRAM: 'a',
    COOPSHARE_SERVICE_HOST: '10.0.0.1',
    COOPSHARE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    COOPSHARE: 'a',
    PORT: '80',
  })
  t.strictSame(misspelt, [
    { variable: 'COOPSHARE_ENVIROMENT', meant: 'COOPSHARE_ENVIRONMENT' },
    { variable: 'COOPSHARE_ENV', meant: 'COOPSHARE_ENVIRONMENT' },
    { variable: 'COOPSHARE_LOG', meant: 'COOPSHARE_LOG_LEVEL' },
    { variable: 'COOPSHARE_ENCRYPTION_KEYS', meant: 'COOPSHARE_ENCRYPTION_KEY' },
    { variable: 'coopshare_port', meant: 'COOPSHARE_PORT' },
  ])
})

t.test('every flag of serve has a variable', async (t) => {
  for (const [name, flag] of Object.entries(serveFlags)) {
    t.equal(flag.env, `COOPSHARE_${name.toUpperCase().replaceAll('-', '_')}`, name)
  }
})

t.test('variables are read, and a flag takes precedence over its variable', async (t) => {
  const variables = {
    COOPSHARE_PORT: '9000',
    COOPSHARE_RATE_LIMIT: '10',
    COOPSHARE_DEMO: '1',
    COOPSHARE_FIXTURES: 'a.yaml',
  }
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
  t.match(
    await read(['--rate-limit', '20']),
    exactArrays({
      port: 9000,
      limits: { requests: 20 },
      demo: true,
      fixtures: ['a.yaml'],
    }),
  )
  t.match(
    await read(['--fixtures', 'b.yaml', '--fixtures', 'c.yaml']),
    exactArrays({
      fixtures: ['b.yaml', 'c.yaml'],
    }),
  )
})

t.test('secrets come only from variables', async (t) => {
  const variables = { COOPSHARE_ENCRYPTION_KEY: 'key', COOPSHARE_OPERATOR_TOKEN: 'token' }
  t.match(await read([], variables), { encryptionKey: 'key', operatorToken: 'token' })
  t.match(await read([], { COOPSHARE_ENCRYPTION_KEY: '' }), { encryptionKey: undefined })
})

t.test('white space at the ends of a secret is left out', async (t) => {
  const secrets = ['ENCRYPTION_KEY', 'OPERATOR_TOKEN', 'METRICS_TOKEN']
  const variables = (text: string) =>
    Object.fromEntries(secrets.map((name) => [`COOPSHARE_${name}`, text]))
  const all = (text: string | undefined) => ({
    encryptionKey: text,
    operatorToken: text,
    metricsToken: text,
  })
  t.match(await read([], variables(' two words\r\n')), all('two words'))
  t.match(await read([], variables('\n')), all(undefined))
  const smtpUrl = 'smtp://user:word@mail.example'
  t.match(await read(['--smtp-url', `${smtpUrl}\n`, '--mail-from', 'a@b.example']), { smtpUrl })
  const url = 'postgres://user:word@h/db'
  process.env['PGPASSWORD'] = 'word\n'
  t.teardown(() => delete process.env['PGPASSWORD'])
  t.match(await read(['--database-url', ` ${url}\n`]), { database: { url, password: 'word' } })
})

t.test('the sender of e-mails is one address, with or without a name', async (t) => {
  for (const sender of [
    'mail@coop.example',
    'Coop <mail@coop.example>',
    'Coop<mail@coop.example>',
    'Dr. Coop & Söhne <mail@coop.example>',
    "O'Neill eG <first.last+tag@coop.example>",
    '"Coop: North, (South)" <mail@coop.example>',
    '"Coop \\"North\\"" <mail@coop.example>',
    'Bürgerenergie <mail@bürger.example>',
    '太陽 <mail@太陽.example>',
    'coopshare@localhost',
  ]) {
    t.match(await read(['--mail-from', sender]), { mailFrom: sender }, sender)
  }
  t.match(await read(['--mail-from', ' a@b.example\n']), { mailFrom: 'a@b.example' })
  for (const sender of [
    '',
    'Coop',
    'Coop <mail>',
    'Coop <@coop.example>',
    'Coop <mail@>',
    'Coop: eG <mail@coop.example>',
    'Coop; eG <mail@coop.example>',
    'Coop, eG <mail@coop.example>',
    'Coop (Nord) <mail@coop.example>',
    'Coop [Nord] <mail@coop.example>',
    'Coop @ Nord <mail@coop.example>',
    'Coop \\ Nord <mail@coop.example>',
    'Coop "Nord" <mail@coop.example>',
    'Coop > Nord <mail@coop.example>',
    '"Coop <mail@coop.example>',
    'Coop\nBcc: x <mail@coop.example>',
    'Coop <mail@coop.example> x',
    'Coop <mail@coop.example>, <other@coop.example>',
    'Coop:mail@coop.example;',
    'ma:il@coop.example',
    '.mail@coop.example',
    'mail.@coop.example',
    'ma..il@coop.example',
    'mail@coop..example',
    'mail@.example',
    'mail@coop.example.',
    'mail@a@b.example',
    'mail@coop%.example',
  ]) {
    const refusal = await read(['--mail-from', sender]).catch((error) => error)
    t.match(refusal.message, /is not a sender, for example/, sender)
    t.equal(refusal.oclif?.exit, 2, sender)
  }
})

t.test('impossible values are refused', async (t) => {
  const rows = [
    ['--port', '65536'],
    ['--port', 'http'],
    ['--rate-limit', '0'],
    ['--host', 'no host'],
    ['--host', '-x'],
    ['--base-url', 'partner-api.example'],
    ['--base-url', 'ftp://partner-api.example'],
    ['--base-url', 'https://partner-api.example/?a=b'],
    ['--base-url', 'https://user@partner-api.example'],
    ['--environment', 'test'],
    ['--https-cert', 'cert.pem'],
    ['--https-key', 'key.pem'],
  ]
  for (const argv of rows) {
    const refusal = await read(argv).then(
      () => undefined,
      (error) => error,
    )
    t.equal(refusal?.oclif.exit, 2, argv.join(' '))
  }
})

t.test('every time has the same units', async (t) => {
  for (const time of ['604800s', '10080m', '168h', '7d']) {
    t.match(await read(['--event-retention', time]), { eventRetentionSeconds: 604_800 }, time)
  }
  for (const time of ['3600000ms', '3600s', '60m', '1h']) {
    t.match(await read(['--drain', time]), { drainMs: 3_600_000 }, time)
  }
  await t.rejects(read(['--event-retention', '500ms']), /neither 0 nor a time/)
})

t.test('webhooks and e-mails have schedules of their own [D33]', async (t) => {
  const total = (waits: readonly number[] = []) => waits.reduce((sum, wait) => sum + wait, 0)
  const { mailWaits, webhookWaits } = await read([])
  t.equal(webhookWaits, undefined)
  const hours = total(mailWaits) / 3600
  t.ok(hours > 44 && hours <= 48, `${hours} hours`)
  const own = exactArrays({ mailWaits: [60, 7200], webhookWaits: [1] })
  t.match(await read(['--mail-schedule', '1m, 2h', '--webhook-schedule', '1s']), own)
  process.env['COOPSHARE_MAIL_SCHEDULE'] = '5s'
  t.teardown(() => delete process.env['COOPSHARE_MAIL_SCHEDULE'])
  t.match(await read([]), exactArrays({ mailWaits: [5], webhookWaits: undefined }))
  for (const wrong of ['', '0s', '8d', '1m,', 'soon', '1m;2m', new Array(21).fill('1s').join()]) {
    const refusal = { message: /--mail-schedule must be up to 20 waits/ }
    await t.rejects(read(['--mail-schedule', wrong]), refusal, wrong)
  }
})

t.test('an invalid address of the service is refused and not repeated', async (t) => {
  for (const address of [
    'https://user:hidden@partner-api.example',
    'https://:hidden@partner-api.example',
    'https://partner-api.example/?hidden',
    'https://partner-api.example/#hidden',
  ]) {
    const refusal: Error = await read(['--base-url', address]).catch((error) => error)
    t.match(refusal.message, '--base-url must be an http or https address without user, password')
    t.notMatch(refusal.message, 'hidden')
  }
})

t.test(
  'an address of the service with a path is refused, because the API has fixed paths',
  async (t) => {
    for (const path of ['/shares', '/shares/', '/v1', '/a/b', '//x', '/%2F']) {
      const address = `https://partner-api.example${path}`
      const refusal = await read(['--base-url', address]).catch((error) => error)
      t.match(refusal.message, /without a path, such as https:\/\/partner-api\.example\./, path)
      t.equal(refusal.oclif?.exit, 2, path)
    }
  },
)

t.test('an invalid address of a database is refused and not repeated', async (t) => {
  for (const [address, said] of [
    ['mysql://u:hidden@h/db', /must name one host and a database, for example postgres:/],
    ['postgres://u:hidden@h/', /must name one host and a database/],
    ['postgres://u:hidden@h,i/db', /must name one host and a database/],
    ['postgres:///db?host=/run/postgresql', /postgres:\/\/user@%2Frun%2Fpostgresql/],
    ['postgres://u:hidden%@h/db', /as %25/],
    ['postgres://u:hidden@h/db?sslmode=disable', /--database-tls/],
    [
      'postgres://u:hidden@h/db?client_encoding=LATIN1',
      /Remove client_encoding from the database address/,
    ],
    ['postgres://u:hidden@h/db?datestyle=German', /Remove datestyle from the database address/],
  ] as const) {
    const refusal: Error = await read(['--database-url', address]).catch((error) => error)
    t.match(refusal.message, said)
    t.notMatch(refusal.message, 'hidden')
  }
})

t.test('an empty database variable is refused', async (t) => {
  process.env['COOPSHARE_DATABASE_URL'] = ''
  t.teardown(() => delete process.env['COOPSHARE_DATABASE_URL'])
  await t.rejects(read([]), { message: /^COOPSHARE_DATABASE_URL is empty\. Set it to an address/ })
})

t.test('the base URL is given, or follows from host and port', async (t) => {
  const rows: [argv: string[], baseUrl: string][] = [
    [[], 'http://127.0.0.1:8080'],
    [['--https'], 'https://127.0.0.1:8080'],
    [['--host', '0.0.0.0'], 'http://127.0.0.1:8080'],
    [['--host', '::', '--port', '81'], 'http://[::1]:81'],
    [['--host', 'localhost'], 'http://localhost:8080'],
    [['--base-url', 'https://partner-api.example/'], 'https://partner-api.example'],
    [['--base-url', 'HTTPS://Partner-API.example:443'], 'https://partner-api.example'],
    [['--base-url', 'http://[::1]:8080/'], 'http://[::1]:8080'],
  ]
  for (const [argv, baseUrl] of rows) t.equal(baseUrlOf(await read(argv)), baseUrl, argv.join(' '))
  t.equal(baseUrlOf(await read(['--port', '0']), 4711), 'http://127.0.0.1:4711')
  t.equal(urlOf('http', '2001:db8::1', 80), 'http://[2001:db8::1]:80')
})

t.test('a certificate turns https on', async (t) => {
  const config = await read(['--https-cert', 'cert.pem', '--https-key', 'key.pem'])
  t.match(config, { https: true, httpsFiles: { cert: 'cert.pem', key: 'key.pem' } })
})
