import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { buildCooperative, storeCooperatives } from '../../../fixtures/builders/cooperatives.ts'
import {
  clientRecord,
  cooperativeRecord,
  deliveryRecord,
  endpointRecord,
  organizationRecord,
} from '../../../fixtures/builders/records.ts'
import { buildSharePurchaseRequest } from '../../../fixtures/builders/share-purchases.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import {
  createDatabase,
  isAnyoneWaiting,
  stopServer,
} from '../../../fixtures/postgres/databases.ts'
import { stopPoolers, storeUrl } from '../../../fixtures/postgres/pgbouncer.ts'
import { poolerVariable } from '../../../fixtures/postgres/variables.ts'
import { referringStore } from '../../../fixtures/stores/referring-store.ts'
import { createMarket } from '../../../fixtures/world/market.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { toTimestamp } from '../../../src/domain/timestamp.ts'
import { runOperation } from '../../../src/operations/operations.ts'
import { placeSharePurchase } from '../../../src/usecases/share-purchases/place-share-purchase.ts'

/** The maximum time until an instance sees a change by another instance. */
const promisedMs = 1000

const minutes = [1, 2, 3, 4, 5, 6, 7, 8]
const lookAgainMs = 1000
/** Without notifications, an instance would notice at most half of the changes in this time. */
const longestMs = (minutes.length * lookAgainMs) / 2
/** These deliveries are not due, so a poll for due deliveries does not find them. */
const later = { nextAttemptAt: toTimestamp(new Date(Date.now() + 3_600_000)) }

t.teardown(async () => {
  await stopPoolers()
  await stopServer()
})

/** Opens two stores in one database, which act like two instances. */
async function openTwo(t: Test) {
  const { options, drop } = await createDatabase()
  const reached = { ...options, url: await storeUrl(options.url) }
  const open = () => referringStore(new PostgresStore(reached))
  const stores = [open(), open()] as const
  t.teardown(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await drop()
  })
  return { stores, options }
}

const nameOf = (store: PostgresStore) =>
  store.read(async ({ clients }) => (await clients.get('client-1'))?.name)

t.test('an instance sees changes within a second without a notification [D57]', async (t) => {
  const { stores } = await openTwo(t)
  // The stores do not watch deliveries, so they do not listen for notifications.
  const [here, there] = stores
  for (const name of ['first', 'second', 'third']) {
    await here.write(anything, ({ clients }) =>
      clients.put(clientRecord({ clientId: 'client-1', name })),
    )
    const changedAt = performance.now()
    t.equal(await nameOf(here), name, 'immediately in the instance that changed it')
    let lastUnseen = changedAt
    await until(t, async () => {
      const begunAt = performance.now()
      const isSeen = (await nameOf(there)) === name
      if (!isSeen) lastUnseen = begunAt
      return isSeen
    })
    t.ok(lastUnseen - changedAt < promisedMs, `${lastUnseen - changedAt} ms`)
  }
})

t.test('a write sees changes of another instance immediately [D55]', async (t) => {
  const { stores, options } = await openTwo(t)
  const [here, there] = stores
  const look = () =>
    there.write(anything, async ({ cooperatives, organizations, webhookEndpoints }) => [
      (await cooperatives.get('coop-1'))?.name,
      (await organizations.get('org-1'))?.name,
      (await webhookEndpoints.listByOrganization('org-1')).length,
    ])
  t.same(await look(), [undefined, undefined, 0])
  await here.write(anything, ({ organizations }) =>
    organizations.put(organizationRecord({ name: 'first' })),
  )
  t.same(await look(), [undefined, 'first', 0])
  await here.write(anything, ({ cooperatives }) =>
    cooperatives.put(cooperativeRecord({ name: 'Solar' })),
  )
  t.same(await look(), ['Solar', 'first', 0])
  await here.write(anything, ({ webhookEndpoints }) => webhookEndpoints.put(endpointRecord()))
  t.same(await look(), ['Solar', 'first', 1])
  await here.write(anything, ({ organizations }) =>
    organizations.put(organizationRecord({ name: 'second' })),
  )
  await here.write(anything, ({ cooperatives }) =>
    cooperatives.put(cooperativeRecord({ name: 'Wind' })),
  )
  await here.write(anything, ({ webhookEndpoints }) => webhookEndpoints.remove('endpoint-1'))
  t.same(await look(), ['Wind', 'second', 0])
  const sql = postgres(options.url, { max: 1 })
  t.teardown(() => sql.end())
  await sql`update cooperatives set name = 'by hand'`
  await until(t, async () => (await look())[0] === 'by hand')
})

