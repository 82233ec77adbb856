import t, { type Test } from 'tap'
import {
  clientRecord,
  cooperativeRecord,
  holdingRecord,
  investorRecord,
  noon,
  organizationRecord,
  sharePurchaseRecord,
  signingKeyRecord,
} from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores/engines.ts'
import type { Encrypted } from '../../src/domain/text.ts'
import type { Settings } from '../../src/ports/collections.ts'
import {
  type ReadableRecords,
  type Records,
  type Store,
  UniquenessError,
} from '../../src/ports/store.ts'

for (const engine of storeEngines) {
  t.test(`a store ${engine.name}`, async (t) => {
    await t.test('a write stores all its records or none', (t) => testAtomicity(t, engine))
    await t.test('reads by key inside a write see the records that it has put', (t) =>
      testOwnPuts(t, engine),
    )
    await t.test('each write is isolated from other writes [D55]', (t) => testIsolation(t, engine))
    await t.test('200 concurrent increments are all counted [D55]', (t) =>
      testIncrements(t, engine),
    )
    await t.test('a second record with the same unique value is refused', (t) =>
      testUniqueness(t, engine),
    )
    await t.test('an investor has one holding in a cooperative', (t) => testPositions(t, engine))
    await t.test('when two writes want the same unique value, one of them gets it', (t) =>
      testRace(t, engine),
    )
    await t.test('records of another partner cannot be found', (t) => testTenants(t, engine))
    await t.test('a record of another partner is never replaced', (t) => testOwners(t, engine))
    await t.test('after a restart no record has changed', (t) => testRestart(t, engine))
    await t.test('a closed store accepts no writes', (t) => testClosed(t, engine))
  })
}

async function testAtomicity(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.organizations.put(organizationRecord()))
  const failure = new Error('the work fails')
  const half = store.write(anything, async (records) => {
    await records.organizations.put(organizationRecord({ name: 'Renamed' }))
    await records.clients.put(clientRecord())
    throw failure
  })
  t.equal(await half.catch((error) => error), failure, 'the error comes back unchanged')
  t.equal(await look(store, (r) => r.clients.get('client-1')), undefined)
  t.same(await look(store, (r) => r.organizations.get('org-1')), organizationRecord())
  t.ok(
    await look(store, (r) => r.organizations.findByName('demo bank')),
    'the name still belongs to it',
  )
}

async function testOwnPuts(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.signingKeys.put(signingKeyRecord('old')))
  await store.write(anything, async (records) => {
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
  await Promise.all(Array.from({ length: 20 }, (_, turn) => store.write(anything, writeBoth(turn))))
  t.ok(names.length >= 20)
  t.same(
    names.filter(([a, b]) => a !== b),
    [],
    'no write saw a part of another write',
  )
}

async function testIncrements(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (records) => records.holdings.put(holdingRecord({ shares: 0 })))
  const increment = async (records: Records) => {
    const holding = await records.holdings.find('org-1', 'investor-1', 'coop-1')
    await records.holdings.put(holdingRecord({ shares: (holding?.shares ?? 0) + 1 }))
  }
  await Promise.all(Array.from({ length: 200 }, () => store.write(anything, increment)))
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
  ]
  for (const [index, first, second] of rows) {
    const { store } = await engine.open(t)
    await put(store, first)
    await t.rejects(
      store.write(anything, second),
      new UniquenessError(index),
      `${index}: taken before`,
    )
    await t.rejects(
      (await engine.open(t)).store.write(anything, async (records) => {
        await first(records)
        await second(records)
      }),
      new UniquenessError(index),
      `${index}: taken in the same write`,
    )
    await put(store, first)
  }
}

async function testPositions(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, (r) => r.holdings.put(holdingRecord()))
  await t.rejects(
    put(store, (r) => r.holdings.put(holdingRecord({ id: 'holding-2' }))),
    new UniquenessError('cooperativeId'),
    'a second holding for the same position is refused',
  )
  const elsewhere = holdingRecord({ cooperativeId: 'coop-2' })
  await t.rejects(
    put(store, (r) => r.holdings.put(elsewhere)),
    new UniquenessError('id'),
    'another position has another id',
  )
}

async function testRace(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const claim = (id: string) =>
    store.write(anything, (r) => r.organizations.put(organizationRecord({ organizationId: id })))
  const outcomes = await Promise.allSettled(['org-1', 'org-2', 'org-3'].map(claim))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal((await look(store, (r) => r.organizations.list())).length, 1)
  const winner = await look(store, (r) => r.organizations.findByName('demo bank'))
  await put(store, (r) => r.organizations.put({ ...organizationRecord(winner), name: 'Other' }))
  await put(store, (r) => r.organizations.put(organizationRecord({ organizationId: 'org-9' })))
  t.pass('a value that is no longer used is free')
}

async function testTenants(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const theirs = { organizationId: 'org-2', investorId: 'investor-2' }
  await store.write(anything, async (records) => {
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
    t.equal(
      (await ref('org-2'))?.investorId,
      'investor-2',
      'a reference is unique within its organization',
    )
    t.equal((await records.investors.listByOrganization('org-1')).length, 1)
  })
}

async function testOwners(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const rows: [title: string, work: (r: Records, organizationId: string) => Promise<void>][] = [
    ['investor', (r, organizationId) => r.investors.put(investorRecord({ organizationId }))],
    [
      'order',
      (r, organizationId) => r.sharePurchases.put(sharePurchaseRecord(1, { organizationId })),
    ],
    ['holding', (r, organizationId) => r.holdings.put(holdingRecord({ organizationId }))],
  ]
  for (const [title, work] of rows) {
    await store.write(anything, (records) => work(records, 'org-1'))
    const theirs = store.write(anything, (records) => work(records, 'org-2'))
    await t.rejects(
      theirs,
      { name: 'UniquenessError' },
      `${title}: the same id in another organization`,
    )
  }
}

async function testRestart(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  if (!reopen) return t.pass('this storage engine stores nothing durably')
  const settings: Settings = {
    environment: 'staging',
    createdAt: noon,
    encryptedSearchKey: 'v1.encrypted' as Encrypted,
    keyChange: 'first',
  }
  await store.write(anything, async (records) => {
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
  t.equal(
    (await look(await reopen(), (r) => r.signingKeys.list())).length,
    1,
    'the store continues to work',
  )
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
  return store.write(anything, work)
}

function look<Result>(store: Store, work: (records: ReadableRecords) => Promise<Result>) {
  return store.read(work)
}
