import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { TLSSocket, type TLSSocketOptions } from 'node:tls'
import t, { type Test } from 'tap'
import StoreMigrate from '../../../commands/store/migrate.ts'
import { until } from '../../../fixtures/async.ts'
import { startDatabaseServer } from '../../../fixtures/postgres/server.ts'
import { runCommand } from '../../../fixtures/program/run-command.ts'
import { startTcpPeer } from '../../../fixtures/servers/peer.ts'
import { connect as connectSql } from '../../../src/adapters/postgres/connect.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'tls')
const [authority, keyFile] = [join(folder, 'localhost.crt'), join(folder, 'localhost.key')]
const server = await startDatabaseServer(['ssl=on'])
t.teardown(() => server.stop())
const { hostname, port, password } = new URL(server.url)
const verified = ['--database-tls', 'verify', '--database-ca-file', authority]

t.test('a TLS connection names its server (SNI)', async (t) => {
  const names: string[] = []
  const [cert, key] = [readFileSync(authority), readFileSync(keyFile)]
  const stranger = await startTcpPeer(t, (client) => {
    client.once('data', () => {
      client.write('S')
      const SNICallback: TLSSocketOptions['SNICallback'] = (name, done) => {
        names.push(name)
        done(null)
      }
      const secured = new TLSSocket(client, { isServer: true, cert, key, SNICallback })
      secured.on('error', () => {})
      secured.on('secure', () => client.destroy())
    })
  })
  const options = {
    url: `postgres://someone@localhost:${stranger}/any`,
    poolSize: 2,
    statementTimeoutMs: 1000,
    tls: 'verify' as const,
    certificateAuthority: String(cert),
  }
  const sql = connectSql(options, { connections: 1 })
  sql`select 1`.catch(() => {})
  await until(t, () => names.length > 0)
  await sql.end({ timeout: 0 })
  t.same([...new Set(names)], ['localhost'])
})

/**
 * Starts a server that hangs up as soon as a client has accepted this certificate for the database.
 */
async function startSecured(t: Test, name: string) {
  let heard = 0
  const secure = {
    isServer: true,
    cert: readFileSync(join(folder, `${name}.crt`)),
    key: readFileSync(keyFile),
  }
  const port = await startTcpPeer(t, (client) => {
    client.once('data', () => {
      client.write('S')
      const secured = new TLSSocket(client, secure)
      secured.on('error', () => {})
      secured.on('data', (bytes) => {
        heard += bytes.length
        secured.destroy()
      })
    })
  })
  return { port, hasHeard: () => heard > 0 }
}

for (const [named, host, isTrusted] of [
  ['name', 'localhost', true],
  ['name', '127.0.0.1', false],
  ['address', '127.0.0.1', true],
  ['address', 'localhost', false],
] as const) {
  t.test(
    `a certificate for only this ${named} is ${isTrusted ? '' : 'not '}valid for ${host}`,
    async (t) => {
      const { port, hasHeard } = await startSecured(t, `only-${named}`)
      const ca = join(folder, `only-${named}.crt`)
      const { exitCode, stderr } = await runCommand(
        StoreMigrate,
        ...['--database-url', `postgres://someone@${host}:${port}/any`],
        ...['--database-tls', 'verify', '--database-ca-file', ca],
      )
      t.equal(exitCode, 5)
      t.equal(hasHeard(), isTrusted)
      t.equal(/does not match certificate's altnames/.test(stderr), !isTrusted, stderr)
    },
  )
}

t.test(
  'no data is sent to a server without encryption, and the error names the server',
  async (t) => {
    const heard: Buffer[] = []
    const port = await startTcpPeer(t, (client) => {
      client.on('data', (bytes) => heard.push(bytes))
      client.once('data', () => client.write('N'))
    })
    const url = `postgres://someone@127.0.0.1:${port}/any`
    const refused = await runCommand(
      StoreMigrate,
      '--database-url',
      url,
      '--database-tls',
      'require',
    )
    t.match(refused, {
      exitCode: 5,
      stderr: /: The server does not encrypt\. See --database-tls\./,
    })
    t.equal(Buffer.concat(heard).length, 8, 'only the request for encryption')
  },
)

t.test(
  'only a server with a trusted certificate gets data, and nobody can read the data on the way',
  async (t) => {
    let heard = Buffer.alloc(0)
    const line = await startTcpPeer(t, (client) => {
      const database = connect(Number(port), hostname)
      client.on('data', (bytes) => {
        heard = Buffer.concat([heard, bytes])
      })
      client.on('close', () => database.destroy())
      database.on('error', () => client.destroy())
      client.pipe(database).pipe(client)
    })
    const migrate = async (host: string, ...argv: string[]) => {
      heard = Buffer.alloc(0)
      const url = new URL(server.url)
      url.host = `${host}:${line}`
      const { exitCode, stdout } = await runCommand(
        StoreMigrate,
        ...['--json', '--database-url', url.href, ...argv],
      )
      t.notMatch(stdout, password)
      return { exitCode, stdout, isInClear: heard.includes('to_regclass') }
    }
    const done = { exitCode: 0 }
    t.match(await migrate('127.0.0.1', ...verified), { ...done, isInClear: false }, 'verified')
    const required = await migrate('127.0.0.1', '--database-tls', 'require')
    t.match(required, { ...done, isInClear: false }, 'any server is accepted')
    t.match(await migrate('127.0.0.1'), { ...done, isInClear: true }, 'to this machine itself')
    const untrusted = await migrate('127.0.0.1', '--database-tls', 'verify')
    t.match(untrusted, { exitCode: 5, isInClear: false, stdout: /certificate/ })
    const anotherName = await migrate('127.1', ...verified)
    t.match(anotherName, { exitCode: 5, isInClear: false, stdout: /certificate/ })
  },
)

t.test('errors name what is wrong with a database, but no password', async (t) => {
  const rows: [title: string, url: string, exitCode: number, said: RegExp][] = [
    [
      'another password',
      server.url.replace(password, 'wrong-password'),
      5,
      /password authentication failed/,
    ],
    ['another database', `${server.url}-2`, 5, /"postgres-2" does not exist/],
    [
      'nobody there',
      server.url.replace(`:${port}/`, ':1/'),
      5,
      /127\.0\.0\.1:1\/postgres: .*ECONNREFUSED/,
    ],
    [
      'no server at any address',
      'postgres://a:hidden-word@localhost:1/b',
      5,
      /: connect ECONNREFUSED [:.\d]+:1/,
    ],
    [
      'no database in the address',
      server.url.replace(/\/postgres$/, ''),
      2,
      /must name one host and a database/,
    ],
    [
      'a setting of other programs',
      `${server.url}?keepalives=1`,
      5,
      /"keepalives"\. Leave it out of the address/,
    ],
    ['another protocol', server.url.replace('postgres:', 'mysql:'), 2, /for example postgres:/],
  ]
  for (const [title, url, exitCode, said] of rows) {
    const ran = await runCommand(StoreMigrate, '--database-url', url)
    t.equal(ran.exitCode, exitCode, title)
    t.match(ran.stderr, said, title)
    const { password: given } = new URL(url)
    for (const text of [ran.stdout, ran.stderr]) t.notMatch(text, given, title)
  }
})
