import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createMarket, place, provision } from '../../../fixtures/market.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { roleOfRows } from '../../../fixtures/postgres/roles.ts'
import { organizationRecord } from '../../../fixtures/records.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/open-postgres-store.ts'

t.teardown(stopServer)

const some = Array.from({ length: 60 }, (_, number) => `org_${number}`)

/** A store whose pool is 16, by a role that may have `most` connections. */
async function openWithFew(t: Test, most: number) {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const url = await roleOfRows(t, options, { most })
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, url, poolSize: 16, encryptionKey })
  t.teardown(() => store.close())
  return store
}

t.test('who gets no connection of its own waits for one of those that there are', async (t) => {
  const store = await openWithFew(t, 3)
  await Promise.all(
    some.map((organizationId) =>
      store.write((records) =>
        records.organizations.put(organizationRecord({ organizationId, name: organizationId })),
      ),
    ),
  )
  const found = await Promise.all(
    some.map((id) => store.read((records) => records.organizations.get(id))),
  )
  t.same(
    found.map((record) => record?.organizationId),
    some,
  )
})

t.test('orders that come at once are placed by those that there are', async (t) => {
  const store = await openWithFew(t, 3)
  const market = await createMarket({}, { store })
  const investors = await Promise.all(
    some.map((ref) => provision(market.world, { partner_customer_ref: ref })),
  )
  const answers = await Promise.all(
    investors.map((investorId) => place(market, {}, { investorId })),
  )
  t.same(
    answers.map(({ status }) => status),
    some.map(() => 201),
  )
})

t.test('where there are too few to begin with, the reason and the flag are named', async (t) => {
  await t.rejects(openWithFew(t, 1), {
    code: 'SERVICE_UNAVAILABLE',
    message:
      /^Cannot use the database postgres:.*: too many connections for role .* --database-pool-size/,
  })
})
