import { once } from 'node:events'
import t from 'tap'
import { clientRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { type Ask, Database } from '../../../src/adapters/postgres/database.ts'
import { lookupOf, PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { QueryCache } from '../../../src/adapters/postgres/query-cache.ts'
import { Reads } from '../../../src/adapters/postgres/reads.ts'
import { clientById, clients } from '../../../src/adapters/store/identity.ts'

t.teardown(stopServer)

t.test('a check that was under way before a change does not confirm older answers', async (t) => {
  const { options, drop } = await createDatabase()
  const [store, database] = [new PostgresStore(options), new Database(options)]
  t.teardown(async () => {
    await Promise.all([store.close(), database.close()])
    await drop()
  })
  const rename = (name: string) =>
    store.write(anything, (records) => records.clients.put(clientRecord({ name })))
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  await rename('first')

  let [answered, released] = [new AbortController(), new AbortController()]
  let holds = false
  const ask: Ask = async (text, values) => {
    const rows = await database.ask<never>(text, values)
    if (!holds) return rows
    holds = false
    answered.abort()
    if (!released.signal.aborted) await once(released.signal, 'abort')
    return rows
  }
  const cache = new QueryCache(ask, new Reads(database.ask))
  const lookup = lookupOf(new Reads(database.ask), cache)
  const readName = async () => (await lookup.find(clients, clientById, ['client-1']))?.record.name
  await cache.refresh()
  t.equal(await readName(), 'first')

  holds = true
  const check = cache.checkVersions()
  await once(answered.signal, 'abort')
  await rename('second')
  cache.invalidate()
  const refreshed = cache.refresh()
  released.abort()
  await Promise.all([check, refreshed])
  t.equal(await readName(), 'second')

  answered = new AbortController()
  released = new AbortController()
  holds = true
  const earlier = cache.checkVersions()
  await once(answered.signal, 'abort')
  await rename('third')
  const now = cache.checkVersionsNow()
  released.abort()
  await Promise.all([earlier, now])
  t.equal(await readName(), 'third', 'a check from now on does not join an earlier one')
})
