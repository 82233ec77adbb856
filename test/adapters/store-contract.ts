import t, { type Test } from 'tap'
import {
  clientRecord,
  cooperativeRecord,
  holdingRecord,
  idempotencyRecord,
  investorRecord,
  noon,
  organizationRecord,
  sharePurchaseRecord,
  signingKeyRecord,
} from '../../fixtures/records.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores.ts'
import { addSeconds } from '../../src/domain/timestamp.ts'
import {
  type ReadableRecords,
  type Records,
  type Store,
  UniquenessError,
} from '../../src/ports/store.ts'

for (const engine of storeEngines) {
  t.test(`a store ${engine.name}`, async (t) => {
    await t.test('a write is all-or-nothing', (t) => testAtomicity(t, engine))
    await t.test('inside a write, reads by key see what it has put', (t) => testOwnPuts(t, engine))
    await t.test('each write runs as if alone', (t) => testIsolation(t, engine))
    await t.test('200 concurrent increments lose nothing', (t) => testIncrements(t, engine))
    await t.test('a taken value is refused', (t) => testUniqueness(t, engine))
    await t.test('of two writes that want one value, one gets it', (t) => testRace(t, engine))
    await t.test("another partner's things are not there", (t) => testTenants(t, engine))
    await t.test('share purchases are paged, newest first', (t) => testPages(t, engine))
    await t.test('share purchases are listed for operators, oldest first', (t) =>
      testList(t, engine),
    )
    await t.test('a position of nothing is not listed', (t) => testHoldings(t, engine))
    await t.test('signing keys are listed oldest first, and can go', (t) => testKeys(t, engine))
    await t.test('an image is replaced, and can go', (t) => testImages(t, engine))
    await t.test('expired keys are purged, oldest first', (t) => testPurge(t, engine))
    await t.test('the version of the catalogue changes with it', (t) => testVersion(t, engine))
    await t.test('after a restart everything is as it was', (t) => testRestart(t, engine))
    await t.test('a closed store takes no writes', (t) => testClosed(t, engine))
  })
}

async function testAtomicity(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.organizations.put(organizationRecord()))
  const failure = new Error('the work fails')
  const half = store.write(async (records) => {
    await records.organizations.put(organizationRecord({ name: 'Renamed' }))
    await records.clients.put(clientRecord())
    throw failure
  })
  t.equal(await half.catch((error) => error), failure, 'the error comes back as it was')
  t.equal(await look(store, (r) => r.clients.get('client-1')), undefined)
  t.same(await look(store, (r) => r.organizations.get('org-1')), organizationRecord())
  t.ok(await look(store, (r) => r.organizations.findByName('demo bank')), 'its name is still its')
}

async function testOwnPuts(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.signingKeys.put(signingKeyRecord('old')))
  await store.write(async (records) => {
    await records.organizations.put(organizationRecord())
    await records.organizations.put(organizationRecord({ name: 'Renamed' }))
    await records.holdings.put(holdingRecord())
    await records.signingKeys.remove('old')
    t.equal((await records.organizations.get('org-1'))?.name, 'Renamed')
    t.equal((await records.organizations.findByName('renamed'))?.organizationId, 'org-1')
    t.equal(await records.organizations.findByName('demo bank'), undefined)
    t.ok(await records.holdings.find('org-1', 'investor-1', 'coop-1'))
    t.same(await records.signingKeys.list(), [])
    t.equal((await records.organizations.list()).length, 1)
  })
}

async function testIsolation(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const names: [string | undefined, string | undefined][] = []
  const writeBoth = (turn: number) => async (records: Records) => {
    names.push([
      (await records.clients.get('a'))?.name ?? '',
      (await records.clients.get('b'))?.name ?? '',
    ])
    await records.clients.put(clientRecord({ clientId: 'a', name: `${turn}` }))
    await new Promise(setImmediate)
    await records.clients.put(clientRecord({ clientId: 'b', name: `${turn}` }))
  }
  await Promise.all(Array.from({ length: 20 }, (_, turn) => store.write(writeBoth(turn))))
  t.ok(names.length >= 20)
  t.same(
    names.filter(([a, b]) => a !== b),
    [],
    'none saw the half of another',
  )
}

