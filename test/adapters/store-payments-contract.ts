import t, { type Test } from 'tap'
import {
  debitCollectionRecord,
  directDebitRecord,
  paymentRecord,
  statementEntryRecord,
  statementRecord,
} from '../../fixtures/builders/payment-records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores/engines.ts'
import type { Records, Store } from '../../src/ports/store.ts'

for (const engine of storeEngines) {
  t.test(`payments in a store ${engine.name}`, async (t) => {
    await t.test('payments are listed by state, cooperative and collection', (t) =>
      testPayments(t, engine),
    )
    await t.test('collections are listed newest first by every filter', (t) =>
      testCollections(t, engine),
    )
    await t.test('direct debits are found by collection, order and mandate', (t) =>
      testDebits(t, engine),
    )
    await t.test('statements that are not finished are found', (t) => testStatements(t, engine))
    await t.test('of entries with one identity, one counts', (t) => testEntries(t, engine))
    await t.test('after a restart no record has changed', (t) => testRestart(t, engine))
  })
}

function put(store: Store, work: (records: Records) => Promise<unknown>) {
  return store.write(anything, async (records) => {
    await work(records)
  })
}

async function testPayments(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, async ({ payments }) => {
    await payments.put(paymentRecord(1))
    await payments.put(paymentRecord(2, { cooperativeId: 'cooperative-b' }))
    await payments.put(paymentRecord(3, { state: 'collecting', collectionId: 'collection-0' }))
    await payments.put(paymentRecord(4))
  })
  const list = async (filter: Parameters<Records['payments']['list']>[0]) =>
    (await store.read(({ payments }) => payments.list(filter))).map((one) => one.sharePurchaseId)
  t.strictSame(await list({}), ['order-1', 'order-2', 'order-3', 'order-4'])
  t.strictSame(await list({ state: 'due' }), ['order-1', 'order-2', 'order-4'])
  const cooperativeId = 'cooperative-a'
  t.strictSame(await list({ cooperativeId, state: 'due' }), ['order-1', 'order-4'])
  t.strictSame(await list({ cooperativeId, after: 'order-1', limit: 1 }), ['order-3'])
  const collected = { collectionId: 'collection-0', state: 'collecting' } as const
  const listCollected = () => store.read(({ payments }) => payments.listByCollection(collected))
  t.strictSame(
    (await listCollected()).map((one) => one.sharePurchaseId),
    ['order-3'],
  )
  await put(store, ({ payments }) =>
    payments.put(paymentRecord(3, { state: 'paid', collectionId: 'collection-0' })),
  )
  t.strictSame(await listCollected(), [], 'a payment leaves the list of its former state')
  t.strictSame(await list({ state: 'paid' }), ['order-3'])
}

async function testCollections(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, async ({ debitCollections }) => {
    await debitCollections.put(debitCollectionRecord({}, 1))
    await debitCollections.put(debitCollectionRecord({ cooperativeId: 'cooperative-b' }, 2))
    await debitCollections.put(debitCollectionRecord({ state: 'booked' }, 3))
  })
  const list = async (filter: Parameters<Records['debitCollections']['list']>[0]) =>
    (await store.read(({ debitCollections }) => debitCollections.list(filter))).map(
      (one) => one.collectionId,
    )
  t.strictSame(await list({}), ['collection-3', 'collection-2', 'collection-1'])
  t.strictSame(await list({ state: 'created' }), ['collection-2', 'collection-1'])
  t.strictSame(await list({ cooperativeId: 'cooperative-a' }), ['collection-3', 'collection-1'])
  t.strictSame(await list({ after: 'collection-3', limit: 1 }), ['collection-2'])
  const { createdAt: since } = debitCollectionRecord({}, 2)
  t.strictSame(await list({ since }), ['collection-3', 'collection-2'])
  t.strictSame(await list({ until: since }), ['collection-1'])
}

