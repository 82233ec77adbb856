import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { createMarket, place, placeAccepted, provision } from '../../../fixtures/world/market.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { fixtureOperations } from '../../../src/operations/fixtures.ts'
import { setSharePrice } from '../../../src/usecases/cooperatives/cooperatives.ts'
import { updateOrganization } from '../../../src/usecases/organizations/organizations.ts'
import { followEvents } from '../../../src/usecases/webhooks/read-events.ts'

const { 'fixtures.apply': applyFile } = fixtureOperations

t.teardown(stopServer)

async function openMarket(t: Test, poolSize = 4) {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore({ ...options, poolSize })
  const sql = postgres(options.url, { max: 1, onnotice: () => {} })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  return { market: await createMarket({}, { store }), sql }
}

t.test('a client that follows events during a write does not delay orders', async (t) => {
  const { market, sql } = await openMarket(t)
  const { organizationId } = market.world.partner
  const follow = (after?: string) =>
    followEvents(market.world.service, { organization: organizationId, after, limit: 10 })
  const first = await placeAccepted(market)
  // Transactions of other tests on the same server can hide the event for a moment.
  await until(t, async () => (await follow()).length === 1)
  const [known] = await follow()
  // This transaction stands for an instance that stops in the middle of a write.
  await sql`begin`
  await sql`insert into events (organization_id, event_id, topic, ordering_key, type, body, created_at,
      retained_from, delivery_ids, pending, delivered, dead)
    values (${organizationId}, 'slow', 'share_purchase', ${first}, 'share_purchase.submitted', '{}', now(), now(),
      '{}', 0, 0, 0)`
  t.equal((await place(market)).status, 201)
  t.same(await follow(known?.eventId), [], 'an event that is committed late is not skipped')
  await sql`commit`
  await until(t, async () => (await follow(known?.eventId)).length === 2)
  const [slow, ...others] = await follow(known?.eventId)
  t.equal(slow?.eventId, 'slow')
  t.equal(others.length, 1)
})

t.test('operators who change the same record at the same time all succeed', async (t) => {
  const { market } = await openMarket(t, 16)
  const { service, partner } = market.world
  const { id, sharePrice } = market.cooperative
  const { organizationId: organization } = partner
  const works = Array.from({ length: 16 }, (_, index) => [
    setSharePrice(service, id, sharePrice),
    updateOrganization(service, { organization, investorMail: index % 2 === 0 }),
    // This operation writes to two tables.
    applyFile.run(service, {
      organizations: [{ name: `Bank ${index % 6}` }],
      cooperatives: [
        {
          key: 'sun',
          name: 'Sonne eG',
          energy_category: 'solar',
          share_price: `${100 + index}.00`,
        },
      ],
    }),
  ])
  const ended = await Promise.allSettled(works.flat())
  t.same(
    ended.filter(({ status }) => status === 'rejected'),
    [],
  )
})

t.test('orders of a locked investor use only one connection', async (t) => {
  const { market, sql } = await openMarket(t)
  await sql`begin`
  await sql`select from investors where investor_id = ${market.investorId} for no key update`
  const orders = Array.from({ length: 8 }, () => place(market))
  for (const number of Array.from({ length: 20 }, (_, index) => index)) {
    await provision(market.world, { partner_customer_ref: `other-${number}` })
  }
  await sql`rollback`
  for (const { status } of await Promise.all(orders)) t.equal(status, 201)
})
