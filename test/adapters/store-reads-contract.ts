import t, { type Test } from 'tap'
import {
  cooperativeRecord,
  deliveryRecord,
  eventRecord,
  holdingRecord,
  idempotencyRecord,
  investorRecord,
  minutesAfterNoon,
  noon,
  retryRecord,
  sharePurchaseRecord,
  signingKeyRecord,
} from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores/engines.ts'
import type { Money } from '../../src/domain/money.ts'
import { maximumCounted } from '../../src/domain/page.ts'
import type { SharePurchase } from '../../src/domain/share-purchases/share-purchase.ts'
import { addSeconds, toTimestamp } from '../../src/domain/timestamp.ts'
import type { Delivery } from '../../src/domain/webhooks/delivery.ts'
import type { ReadableRecords, Records, Store } from '../../src/ports/store.ts'

for (const engine of storeEngines) {
  t.test(`reads of a store ${engine.name}`, async (t) => {
    await t.test('share purchases are listed in pages, newest first', (t) => testPages(t, engine))
    await t.test('long lists and their pages are complete', (t) => testLongLists(t, engine))
    await t.test('share purchases are listed for operators, oldest first', (t) =>
      testList(t, engine),
    )
    await t.test('orders are summed by status and by day of the platform', (t) =>
      testSums(t, engine),
    )
    await t.test('attempts at a receiver are counted by hour', (t) => testAttempted(t, engine))
    await t.test(
      'pending orders of a position that depend on others, or that others may depend on, can be found',
      (t) => testPending(t, engine),
    )
    await t.test('orders with a fate are found by the time of its next step', (t) =>
      testFates(t, engine),
    )
    await t.test('investors are listed in batches, oldest first', (t) => testInvestors(t, engine))
    await t.test('a holding without shares is not listed', (t) => testHoldings(t, engine))
    await t.test('signing keys are listed oldest first and can be removed', (t) =>
      testKeys(t, engine),
    )
    await t.test('an image can be replaced and removed', (t) => testImages(t, engine))
    await t.test('expired keys are purged, oldest first', (t) => testPurge(t, engine))
    await t.test('the version of the catalogue changes with the catalogue', (t) =>
      testVersion(t, engine),
    )
  })
}

async function testPages(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (let minute = 1; minute <= 25; minute += 1) {
    await put(store, (r) => r.sharePurchases.put(sharePurchaseRecord(minute)))
  }
  await put(store, (r) => r.sharePurchases.put(sharePurchaseRecord(3, { status: 'approved' })))
  const ids = async (page: number) => {
    const { items, totalItems } = await look(store, (r) =>
      r.sharePurchases.pageByInvestor('org-1', 'investor-1', { page, size: 10 }),
    )
    t.equal(totalItems, 25)
    return items.map((item) => item.sharePurchaseId)
  }
  t.same(await ids(1), purchaseIds(25, 24, 23, 22, 21, 20, 19, 18, 17, 16))
  t.same(await ids(3), purchaseIds(5, 4, 3, 2, 1), 'a change does not move an order')
  t.same(await ids(4), [], 'a page past the end is empty')
}

async function testLongLists(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const count = maximumCounted + 1
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await put(store, async ({ sharePurchases }) => {
    for (const number of numbers) await sharePurchases.put(sharePurchaseRecord(number))
  })
  const page = await look(store, (r) =>
    r.sharePurchases.pageByInvestor('org-1', 'investor-1', { page: count, size: 1 }),
  )
  t.equal(page.totalItems, count)
  t.match(page.items, exactArrays([{ sharePurchaseId: 'purchase-1' }]), 'the oldest order is last')
  const all = await look(store, (r) => r.sharePurchases.listByInvestors('org-1', ['investor-1']))
  t.same(
    all.map(({ sharePurchaseId }) => sharePurchaseId),
    purchaseIds(...numbers),
  )
}

