import postgres from 'postgres'
import t from 'tap'
import { createMarket, place } from '../../../fixtures/market.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { MaintainedStore } from '../../../src/adapters/postgres/maintained-store.ts'
import { followEvents } from '../../../src/usecases/webhooks/follow-events.ts'

t.teardown(stopServer)

t.test('who follows events while one is being written holds no order up', async (t) => {
  const { options, drop } = await createDatabase()
  const [store, sql] = [new MaintainedStore(options), postgres(options.url, { max: 1 })]
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  const market = await createMarket({}, { store })
  const { organizationId } = market.world.partner
  const follow = () =>
    followEvents(market.world.service, { organization: organizationId, limit: 10 })
  // As an instance does that stands still in the middle of a write.
  await sql`begin`
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`events/${organizationId}`}, 0))`
  const [events, order] = await Promise.all([follow(), place(market)])
  t.same(events, [], 'what may still come before others is not passed over')
  t.equal(order.status, 201)
  await sql`rollback`
  t.equal((await follow()).length, 1)
})