async function testDebits(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, async ({ debitCollections, directDebits }) => {
    await debitCollections.put(debitCollectionRecord({}, 0))
    await debitCollections.put(debitCollectionRecord({}, 9))
    await directDebits.put(directDebitRecord(1, { mandateReference: 'Ref-A' }))
    await directDebits.put(directDebitRecord(2))
    await directDebits.put(
      directDebitRecord(3, {
        sharePurchaseId: 'order-1',
        collectionId: 'collection-9',
        mandateReference: 'REF-a',
      }),
    )
    await directDebits.put(
      directDebitRecord(4, { cooperativeId: 'cooperative-b', mandateReference: 'ref-a' }),
    )
  })
  await store.read(async ({ directDebits }) => {
    const idsOf = (found: readonly { readonly endToEndId: string }[]) =>
      found.map(({ endToEndId }) => endToEndId)
    const collectionId = 'collection-0'
    t.strictSame(idsOf(await directDebits.listByCollection({ collectionId })), [
      'debit-1',
      'debit-2',
      'debit-4',
    ])
    const page = { collectionId, after: 'debit-1', limit: 1 }
    t.strictSame(idsOf(await directDebits.listByCollection(page)), ['debit-2'])
    t.strictSame(idsOf(await directDebits.listByMandate('cooperative-a', 'rEF-A', 10)), [
      'debit-3',
      'debit-1',
    ])
    t.strictSame(await directDebits.get('debit-2'), directDebitRecord(2))
  })
}

async function testStatements(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  await put(store, async ({ statements }) => {
    await statements.put(statementRecord({}, 1))
    await statements.put(statementRecord({ isComplete: false }, 2))
    await statements.put(statementRecord({ isComplete: false }, 3))
  })
  const unfinished = async () =>
    (await store.read(({ statements }) => statements.listUnfinished(10))).map(
      (one) => one.statementId,
    )
  t.strictSame(await unfinished(), ['statement-2', 'statement-3'])
  await put(store, ({ statements }) => statements.put(statementRecord({}, 2)))
  t.strictSame(await unfinished(), ['statement-3'])
  const all = await store.read(({ statements }) => statements.list({ limit: 2 }))
  t.strictSame(
    all.map((one) => one.statementId),
    ['statement-3', 'statement-2'],
  )
}

async function testEntries(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const [identity, fact] = ['as the bank says it', 'return:one'] as const
  await put(store, async ({ statements, statementEntries }) => {
    await statements.put(statementRecord({ isComplete: false }))
    await statementEntries.put(statementEntryRecord(1, { identity, fact, outcome: 'returned' }))
    await statementEntries.put(statementEntryRecord(2, { identity, fact, outcome: 'repeated' }))
    await statementEntries.put(statementEntryRecord(3, { identity, fact }))
    await statementEntries.put(statementEntryRecord(4, { outcome: 'unmatched' }))
  })
  await store.read(async ({ statementEntries }) => {
    const idsOf = (found: readonly { readonly entryId: string }[]) =>
      found.map(({ entryId }) => entryId)
    const statementId = 'statement-0'
    t.equal((await statementEntries.findByIdentity(identity))?.entryId, 'entry-1')
    t.equal((await statementEntries.findByFact(fact))?.entryId, 'entry-1')
    t.equal(await statementEntries.findByFact('return:two'), undefined)
    t.strictSame(idsOf(await statementEntries.listByStatement({ statementId })), [
      'entry-1',
      'entry-2',
      'entry-3',
      'entry-4',
    ])
    t.strictSame(idsOf(await statementEntries.listUnapplied(statementId, 10)), ['entry-3'])
    t.strictSame(idsOf(await statementEntries.listUnmatched({})), ['entry-4'])
  })
}

async function testRestart(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  if (!reopen) return
  const attempt = { collectionId: 'collection-0', endToEndId: 'debit-1', dueDate: '2026-12-14' }
  const payment = paymentRecord(1, {
    state: 'returned',
    collectionId: 'collection-0',
    attempts: [{ ...attempt, state: 'returned', returnCode: 'AM04' }],
    returnedOn: '2026-12-16',
    returnCode: 'AM04',
  })
  const entry = statementEntryRecord(1, { outcome: 'returned', sharePurchaseId: 'order-1' })
  await put(store, async (records) => {
    await records.payments.put(payment)
    await records.debitCollections.put(debitCollectionRecord())
    await records.directDebits.put(directDebitRecord(1, { isAnnounced: true }))
    await records.statements.put(statementRecord())
    await records.statementEntries.put(entry)
  })
  const reopened = await reopen()
  await reopened.read(async (records) => {
    t.strictSame(await records.payments.get('order-1'), payment)
    t.strictSame(await records.debitCollections.get('collection-0'), debitCollectionRecord())
    const debit = directDebitRecord(1, { isAnnounced: true })
    t.strictSame(await records.directDebits.get('debit-1'), debit)
    t.strictSame(await records.statements.get('statement-0'), statementRecord())
    t.strictSame(await records.statementEntries.get('entry-1'), entry)
  })
}