async function testList(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const move = (minute: number, fields = {}) =>
    put(store, (r) => r.sharePurchases.put(sharePurchaseRecord(minute, fields)))
  for (const minute of [1, 2, 3, 4]) await move(minute)
  await move(5, { organizationId: 'org-2', investorId: 'investor-2' })
  for (const minute of [4, 2]) await move(minute, { status: 'approved' })
  await store.read(async ({ sharePurchases }) => {
    const ids = async (filter: Parameters<typeof sharePurchases.list>[0]) =>
      (await sharePurchases.list(filter)).map((purchase) => purchase.sharePurchaseId)
    t.same(await ids({}), purchaseIds(1, 2, 3, 4, 5))
    t.same(await ids({ limit: 2 }), purchaseIds(1, 2))
    t.same(await ids({ status: 'approved' }), purchaseIds(2, 4), 'in the order of their creation')
    t.same(await ids({ status: 'submitted', limit: 2 }), purchaseIds(1, 3))
    t.same(await ids({ organizationId: 'org-2' }), purchaseIds(5))
    t.same(await ids({ organizationId: 'org-1', status: 'submitted' }), purchaseIds(1, 3))
    t.same(await ids({ status: 'settled' }), [])
    const [, second = '', third = '', fourth = ''] = purchaseIds(1, 2, 3, 4)
    t.same(await ids({ after: third }), purchaseIds(4, 5))
    t.same(await ids({ after: second, limit: 2 }), purchaseIds(3, 4))
    t.same(await ids({ organizationId: 'org-1', after: second }), purchaseIds(3, 4))
    t.same(await ids({ status: 'approved', after: second }), purchaseIds(4))
    t.same(
      await ids({ status: 'submitted', after: second }),
      purchaseIds(3, 5),
      'after an order with another status',
    )
    t.same(await ids({ organizationId: 'org-1', status: 'submitted', after: fourth }), [])
    const isNewestFirst = true
    t.same(await ids({ isNewestFirst, limit: 2 }), purchaseIds(5, 4))
    t.same(await ids({ isNewestFirst, after: fourth, limit: 2 }), purchaseIds(3, 2))
    t.same(await ids({ isNewestFirst, status: 'approved' }), purchaseIds(4, 2))
    const [all] = await sharePurchases.list({})
    const cooperativeId = all?.cooperativeId
    t.same(await ids({ cooperativeId, isNewestFirst }), purchaseIds(5, 4, 3, 2, 1))
    t.same(await ids({ cooperativeId, status: 'approved' }), purchaseIds(2, 4))
    t.same(await ids({ cooperativeId, organizationId: 'org-2' }), purchaseIds(5))
    const both = { cooperativeId, organizationId: 'org-1' }
    t.same(await ids({ ...both, limit: 3 }), purchaseIds(1, 2, 3), 'with any status')
    t.same(await ids({ ...both, isNewestFirst, after: third }), purchaseIds(2, 1))
    t.same(await ids({ ...both, status: 'submitted' }), purchaseIds(1, 3))
    t.same(await ids({ cooperativeId: 'nobody' }), [])
    const [since, until] = (await sharePurchases.list({})).slice(1, 3).map((one) => one.createdAt)
    t.same(await ids({ since, until }), purchaseIds(2), 'from the second to before the third')
    t.same(await ids({ since, status: 'approved', isNewestFirst }), purchaseIds(4, 2))
    const ofInvestors = async (...investorIds: string[]) =>
      (await sharePurchases.listByInvestors('org-1', investorIds)).map((one) => one.sharePurchaseId)
    t.same(await ofInvestors('investor-1'), purchaseIds(1, 2, 3, 4))
    t.same(await ofInvestors('investor-2', 'nobody'), [], 'of another organization')
    t.same(await ofInvestors(), [])
    t.match(await sharePurchases.countByStatus(), {
      submitted: 3,
      approved: 2,
      settled: 0,
      draft: 0,
    })
    t.match(await sharePurchases.countByStatus(1), { submitted: 1, approved: 1, settled: 0 })
    t.match(await sharePurchases.countByStatus(9, both), { submitted: 2, approved: 2 })
    t.match(await sharePurchases.countByStatus(9, { since, until }), { submitted: 0, approved: 1 })
    t.match(
      await sharePurchases.countByStatus(9, { among: 'settled' }),
      { submitted: 0, approved: 0, settled: 0 },
      'only settled orders',
    )
    const before = (id: string, filter = {}, limit = 9) =>
      sharePurchases.countBefore(id, { ...filter, limit })
    t.equal(await before(third), 2)
    t.equal(await before(third, { isNewestFirst }), 2)
    t.equal(await before(fourth, {}, 2), 2, 'no further')
    t.equal(await before(fourth, { status: 'approved' }), 1)
    t.equal(await before(third, { status: 'approved', isNewestFirst }), 1, 'of another status')
    t.equal(await before(fourth, { ...both, since }), 2)
  })
  for (const minute of [3, 1]) await move(minute, { status: 'settled' })
  await move(5, { organizationId: 'org-2', investorId: 'investor-2', status: 'settled' })
  await store.read(async ({ sharePurchases }) => {
    const ids = async (filter: Parameters<typeof sharePurchases.list>[0]) =>
      (await sharePurchases.list({ among: 'settled', ...filter })).map((one) => one.sharePurchaseId)
    const [first] = await sharePurchases.list({})
    const cooperativeId = first?.cooperativeId
    const organizationId = 'org-1'
    t.same(await ids({}), purchaseIds(1, 3, 5))
    t.same(await ids({ organizationId }), purchaseIds(1, 3))
    t.same(await ids({ cooperativeId, isNewestFirst: true, limit: 2 }), purchaseIds(5, 3))
    t.same(await ids({ cooperativeId, organizationId }), purchaseIds(1, 3))
    t.same(await ids({ cooperativeId, organizationId: 'org-2' }), purchaseIds(5))
    t.same(await ids({ cooperativeId: 'nobody' }), [])
    const [from] = purchaseIds(1)
    t.same(await ids({ cooperativeId, after: from }), purchaseIds(3, 5))
    t.match(await sharePurchases.countByStatus(9, { among: 'settled', organizationId }), {
      approved: 0,
      settled: 2,
    })
  })
}

