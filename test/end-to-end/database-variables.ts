import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import { runCoopshare, type Variables } from '../../fixtures/program/serve.ts'

const database = await startDatabaseServer([])
t.teardown(() => database.stop())

const { password, port } = new URL(database.url)
const withoutPassword = database.url.replace(/:[^:@/]+@/, '@')
const withoutUser = database.url.replace(/\/\/[^@]+@/, '//')
const key = { COOPSHARE_ENCRYPTION_KEY: randomBytes(32).toString('hex') }

function migrate(url: string, variables: Variables) {
  return runCoopshare(['store', 'migrate'], { ...key, ...variables, COOPSHARE_DATABASE_URL: url })
}

t.test(
  'the password and the user of the database may come from PGPASSWORD and PGUSER',
  async (t) => {
    const PGPASSWORD = password
    const rows: [url: string, variables: Variables][] = [
      [withoutPassword, { PGPASSWORD }],
      [withoutPassword, { PGPASSWORD: `${password}\n` }],
      [`${withoutPassword}\n`, { PGPASSWORD }],
      [withoutUser, { PGPASSWORD, PGUSER: 'postgres' }],
      [database.url, { PGPASSWORD: 'wrong' }],
      // The address has everything that these name.
      [
        database.url,
        { PGHOST: 'nowhere.invalid', PGPORT: '1', PGDATABASE: 'x', PGSSLMODE: 'verify-full' },
      ],
    ]
    for (const [url, variables] of rows) {
      const { code, stderr } = await migrate(url, variables)
      t.equal(code, 0, `${Object.keys(variables)} ${stderr}`)
    }
  },
)

t.test('.pgpass is not read', async (t) => {
  const HOME = t.testdir()
  const PGPASSFILE = join(HOME, '.pgpass')
  await writeFile(PGPASSFILE, `127.0.0.1:${port}:*:postgres:${password}\n`, { mode: 0o600 })
  const { code, stderr } = await migrate(withoutPassword, { HOME, PGPASSFILE })
  t.equal(code, 5)
  t.match(
    stderr,
    /password authentication failed .* Check the user and the password in the address/,
  )
  t.notMatch(stderr, password)
})

t.test('the database must accept writes, whatever PGTARGETSESSIONATTRS says', async (t) => {
  for (const accepted of ['read-write', 'primary', '']) {
    const { code, stderr } = await migrate(database.url, { PGTARGETSESSIONATTRS: accepted })
    t.equal(code, 0, `${accepted} ${stderr}`)
  }
  for (const refused of ['any', 'standby', 'read-only', 'prefer-standby', 'soon']) {
    const answer = await migrate(database.url, { PGTARGETSESSIONATTRS: refused })
    t.match(answer, { code: 2, stderr: `not "${refused}"` }, refused)
    t.notMatch(answer.stderr, password)
  }
  const inAddress = await migrate(`${database.url}?target_session_attrs=standby`, {})
  t.match(inAddress, { code: 2, stderr: /target_session_attrs/ })
})
