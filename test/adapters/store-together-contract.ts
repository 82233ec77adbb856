import t, { type Test } from 'tap'
import {
  holdingRecord,
  idempotencyRecord,
  investorRecord,
  sharePurchaseRecord,
} from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores/engines.ts'
import type { Timestamp } from '../../src/domain/timestamp.ts'
import {
  type ReadableRecords,
  type Records,
  type Store,
  UniquenessError,
} from '../../src/ports/store.ts'
import { subjects } from '../../src/ports/subjects.ts'

for (const engine of storeEngines) {
  t.test(`writes together in a store ${engine.name}`, async (t) => {
    await t.test(
      'when one of several writes fails, it stores nothing and the other writes are stored',
      (t) => testFailure(t, engine),
    )
    await t.test(
      'when one of several writes is refused, it stores nothing and the other writes are stored',
      (t) => testRefusal(t, engine),
    )
    await t.test(
      'each of several writes is isolated from the other writes, whatever its subject',
      (t) => testIncrements(t, engine),
    )
    await t.test('no write decides by values that another write is changing [D55]', (t) =>
      testSkew(t, engine),
    )
    await t.test('when two of several writes want the same value, one of them gets it', (t) =>
      testRace(t, engine),
    )
    await t.test('reads by key see the records that the same write has put', (t) =>
      testOwnPuts(t, engine),
    )
    await t.test('a record that is put twice has the second value', (t) => testTwice(t, engine))
    await t.test('a put replaces an existing record even if nobody has read it', (t) =>
      testReplacement(t, engine),
    )
    await t.test('texts are read as they were written', (t) => testTexts(t, engine))
    await t.test('bytes are read as they were written', (t) => testBytes(t, engine))
    await t.test('a closed store accepts none of several writes', (t) => testClosed(t, engine))
  })
}

const investors = [1, 2, 3, 4, 5, 6].map((number) => `investor-${number}`)

/** Opens a store with investors who have no orders. */
async function open(t: Test, engine: StoreEngine): Promise<Store> {
  const { store } = await engine.open(t)
  await store.write(anything, async (records) => {
    for (const investorId of investors) {
      await records.investors.put(investorRecord({ investorId, partnerCustomerRef: investorId }))
      await records.holdings.put(holdingRecord({ investorId, id: `of-${investorId}`, shares: 0 }))
    }
  })
  return store
}

async function buy(records: Records, investorId: string): Promise<void> {
  await records.investors.get('org-1', investorId)
  const holding = await records.holdings.find('org-1', investorId, 'coop-1')
  if (!holding) throw new Error('The holding is gone.')
  await records.sharePurchases.put(sharePurchaseOf(investorId))
  await records.holdings.put({ ...holding, shares: holding.shares + 1 })
}

function sharePurchaseOf(investorId: string) {
  return sharePurchaseRecord(1, { investorId, sharePurchaseId: `purchase-of-${investorId}` })
}

function buyTogether(store: Store, more: (records: Records, investorId: string) => unknown) {
  return Promise.allSettled(
    investors.map((investorId) =>
      store.write(subjects.investor(investorId), async (records) => {
        await buy(records, investorId)
        await more(records, investorId)
        return investorId
      }),
    ),
  )
}

function sharesOf(store: Store): Promise<number[]> {
  return store.read(({ holdings }) =>
    Promise.all(
      investors.map(async (id) => (await holdings.find('org-1', id, 'coop-1'))?.shares ?? 0),
    ),
  )
}

async function testFailure(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const failure = new Error('the work fails')
  const outcomes = await buyTogether(store, (_, investorId) => {
    if (investorId === 'investor-3') throw failure
  })
  t.same(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
    investors.map((id) => (id === 'investor-3' ? failure : id)),
    'each write has its own result, and the error comes back unchanged',
  )
  t.same(await sharesOf(store), [1, 1, 0, 1, 1, 1])
  const order = await store.read(({ sharePurchases }) =>
    sharePurchases.find('purchase-of-investor-3'),
  )
  t.equal(order, undefined)
}

async function testRefusal(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  await store.write(anything, ({ holdings }) =>
    holdings.put(holdingRecord({ organizationId: 'org-2', id: 'theirs', investorId: 'theirs' })),
  )
  const outcomes = await buyTogether(store, async (records, investorId) => {
    if (investorId !== 'investor-3') return
    const taken = { investorId, cooperativeId: 'coop-2', id: 'theirs' }
    await records.holdings.put(holdingRecord(taken))
  })
  t.same(
    outcomes.map(({ status }) => status === 'fulfilled'),
    [true, true, false, true, true, true],
  )
  t.same(await sharesOf(store), [1, 1, 0, 1, 1, 1])
}

async function testIncrements(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const increment = async (records: Records) => {
    const holding = await records.holdings.find('org-1', 'investor-1', 'coop-1')
    if (holding) await records.holdings.put({ ...holding, shares: holding.shares + 1 })
  }
  const numbers = Array.from({ length: 90 }, (_, number) => number)
  await Promise.all(
    numbers.map((number) => store.write(subjects.investor(`${number % 30}`), increment)),
  )
  t.equal((await sharesOf(store))[0], 90)
}