async function testSums(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  const at = (text: string) => toTimestamp(new Date(text))
  const place = (minute: number, createdAt: string, fields: Partial<SharePurchase> = {}) =>
    put(store, (r) =>
      r.sharePurchases.put(
        sharePurchaseRecord(minute, { createdAt: at(createdAt), ...fields } as const),
      ),
    )
  // The clocks of the platform go forward in this night, and back in that of 25 October.
  await place(1, '2026-03-28T22:59:59.999Z')
  await place(2, '2026-03-28T23:00:00Z', { total: '90071992547409931.17' as Money })
  await place(3, '2026-03-29T21:59:59.999Z', { total: '0.02' as Money })
  await place(4, '2026-03-29T22:00:00Z')
  await place(5, '2026-10-25T22:59:59.999Z', { status: 'settled' })
  await place(5, '2026-10-25T22:59:59.999Z', {
    status: 'settled',
    updatedAt: at('2026-10-25T23:00:00Z'),
  })
  await place(4, '2026-03-29T22:00:00Z', { status: 'approved' })
  const test = async (store: Store) => {
    const sums = await look(store, ({ sharePurchases }) => sharePurchases.sumByStatus())
    const none = { count: 0, total: '0.00' }
    t.strictSame(sums, {
      draft: none,
      submitted: { count: 3, total: '90071992547410431.19' },
      approved: { count: 1, total: '500.00' },
      settled: { count: 1, total: '500.00' },
      rejected: none,
      cancelled: none,
    })
    const days = (when: 'placed' | 'settled', from: string, until: string) =>
      look(store, async ({ sharePurchases }) => [
        ...(await sharePurchases.sumByDay(when, { from, until })),
      ])
    t.strictSame((await days('placed', '2026-03-28', '2026-03-31')).sort(), [
      ['2026-03-28', { count: 1, total: '500.00' }],
      ['2026-03-29', { count: 2, total: '90071992547409931.19' }],
      ['2026-03-30', { count: 1, total: '500.00' }],
    ])
    t.strictSame(await days('placed', '2026-10-25', '2026-10-26'), [
      ['2026-10-25', { count: 1, total: '500.00' }],
    ])
    t.strictSame(await days('settled', '2026-01-01', '2026-12-31'), [
      ['2026-10-26', { count: 1, total: '500.00' }],
    ])
    t.strictSame(await days('settled', '2026-10-27', '2026-10-28'), [])
  }
  await test(store)
  const failing = put(store, async (r) => {
    await r.sharePurchases.put(sharePurchaseRecord(6))
    throw new Error('The work fails.')
  })
  await t.rejects(failing)
  await test(store)
  if (reopen) await test(await reopen())
}