t.test('orders of one investor at two instances see each other [D55]', async (t) => {
  const { stores } = await openTwo(t)
  const { world, investorId, cooperative } = await createMarket({}, { store: stores[0] })
  const { organizationId } = world.partner
  const request = buildSharePurchaseRequest({ cooperativeId: cooperative.id })
  const count = 400
  const placeAt = async (store: PostgresStore) => {
    const service = { ...world.service, store }
    for (let number = 0; number < count; number += 1)
      await placeSharePurchase(service, { organizationId, investorId, request })
  }
  await Promise.all(stores.map(placeAt))
  const holding = await stores[0].read(({ holdings }) =>
    holdings.find(organizationId, investorId, cooperative.id),
  )
  t.equal(holding?.pendingShares, request.shareCount * count * stores.length)
})

// A pooler in transaction mode does not pass on notifications.
const skip = process.env[poolerVariable] ? 'a pooler is in between' : false

t.test(
  'an instance is notified of deliveries that other instances have stored [D57]',
  { skip },
  async (t) => {
    const { stores, options } = await openTwo(t)
    const [here, there] = stores
    const isNotified = countNotifications(t, there)
    const sql = postgres(options.url, { max: 1 })
    t.teardown(() => sql.end())
    const listeners = () =>
      sql<{ pid: number }[]>`select pid from pg_stat_activity
      where datname = current_database() and query like 'listen %'`
    await until(t, async () => (await listeners()).length === 1)
    await until(t, isNotified())
    const put = async (minute: number) => {
      const hasHeard = isNotified()
      await here.write(anything, ({ deliveries }) => deliveries.put(deliveryRecord(minute, later)))
      await until(t, hasHeard)
    }

    const begunAt = performance.now()
    for (const minute of minutes) await put(minute)
    const tookMs = performance.now() - begunAt
    t.ok(tookMs < longestMs, `sooner than with a poll once a second: ${tookMs} ms`)

    const [listener] = await listeners()
    await sql`select pg_terminate_backend(${listener?.pid ?? 0})`
    await until(t, async () => (await listeners()).some(({ pid }) => pid !== listener?.pid))
    await until(t, isNotified())
    const againAt = performance.now()
    for (const minute of minutes) await put(minute + minutes.length)
    t.ok(performance.now() - againAt < longestMs, 'the same after the connection was lost')

    // This instance also sends deliveries, and notifies another instance of deliveries that belong to
    // that one.
    t.teardown(here.watchDeliveries(() => {}))
    const hintedAt = performance.now()
    for (const minute of minutes) await put(minute + 2 * minutes.length)
    t.ok(
      performance.now() - hintedAt < longestMs,
      'hints of an instance that sends deliveries itself',
    )
  },
)

t.test('an instance without notifications polls for deliveries once a second [D57]', async (t) => {
  const { stores } = await openTwo(t)
  const isNotified = countNotifications(t, stores[1])
  // The connection may begin to listen during the first attempts.
  for (const _ of minutes.slice(0, 4)) await until(t, isNotified())
})

/** @returns a function that waits for the next notification */
function countNotifications(t: Test, store: PostgresStore) {
  let count = 0
  t.teardown(store.watchDeliveries(() => (count += 1)))
  return () => {
    const before = count
    return () => count > before
  }
}

t.test(
  'an export has every cooperative that its orders need, even if records change meanwhile [D49]',
  async (t) => {
    const { options, drop } = await createDatabase()
    const store = new PostgresStore(options)
    const stranger = postgres(options.url, { max: 1 })
    t.teardown(async () => {
      await Promise.all([store.close(), stranger.end()])
      await drop()
    })
    const { world, investorId } = await createMarket({}, { store })
    const { organizationId } = world.partner
    const added = buildCooperative({ key: 'added' })
    const request = buildSharePurchaseRequest({ cooperativeId: added.id })
    let exporting: Promise<unknown> | undefined
    await stranger.begin(async (sql) => {
      // The lock stops the export, which reads clients, but not the order, which does not.
      await sql`lock table clients in access exclusive mode`
      exporting = runOperation(world.service, 'fixtures.export', {})
      await until(t, () => isAnyoneWaiting(sql))
      await storeCooperatives(store, added)
      await placeSharePurchase(world.service, { organizationId, investorId, request })
    })
    t.match(await exporting, exactArrays({ cooperatives: [{}, {}] }))
  },
)
