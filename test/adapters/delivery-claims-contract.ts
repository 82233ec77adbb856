import t, { type Test } from 'tap'
import { type StoreEngine, storeEngines } from '../../fixtures/stores.ts'
import { deliveryRecord, minutesAfterNoon, retryRecord } from '../../fixtures/webhook-records.ts'
import { addSeconds } from '../../src/domain/timestamp.ts'
import type { Delivery } from '../../src/domain/webhooks/delivery.ts'
import type { ClaimRequest } from '../../src/ports/delivery-claims.ts'
import type { Store } from '../../src/ports/store.ts'

for (const engine of storeEngines) {
  t.test(`claims of a store ${engine.name}`, async (t) => {
    await t.test('what is due is handed out once', (t) => testOnce(t, engine))
    await t.test('a claim ends with what came of the attempt', (t) => testPut(t, engine))
    await t.test('what is in hand stays claimed when it is put for another reason', (t) =>
      testOtherPut(t, engine),
    )
    await t.test('what has died without an attempt may begin another round at once', (t) =>
      testDeath(t, engine),
    )
    await t.test('a claim ends after its lease', (t) => testLease(t, engine))
    await t.test('what was given back is left alone for a while', (t) => testRelease(t, engine))
    await t.test('a lane has a bound, all of them have one too', (t) => testBounds(t, engine))
    await t.test('first attempts go before retries', (t) => testOrder(t, engine))
    await t.test('first attempts that never end leave a place to a retry', (t) =>
      testReserve(t, engine),
    )
    await t.test('a retry that is left alone for a while needs no place', (t) =>
      testPausedRetry(t, engine),
    )
    await t.test('no lane is always the last', (t) => testTurns(t, engine))
    await t.test('it is known when the next one falls due', (t) => testNext(t, engine))
    await t.test('who watches is told of deliveries that were put', (t) => testWatch(t, engine))
  })
}

const now = minutesAfterNoon(10)

async function testOnce(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(12), deliveryRecord(10), deliveryRecord(1))
  const [first, second] = await Promise.all([claim(store), claim(store)])
  t.same([...first, ...second].sort(), ['delivery-1', 'delivery-10'])
  t.same(await claim(store), [])
  t.same(await claim(store, { now: minutesAfterNoon(12) }), ['delivery-12'])
  const done = { state: 'delivered', nextAttemptAt: null } as const
  const waiting = { state: 'waiting', nextAttemptAt: null } as const
  await put(store, deliveryRecord(20, done), deliveryRecord(21, waiting))
  t.same(await claim(store, { now: minutesAfterNoon(60) }), [], 'nothing that is not pending')
}

async function testPut(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(1))
  await claim(store)
  await put(store, retryRecord(1, { nextAttemptAt: minutesAfterNoon(11) }))
  t.same(await claim(store), [], 'not due yet')
  t.same(await claim(store, { now: minutesAfterNoon(11) }), ['delivery-1'])
}

async function testOtherPut(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(1), retryRecord(2))
  t.same((await claim(store)).sort(), namesOf(1, 2))
  const waiting = { state: 'waiting', nextAttemptAt: null } as const
  await put(store, deliveryRecord(1, waiting), retryRecord(2, waiting))
  await put(store, deliveryRecord(1), retryRecord(2))
  t.same(await claim(store), [])
  await put(store, retryRecord(1, delivered))
  await put(store, retryRecord(1))
  t.same(await claim(store), namesOf(1), 'once it is finished, another round may begin')
}

async function testDeath(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(1))
  t.same(await claim(store), namesOf(1))
  await put(store, deliveryRecord(1, { state: 'dead', nextAttemptAt: null }))
  await put(store, deliveryRecord(1))
  t.same(await claim(store), namesOf(1))
}

async function testLease(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(1))
  await claim(store, { leaseSeconds: { webhook: 60, mail: 60 } })
  t.same(await claim(store, { now: addSeconds(now, 59) }), [])
  t.same(await claim(store, { now: addSeconds(now, 60) }), ['delivery-1'])
}

async function testRelease(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(1), deliveryRecord(2))
  t.same(await claim(store, { perLane: 1 }), ['delivery-1'])
  await store.deliveryClaims.release('delivery-1', addSeconds(now, 30))
  t.same(await claim(store, { perLane: 1 }), ['delivery-2'], 'its place is free')
  await store.deliveryClaims.release('delivery-2', addSeconds(now, 90))
  t.same(await claim(store, { now: addSeconds(now, 29) }), [])
  t.same(await claim(store, { now: addSeconds(now, 30) }), ['delivery-1'])
  await store.deliveryClaims.release('never there', now)
}