async function testAttempted(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  const [failed] = retryRecord(1).attempts
  if (!failed) throw new Error('The record has an attempt.')
  const [since, until] = [noon, addSeconds(noon, 3600)]
  const attempts = (...ends: readonly (readonly [hour: number, failure: 'status' | null])[]) =>
    ends.map(([hour, failure]) => ({ ...failed, at: addSeconds(noon, hour * 3600), failure }))
  const deliver = (minute: number, fields: Partial<Delivery>) =>
    put(store, async (r) => {
      await r.events.put(eventRecord(minute))
      await r.deliveries.put(deliveryRecord(minute, fields))
    })
  await deliver(1, { attempts: attempts([0, 'status']) })
  await deliver(1, { attempts: attempts([0, 'status'], [1, null]) })
  await deliver(2, { attempts: attempts([0, 'status'], [1.99, 'status']) })
  await deliver(3, { attempts: attempts([2, 'status']) })
  await deliver(4, { attempts: attempts([1, 'status']) })
  await deliver(5, { attempts: [] })
  await deliver(6, {
    attempts: attempts([1, null]),
    target: { kind: 'webhook', webhookEndpointId: 'endpoint-2' },
  })
  await put(store, (r) => r.deliveries.remove('delivery-4'))
  const count = (store: Store, receiver: string, period = { since, until }) =>
    look(store, ({ deliveries }) => deliveries.countAttempted(receiver, period))
  const test = async (store: Store) => {
    t.strictSame(await count(store, 'endpoint-1'), { delivered: 1, failed: 1 })
    const later = { since: until, until: addSeconds(until, 3600) }
    t.strictSame(await count(store, 'endpoint-1', later), { delivered: 1, failed: 2 })
    t.strictSame(await count(store, 'endpoint-2', later), { delivered: 1, failed: 0 })
    t.strictSame(await count(store, 'endpoint-3'), { delivered: 0, failed: 0 })
  }
  await test(store)
  if (reopen) await test(await reopen())
}

async function testPending(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const move = (minute: number, fields = {}) =>
    put(store, (r) => r.sharePurchases.put(sharePurchaseRecord(minute, fields)))
  const first = ['purchase-1']
  await move(1)
  await move(2, { restsOn: first })
  await move(3, { restsOn: [...first, 'purchase-2'], status: 'approved' })
  await move(4, { restsOn: [], status: 'settled' })
  await move(5, { restsOn: first, status: 'rejected' })
  await move(6, { cooperativeId: 'coop-2', restsOn: first })
  await move(8, { restsOn: first, entryFee: '15.00' })
  await move(7, { organizationId: 'org-2', investorId: 'investor-2' })
  const position = { organizationId: 'org-1', investorId: 'investor-1', cooperativeId: 'coop-1' }
  const idsOf = (found: readonly { readonly sharePurchaseId: string }[]) =>
    found.map(({ sharePurchaseId }) => sharePurchaseId)
  await store.read(async ({ sharePurchases }) => {
    t.same(idsOf(await sharePurchases.listOldestPossibleDependencies(position)), purchaseIds(1, 8))
    t.same(idsOf(await sharePurchases.listPendingDependents(position)), purchaseIds(2, 3, 8))
    t.same(
      idsOf(await sharePurchases.listPendingDependents(position, { offset: 1, limit: 1 })),
      purchaseIds(3),
    )
    const stored = (minute: number) => sharePurchases.get('org-1', `purchase-${minute}`)
    t.strictSame(
      await stored(1),
      sharePurchaseRecord(1),
      'an order without dependencies is unchanged',
    )
    t.strictSame((await stored(4))?.restsOn, [])
    t.strictSame((await stored(3))?.restsOn, purchaseIds(1, 2))
  })
  await store.write(anything, async ({ sharePurchases }) => {
    await sharePurchases.put(sharePurchaseRecord(2, { restsOn: first, status: 'cancelled' }))
    await sharePurchases.put(sharePurchaseRecord(9, { restsOn: first }))
    const seen = await sharePurchases.listPendingDependents(position)
    t.same(idsOf(seen), purchaseIds(3, 8, 9), 'a write sees the records that it has put')
    t.same(
      idsOf(await sharePurchases.listPendingDependents(position, { offset: 2, limit: 1 })),
      purchaseIds(9),
    )
    t.same(idsOf(await sharePurchases.listOldestPossibleDependencies(position)), purchaseIds(1, 8))
    await sharePurchases.put(sharePurchaseRecord(10, { restsOn: [] }))
    t.same(
      idsOf(await sharePurchases.listOldestPossibleDependencies(position)),
      purchaseIds(1, 8, 10),
    )
  })
}