async function testIncrements(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.holdings.put(holdingRecord({ shares: 0 })))
  const increment = async (records: Records) => {
    const holding = await records.holdings.find('org-1', 'investor-1', 'coop-1')
    await records.holdings.put(holdingRecord({ shares: (holding?.shares ?? 0) + 1 }))
  }
  await Promise.all(Array.from({ length: 200 }, () => store.write(increment)))
  const holding = await look(store, (r) => r.holdings.find('org-1', 'investor-1', 'coop-1'))
  t.equal(holding?.shares, 200)
}

async function testUniqueness(t: Test, engine: StoreEngine) {
  const rows: [
    index: string,
    (records: Records) => Promise<void>,
    (records: Records) => Promise<void>,
  ][] = [
    [
      'name',
      (r) => r.organizations.put(organizationRecord()),
      (r) =>
        r.organizations.put(organizationRecord({ organizationId: 'org-2', name: 'DEMO bank' })),
    ],
    [
      'key',
      (r) => r.cooperatives.put(cooperativeRecord()),
      (r) => r.cooperatives.put(cooperativeRecord({ id: 'coop-2' })),
    ],
    [
      'partnerCustomerRef',
      (r) => r.investors.put(investorRecord()),
      (r) => r.investors.put(investorRecord({ investorId: 'investor-2' })),
    ],
    [
      'cooperativeId',
      (r) => r.holdings.put(holdingRecord()),
      (r) => r.holdings.put(holdingRecord({ id: 'holding-2' })),
    ],
  ]
  for (const [index, first, second] of rows) {
    const { store } = await engine.open(t)
    await put(store, first)
    await t.rejects(store.write(second), new UniquenessError(index), `${index}: taken before`)
    await t.rejects(
      (await engine.open(t)).store.write(async (records) => {
        await first(records)
        await second(records)
      }),
      new UniquenessError(index),
      `${index}: taken in the same write`,
    )
    await put(store, first)
  }
}

async function testRace(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const claim = (id: string) =>
    store.write((r) => r.organizations.put(organizationRecord({ organizationId: id })))
  const outcomes = await Promise.allSettled(['org-1', 'org-2', 'org-3'].map(claim))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal((await look(store, (r) => r.organizations.list())).length, 1)
  const winner = await look(store, (r) => r.organizations.findByName('demo bank'))
  await put(store, (r) => r.organizations.put({ ...organizationRecord(winner), name: 'Other' }))
  await put(store, (r) => r.organizations.put(organizationRecord({ organizationId: 'org-9' })))
  t.pass('a value that was given up is free')
}

