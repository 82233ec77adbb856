import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import {
  findPgbouncer,
  howToGetPgbouncer,
  startPgbouncer,
} from '../../../fixtures/postgres/pgbouncer.ts'
import { createMarket, place, provision } from '../../../fixtures/world/market.ts'
import { migrate } from '../../../src/adapters/postgres/migrate.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { createVault } from '../../../src/adapters/vault.ts'
import { runOperation } from '../../../src/operations/operations.ts'

t.teardown(stopServer)

const skip = findPgbouncer() ? false : howToGetPgbouncer

t.test('a store works through a pooler in transaction mode', { skip }, async (t) => {
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  const { url, stop } = await startPgbouncer(options.url)
  t.teardown(() => void stop())
  await migrate({ ...options, url })
  const store = new PostgresStore({ ...options, url })
  t.teardown(() => store.close())
  const market = await createMarket({}, { store })
  const investors = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      provision(market.world, { partner_customer_ref: `ref-${index}` }),
    ),
  )
  const placed = await Promise.all(
    [...investors, ...investors].map((investorId) => place(market, {}, { investorId })),
  )
  t.same(
    placed.map(({ status }) => status),
    placed.map(() => 201),
  )
  await store.begin(createVault(randomBytes(32)))
  await runOperation(market.world.service, 'fixtures.export', {})
  t.match(await store.health(), { ready: true })
  t.match(await store.check(), { problems: { length: 0 }, records: { sharePurchases: 40 } })
})