async function testFates(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  let heard = 0
  const unwatch = store.watchDeliveries(() => {
    heard += 1
  })
  const reject = { kind: 'reject', reason: 'No.' } as const
  const settle = { kind: 'settle' } as const
  const due = (minute: number) => ({ fate: settle, fateDueAt: minutesAfterNoon(minute) })
  const move = (minute: number, fields = {}) =>
    put(store, (r) => r.sharePurchases.put(sharePurchaseRecord(minute, fields)))
  await move(1)
  await move(2, { fate: reject, holdsUpFate: true })
  const before = heard
  await move(3, due(30))
  await move(4, due(20))
  await move(5, due(20))
  await move(6, { ...due(10), status: 'approved' })
  t.ok(heard >= before + 4, 'each change is noticed')
  unwatch()
  await move(6, due(40))
  const test = async (of: Store) => {
    const ids = (until: number | undefined, limit = 10) =>
      look(of, async (r) => {
        const at = until === undefined ? undefined : minutesAfterNoon(until)
        const found = await r.sharePurchases.listByFate({ until: at, limit })
        return found.map(({ sharePurchaseId }) => sharePurchaseId)
      })
    t.same(await ids(undefined), purchaseIds(4, 5, 3, 6))
    t.same(await ids(undefined, 1), purchaseIds(4))
    t.same(await ids(20), purchaseIds(4, 5), 'exactly at this moment')
    t.same(await ids(19), [])
    const get = (id: string) => look(of, (r) => r.sharePurchases.get('org-1', id))
    t.strictSame(await get('purchase-1'), sharePurchaseRecord(1))
    const waiting = sharePurchaseRecord(2, { fate: reject, holdsUpFate: true })
    t.strictSame(await get('purchase-2'), waiting)
    t.strictSame(await get('purchase-3'), sharePurchaseRecord(3, due(30)))
  }
  await test(store)
  if (reopen) await test(await reopen())
}

async function testInvestors(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const number of [3, 1, 2]) {
    const ids = { investorId: `investor-${number}`, partnerCustomerRef: `ref-${number}` }
    await put(store, (r) => r.investors.put(investorRecord(ids)))
  }
  const ids = async (page?: { readonly after?: string; readonly limit?: number }) =>
    (await look(store, (r) => r.investors.listByOrganization('org-1', page))).map(
      ({ investorId }) => investorId,
    )
  t.same(await ids(), ['investor-3', 'investor-1', 'investor-2'])
  t.same(await ids({ limit: 2 }), ['investor-3', 'investor-1'])
  t.same(await ids({ after: 'investor-3', limit: 1 }), ['investor-1'])
  t.same(await ids({ after: 'investor-2' }), [])
}