async function testReplacement(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const [first = '', ...others] = investors
  await store.write(anything, ({ sharePurchases }) => sharePurchases.put(sharePurchaseOf(first)))
  await Promise.all([
    store.write(subjects.investor(first), ({ sharePurchases }) =>
      sharePurchases.put({ ...sharePurchaseOf(first), reason: 'replaced' }),
    ),
    ...others.map((investorId) =>
      store.write(subjects.investor(investorId), ({ sharePurchases }) =>
        sharePurchases.put(sharePurchaseOf(investorId)),
      ),
    ),
  ])
  const found = await store.read(({ sharePurchases }) =>
    Promise.all(
      investors.map(async (id) => (await sharePurchases.get('org-1', `purchase-of-${id}`))?.reason),
    ),
  )
  t.same(found, ['replaced', ...others.map(() => null)])
}

/** Each of the two writes changes a record that the other write only reads. */
async function testSkew(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const ids = ['coop-1', 'coop-2']
  await store.write(anything, ({ holdings }) =>
    holdings.put(holdingRecord({ cooperativeId: 'coop-2', id: 'second', shares: 0 })),
  )
  const find = ({ holdings }: Pick<ReadableRecords, 'holdings'>) =>
    Promise.all(ids.map((id) => holdings.find('org-1', 'investor-1', id)))
  await Promise.all(
    ids.map((subject, index) =>
      store.write(subjects.investor(subject), async (records) => {
        const found = await find(records)
        const { [index]: own } = found
        if (!own || found.some((holding) => holding?.shares !== 0)) return
        await records.holdings.put({ ...own, shares: 1 })
      }),
    ),
  )
  const shares = (await store.read(find)).map((holding) => holding?.shares)
  t.same(shares.sort(), [0, 1], 'one write came first')
}

async function testRace(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  await store.write(anything, ({ idempotencyRecords }) =>
    idempotencyRecords.put(idempotencyRecord('other')),
  )
  const outcomes = await buyTogether(store, async ({ idempotencyRecords }, investorId) => {
    if (await idempotencyRecords.get('org-1', 'once')) throw new UniquenessError('key')
    const sharePurchaseId = `purchase-of-${investorId}`
    await idempotencyRecords.put({ ...idempotencyRecord('once'), sharePurchaseId })
  })
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const shares = await sharesOf(store)
  t.equal(
    shares.reduce((left, right) => left + right),
    1,
    'the other writes stored nothing',
  )
}

async function testOwnPuts(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const seen = await store.write(subjects.investor('investor-1'), async (records) => {
    await buy(records, 'investor-1')
    const [order, holding] = [
      await records.sharePurchases.get('org-1', 'purchase-of-investor-1'),
      await records.holdings.find('org-1', 'investor-1', 'coop-1'),
    ]
    return [order?.sharePurchaseId, holding?.shares]
  })
  t.same(seen, ['purchase-of-investor-1', 1])
}

async function testTwice(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  await buyTogether(store, ({ holdings }, investorId) =>
    holdings.put(holdingRecord({ investorId, id: `of-${investorId}`, shares: 7 })),
  )
  t.same(await sharesOf(store), [7, 7, 7, 7, 7, 7])
}

async function testTexts(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const ancient = { createdAt: '0000-02-29T00:00:00.500Z' as Timestamp }
  const reasons = ['"', '\\', "it's {a,b}", 'ÄÖ€\n\t\u{1f600}', 'null', '']
  await Promise.all(
    investors.map((investorId, index) =>
      store.write(subjects.investor(reasons[index] ?? ''), async ({ sharePurchases }) => {
        const { [index]: reason = null } = reasons
        // A query with such a text finds nothing and does no harm.
        t.equal(await sharePurchases.get('org-1', `${reason}`), undefined)
        await sharePurchases.put({ ...sharePurchaseOf(investorId), ...ancient, reason })
      }),
    ),
  )
  const stored = await store.read(({ sharePurchases }) =>
    Promise.all(investors.map((id) => sharePurchases.get('org-1', `purchase-of-${id}`))),
  )
  t.same(
    stored,
    investors.map((id, index) => ({ ...sharePurchaseOf(id), ...ancient, reason: reasons[index] })),
  )
}

async function testBytes(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  const image = { ownerId: 'coop-1', kind: 'logo', contentType: 'image/png' } as const
  const stored = { ...image, base64: 'AP8Q', etag: '"1"' }
  await store.write(subjects.investor('coop-1'), ({ images }) => images.put(stored))
  t.same(await store.read(({ images }) => images.get('coop-1', 'logo')), stored)
}

async function testClosed(t: Test, engine: StoreEngine) {
  const store = await open(t, engine)
  await store.close()
  await t.rejects(
    store.write(subjects.investor('investor-1'), (records) => buy(records, 'investor-1')),
    { code: 'SERVICE_UNAVAILABLE' },
  )
}