async function testBounds(t: Test, engine: StoreEngine) {
  const store = await fill(
    t,
    engine,
    ...[1, 2, 3, 4].map((minute) => deliveryRecord(minute)),
    ...[5, 6, 7].map((minute) => deliveryRecord(minute, lane('endpoint-2'))),
    deliveryRecord(8, { target: { kind: 'mail' } }),
  )
  t.same((await claim(store, { perLane: 2 })).sort(), namesOf(1, 2, 5, 6, 8))
  t.same(await claim(store, { perLane: 2 }), [], 'those under way count')
  await put(store, deliveryRecord(5, { ...lane('endpoint-2'), ...delivered }))
  const exceptions = new Map([['endpoint-1', 0]])
  t.same(await claim(store, { perLane: 3, exceptions }), namesOf(7), 'a lane with another bound')
  t.same(await claim(store, { perLane: 9, limit: 1 }), namesOf(3))
  t.same(await claim(store, { perLane: 9, limit: 1 }), namesOf(4))
  t.same(await claim(store, { limit: 0 }), [])
}

async function testOrder(t: Test, engine: StoreEngine) {
  const store = await fill(
    t,
    engine,
    retryRecord(2),
    deliveryRecord(4),
    retryRecord(1, lane('endpoint-2')),
    deliveryRecord(3, lane('endpoint-2')),
    deliveryRecord(9, lane('endpoint-2')),
  )
  t.same((await claim(store, { limit: 3, perLane: 8 })).sort(), namesOf(3, 4, 9))
  t.same((await claim(store)).sort(), namesOf(1, 2))
}

async function testReserve(t: Test, engine: StoreEngine) {
  const fresh = [3, 4, 5, 6].map((minute) => deliveryRecord(minute))
  const store = await fill(t, engine, retryRecord(7), retryRecord(11), ...fresh)
  t.same((await claim(store, { perLane: 2 })).sort(), namesOf(3, 7))
  await put(store, deliveryRecord(3, delivered))
  t.same(await claim(store, { perLane: 2 }), namesOf(4), 'one retry at a time')
  await put(store, deliveryRecord(4, delivered), retryRecord(7, delivered))
  const later = minutesAfterNoon(12)
  t.same((await claim(store, { perLane: 2, now: later })).sort(), namesOf(11, 5))
}

async function testPausedRetry(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, retryRecord(7))
  await claim(store)
  await store.deliveryClaims.release('delivery-7', addSeconds(now, 30))
  await put(store, deliveryRecord(3), deliveryRecord(4))
  t.same((await claim(store, { perLane: 2 })).sort(), namesOf(3, 4))
}

async function testTurns(t: Test, engine: StoreEngine) {
  const lanes = [1, 2, 3, 4]
  const each = (minute: number) => deliveryRecord(minute, lane(`endpoint-${minute % 4}`))
  const store = await fill(t, engine, ...Array.from({ length: 40 }, (_, minute) => each(minute)))
  const request = { limit: 1, perLane: 100, now: minutesAfterNoon(60) }
  const served = new Set<string>()
  for (const _ of lanes) {
    for (const name of await claim(store, request)) served.add(`${Number(name.slice(9)) % 4}`)
  }
  t.equal(served.size, lanes.length)
}

async function testNext(t: Test, engine: StoreEngine) {
  const store = await fill(t, engine, deliveryRecord(5), deliveryRecord(15), retryRecord(14))
  const next = () => store.deliveryClaims.nextDueAt(now)
  t.equal(await next(), minutesAfterNoon(14), 'what is due is not next')
  await claim(store, { leaseSeconds: { webhook: 60, mail: 60 } })
  t.equal(await next(), minutesAfterNoon(11), 'a claim may have been forgotten')
  await store.deliveryClaims.release('delivery-5', minutesAfterNoon(13))
  t.equal(await next(), minutesAfterNoon(13))
  await put(store, deliveryRecord(5, delivered), retryRecord(14, delivered))
  await claim(store)
  t.equal(await next(), minutesAfterNoon(15))
  await put(store, deliveryRecord(15, delivered))
  t.equal(await next(), undefined)
}

async function testWatch(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  let told = 0
  const stop = store.deliveryClaims.watch(() => {
    told += 1
  })
  await put(store, deliveryRecord(1))
  t.ok(told > 0)
  stop()
  const before = told
  await put(store, deliveryRecord(2))
  t.equal(told, before)
}

const delivered = { state: 'delivered', nextAttemptAt: null } as const

function lane(webhookEndpointId: string) {
  return { target: { kind: 'webhook', webhookEndpointId } } as const
}

async function fill(t: Test, engine: StoreEngine, ...deliveries: Delivery[]): Promise<Store> {
  const { store } = await engine.open(t)
  await put(store, ...deliveries)
  return store
}

async function put(store: Store, ...deliveries: Delivery[]): Promise<void> {
  await store.write(async (records) => {
    for (const delivery of deliveries) await records.deliveries.put(delivery)
  })
}

async function claim(store: Store, request: Partial<ClaimRequest> = {}): Promise<string[]> {
  const defaults = {
    now,
    leaseSeconds: { webhook: 86_400, mail: 86_400 },
    limit: 64,
    perLane: 8,
    exceptions: new Map(),
  }
  const claimed = await store.deliveryClaims.claimDue({ ...defaults, ...request })
  return claimed.map(({ deliveryId }) => deliveryId)
}

function namesOf(...minutes: readonly number[]): string[] {
  return minutes.map((minute) => `delivery-${minute}`)
}