async function testHoldings(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const hold = (number: number, fields = {}) =>
    put(store, (r) =>
      r.holdings.put(
        holdingRecord(
          { id: `holding-${number}`, cooperativeId: `coop-${number}`, ...fields },
          number,
        ),
      ),
    )
  for (const number of [1, 2, 3]) await hold(number)
  await hold(1, { pendingShares: 0 })
  const listed = async (size: number) => {
    const page = await look(store, (r) =>
      r.holdings.pageByInvestor('org-1', 'investor-1', { page: 1, size }),
    )
    return [page.totalItems, ...page.items.map(({ id }) => id)]
  }
  t.same(await listed(10), [2, 'holding-2', 'holding-3'])
  await hold(1, { pendingShares: 0, shares: 4 })
  t.same(
    await listed(2),
    [3, 'holding-1', 'holding-2'],
    'oldest first, even after a record was removed and put again',
  )
}

async function testKeys(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const [minute, kid] of ['z', 'a', 'm'].entries()) {
    await put(store, (r) => r.signingKeys.put(signingKeyRecord(kid, minute)))
  }
  const kids = async () => (await look(store, (r) => r.signingKeys.list())).map(({ kid }) => kid)
  t.same(await kids(), ['z', 'a', 'm'])
  await put(store, (r) => r.signingKeys.remove('a'))
  await put(store, (r) => r.signingKeys.remove('never there'))
  t.same(await kids(), ['z', 'm'])
}

async function testImages(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const image = {
    ownerId: 'coop-1',
    kind: 'hero',
    contentType: 'image/svg+xml',
    base64: 'PHN2Zy8+',
    etag: '"1"',
  } as const
  await put(store, (r) => r.images.put(image))
  await put(store, (r) => r.images.put({ ...image, kind: 'logo' }))
  await put(store, (r) => r.images.put({ ...image, etag: '"2"' }))
  t.same(await look(store, (r) => r.images.get('coop-1', 'hero')), { ...image, etag: '"2"' })
  await put(store, (r) => r.images.remove('coop-1', 'hero'))
  t.equal(await look(store, (r) => r.images.get('coop-1', 'hero')), undefined)
  t.ok(await look(store, (r) => r.images.get('coop-1', 'logo')))
}

async function testPurge(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const [key, minute] of [
    ['late', 9],
    ['second', 2],
    ['first', 1],
    ['third', 3],
  ] as const) {
    await put(store, (r) => r.idempotencyRecords.put(idempotencyRecord(key, minute)))
  }
  await put(store, (r) => r.idempotencyRecords.put(idempotencyRecord('first', 8)))
  const purge = (minute: number, limit: number) =>
    store.write(anything, (r) =>
      r.idempotencyRecords.purgeExpired(addSeconds(noon, minute * 60), limit),
    )
  const has = (key: string) => look(store, (r) => r.idempotencyRecords.get('org-1', key))
  t.ok(await has('second'), 'an expired key exists until it is purged')
  await purge(3, 1)
  t.notOk(await has('second'), 'the oldest key is removed first')
  t.ok(await has('third'), 'no more keys than requested are removed')
  await purge(3, 10)
  t.notOk(await has('third'), 'a key that expires exactly at this moment is removed too')
  t.ok(await has('first'), 'a renewed key stays')
  t.ok(await has('late'))
}

async function testVersion(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const version = () => look(store, (r) => r.cooperatives.version())
  const versions = [await version()]
  await put(store, (r) => r.cooperatives.put(cooperativeRecord()))
  versions.push(await version())
  await put(store, (r) => r.cooperatives.put(cooperativeRecord({ published: false })))
  versions.push(await version())
  t.equal(new Set(versions).size, 3, 'the version changes with every change of the catalogue')
  await put(store, (r) => r.investors.put(investorRecord()))
  t.equal(await version(), versions.at(-1), 'the version changes with nothing else')
  t.match(await look(store, (r) => r.cooperatives.findByKey('solar-allgaeu')), { published: false })
}

function put(store: Store, work: (records: Records) => Promise<unknown>): Promise<unknown> {
  return store.write(anything, work)
}

function look<Result>(store: Store, work: (records: ReadableRecords) => Promise<Result>) {
  return store.read(work)
}

function purchaseIds(...minutes: readonly number[]): string[] {
  return minutes.map((minute) => `purchase-${minute}`)
}
