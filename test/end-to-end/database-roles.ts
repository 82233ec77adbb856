import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { administer, createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'

const page = join(import.meta.dirname, '..', '..', 'docs', 'deploy', 'postgresql.md')
const [, section = ''] = readFileSync(page, 'utf8').split('\n## Roles\n')
/** The statements that the page runs first as a superuser and later as the owner. */
const [roles = [], grants = []] = [...section.matchAll(/\n\n((?: {4}.+;\n)+)/g)].map(([, block]) =>
  block?.trim().split(/\n */),
)

// The names of roles are unique, because tests share the server and its roles.
const run = randomBytes(6).toString('hex')
const owner = `owner_${run}`
const service = `service_${run}`
const database = `roles_${run}`
const named = (statement: string) =>
  statement
    .replaceAll('coopshare_owner', owner)
    .replaceAll('coopshare_service', service)
    .replace(/database coopshare\b/, `database ${database}`)
    .replaceAll('…', 'secret')

const lacksRights = /permission denied for .*\. Grant the missing rights as the owner of the schema/

t.teardown(stopServer)

t.test('the service runs with the roles and grants of docs/deploy/postgresql.md', async (t) => {
  const superuser = await createDatabase({ isEmpty: true })
  t.teardown(async () => {
    await administer(superuser.options, [
      `drop database if exists ${database} with (force)`,
      `drop role if exists ${owner}`,
      `drop role if exists ${service}`,
    ])
    await superuser.drop()
  })
  t.match(roles, exactArrays([/^create role/, /^create role/, /^create database/]))
  await administer(superuser.options, roles.map(named))
  const addressOf = (username: string) =>
    Object.assign(new URL(superuser.options.url), {
      username,
      password: 'secret',
      pathname: `/${database}`,
    }).href
  const directory = join(t.testdir(), 'data')
  const variablesOf = (role: string) => ({
    COOPSHARE_DATABASE_URL: addressOf(role),
    COOPSHARE_ENCRYPTION_KEY: '11'.repeat(32),
    COOPSHARE_DATA_DIR: directory,
  })

  const refused = await runCoopshare(['store', 'migrate'], variablesOf(service))
  t.match(refused, { code: 5, stderr: lacksRights }, 'the service role cannot create tables')
  t.match(await runCoopshare(['store', 'migrate'], variablesOf(owner)), { code: 0 })
  t.match(grants, exactArrays([/^grant/, /^grant/, /^grant/, /^alter default/, /^alter default/]))
  t.match(await runCoopshare(['store', 'check'], variablesOf(service)), { stderr: lacksRights })
  await administer({ ...superuser.options, url: addressOf(owner) }, grants.map(named))

  const served = await serve(t, ['--demo'], variablesOf(service))
  const listed = await runCoopshare(['purchase', 'list', '--json'], variablesOf(service))
  t.ok(JSON.parse(listed.stdout).length > 5, 'the service has written the orders of the demo')

  await t.test('the service is not ready while its role may not insert', async (t) => {
    const ready = async () => (await checkedOperatorFetch(`${served.operator_url}/readyz`)).status
    const change = (statement: string) =>
      administer({ ...superuser.options, url: addressOf(owner) }, [named(statement)])
    t.equal(await ready(), 200)
    await change('revoke insert on share_purchases from coopshare_service')
    t.equal(await ready(), 503)
    await change('grant insert on share_purchases to coopshare_service')
    t.equal(await ready(), 200)
    await change('revoke insert on audit_entries from coopshare_service')
    const refused = await runCoopshare(
      ['organization', 'create', 'Other Bank'],
      variablesOf(service),
    )
    t.match(refused, { code: 5, stderr: 'cannot use its database' })
    await change('grant insert on audit_entries to coopshare_service')
  })
  t.match(await served.stop(), { code: 0 })

  await t.test(
    'the service role can use and dump tables of a later version immediately',
    async (t) => {
      await administer({ ...superuser.options, url: addressOf(owner) }, [
        'create table of_a_later_version (id int, sequence bigint generated always as identity)',
      ])
      const sql = postgres(addressOf(service), { max: 1 })
      t.teardown(() => sql.end())
      await sql`insert into of_a_later_version values (1)`
      const sequences =
        await sql`select oid::regclass::text as name from pg_class where relkind = 'S'`
      t.ok(sequences.length > 1)
      for (const { name } of sequences)
        await sql.unsafe(`select last_value, is_called from ${name}`)
      t.strictSame([...(await sql`select id from of_a_later_version`)], [{ id: 1 }])
      await t.rejects(sql`create table of_its_own (id int)`, { code: '42501' })
    },
  )
})