async function testTenants(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const theirs = { organizationId: 'org-2', investorId: 'investor-2' }
  await store.write(async (records) => {
    await records.investors.put(investorRecord())
    await records.investors.put(investorRecord(theirs))
    await records.sharePurchases.put(sharePurchaseRecord(1, theirs))
    await records.holdings.put(holdingRecord(theirs))
  })
  const first = { page: 1, size: 10 }
  const none = { items: [], totalItems: 0 }
  await store.read(async (records) => {
    t.equal(await records.investors.get('org-1', 'investor-2'), undefined)
    t.equal(await records.sharePurchases.get('org-1', 'purchase-1'), undefined)
    t.ok(await records.sharePurchases.find('purchase-1'), 'operators see it')
    t.same(await records.sharePurchases.pageByInvestor('org-1', 'investor-2', first), none)
    t.same(await records.holdings.pageByInvestor('org-1', 'investor-2', first), none)
    t.equal(await records.holdings.find('org-1', 'investor-2', 'coop-1'), undefined)
    const ref = (id: string) => records.investors.findByPartnerCustomerRef(id, 'c-1')
    t.equal((await ref('org-1'))?.investorId, 'investor-1')
    t.equal((await ref('org-2'))?.investorId, 'investor-2', 'a reference counts per organisation')
    t.equal((await records.investors.listByOrganization('org-1')).length, 1)
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
  t.same(await ids(3), purchaseIds(5, 4, 3, 2, 1), 'a change does not move one')
  t.same(await ids(4), [], 'a page past the end is empty')
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
    t.same(await ids({ status: 'approved' }), purchaseIds(2, 4), 'in the order of their making')
    t.same(await ids({ status: 'submitted', limit: 2 }), purchaseIds(1, 3))
    t.same(await ids({ organizationId: 'org-2' }), purchaseIds(5))
    t.same(await ids({ organizationId: 'org-1', status: 'submitted' }), purchaseIds(1, 3))
    t.same(await ids({ status: 'settled' }), [])
    t.match(await sharePurchases.countByStatus(), {
      submitted: 3,
      approved: 2,
      settled: 0,
      draft: 0,
    })
  })
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
  t.same(await listed(2), [3, 'holding-1', 'holding-2'], 'oldest first, also when it comes back')
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
    store.write((r) => r.idempotencyRecords.purgeExpired(addSeconds(noon, minute * 60), limit))
  const has = (key: string) => look(store, (r) => r.idempotencyRecords.get('client-1', key))
  t.ok(await has('second'), 'an expired one is there until it is purged')
  t.equal(await purge(3, 1), 1)
  t.notOk(await has('second'), 'the oldest goes first')
  t.equal(await purge(3, 10), 1, 'one that expires at that very moment goes too')
  t.equal(await purge(3, 10), 0)
  t.ok(await has('first'), 'one that was renewed lives on')
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
  t.equal(new Set(versions).size, 3, 'it changes with every change')
  await put(store, (r) => r.investors.put(investorRecord()))
  t.equal(await version(), versions.at(-1), 'and with nothing else')
  t.match(await look(store, (r) => r.cooperatives.findByKey('solar-allgaeu')), { published: false })
}

async function testRestart(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  if (!reopen) return t.pass('this engine keeps nothing')
  const settings = { environment: 'staging', createdAt: noon } as const
  await store.write(async (records) => {
    await records.settings.put(settings)
    await records.organizations.put(organizationRecord({ name: 'Bürgerbank "Süd"\n€' }))
    await records.cooperatives.put(cooperativeRecord())
    await records.investors.put(investorRecord())
    for (const minute of [3, 1, 2]) await records.sharePurchases.put(sharePurchaseRecord(minute))
    await records.signingKeys.put(signingKeyRecord('gone'))
  })
  await put(store, (r) => r.signingKeys.remove('gone'))
  const everything = async (records: ReadableRecords) => [
    await records.settings.get(),
    await records.organizations.findByName('bürgerbank "süd"\n€'),
    await records.cooperatives.findByKey('solar-allgaeu'),
    await records.investors.findByPartnerCustomerRef('org-1', 'c-1'),
    await records.sharePurchases.list({ status: 'submitted' }),
    await records.signingKeys.list(),
  ]
  const before = await store.read(everything)
  const reopened = await reopen()
  t.same(await reopened.read(everything), before)
  t.match(before[0], settings)
  await put(reopened, (r) => r.signingKeys.put(signingKeyRecord('new')))
  t.equal((await look(await reopen(), (r) => r.signingKeys.list())).length, 1, 'and it goes on')
}

async function testClosed(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  t.same(await store.health(), { ready: true })
  await store.close()
  await store.close()
  t.match(await store.health(), { ready: false, reason: String })
  await t.rejects(
    put(store, (r) => r.clients.put(clientRecord())),
    { code: 'SERVICE_UNAVAILABLE' },
  )
}

function put(store: Store, work: (records: Records) => Promise<unknown>): Promise<unknown> {
  return store.write(work)
}

function look<Result>(store: Store, work: (records: ReadableRecords) => Promise<Result>) {
  return store.read(work)
}

function purchaseIds(...minutes: readonly number[]): string[] {
  return minutes.map((minute) => `purchase-${minute}`)
}
