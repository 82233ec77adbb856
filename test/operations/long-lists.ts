import t from 'tap'
import { collect, countTurns } from '../../fixtures/async.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { sharePurchaseRecord } from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { countingStore } from '../../fixtures/stores/counting-store.ts'
import { referringStore } from '../../fixtures/stores/referring-store.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
} from '../../fixtures/world/fixture-files.ts'
import { listInBatches, runOperation } from '../../src/operations/operations.ts'
import type { Service } from '../../src/usecases/service.ts'
import { joinExportedParts, type RenderedPart } from '../../src/wire/exported-fixtures.ts'

const [investors, ordersOfEach] = [45, 3]
const many = investors * ordersOfEach

function setUpOf(count: number) {
  const [organization] = buildFixtureFile().organizations
  const share_purchases = Array.from({ length: ordersOfEach }, () => ({
    cooperative: 'sun',
    share_count: 1,
  }))
  const all = Array.from({ length: count }, (_, number) => ({
    ...completeProvision({ partner_customer_ref: `customer-${number}` }),
    share_purchases,
  }))
  return { ...buildFixtureFile(), organizations: [{ ...organization, investors: all }] }
}

async function openMany(count = investors) {
  const service = await createEmptyService()
  await applyFixtureFile(service, setUpOf(count))
  const { store, read } = countingStore(service.store)
  return { service: { ...service, store }, read }
}

function list(service: Service, name: string, input: unknown = {}) {
  const batches = listInBatches(service, name, input)
  if (!batches) throw new Error(`${name} is no list.`)
  return batches
}

t.test(
  'a list of orders is read a hundred at a time, and other requests are served meanwhile',
  async (t) => {
    const { service, read } = await openMany()
    const counting = countTurns()
    const rows = await collect(list(service, 'purchase.list'))
    t.ok(counting.stop() >= many / 100 - 1)
    t.equal(rows.length, many)
    t.same(read, { most: 100, all: many })
  },
)

t.test('an export reads few investors at a time, with their orders', async (t) => {
  const { service, read } = await openMany()
  const counting = countTurns()
  const parts = await collect(list(service, 'fixtures.export'))
  t.ok(counting.stop() >= investors / 5 - 1)
  t.equal(read.most, 5 * ordersOfEach)
  t.equal(read.all, investors + many)
  const { organizations } = joinExportedParts(parts as RenderedPart[])
  t.equal(organizations[0]?.investors.length, investors)
})

t.test('a list reads no more rows than its limit requires', async (t) => {
  const { service, read } = await openMany()
  for (const [name, most] of [
    ['purchase.list', 100],
    ['fixtures.export', 5 + 5 * ordersOfEach],
  ] as const) {
    read.all = 0
    for await (const rows of list(service, name)) {
      if (rows.length > 0 && read.all > 0) break
    }
    t.equal(read.all, most, name)
  }
})

t.test('a limit applies to all batches together', async (t) => {
  const { service } = await openMany()
  const all = (await runOperation(service, 'purchase.list', {})) as unknown[]
  for (const limit of [1, 99, 100, 101, many, many + 1]) {
    const rows = await runOperation(service, 'purchase.list', { limit })
    t.strictSame(rows, all.slice(0, limit), `${limit}`)
  }
})

t.test('an order that changes during a list is listed once and in its place', async (t) => {
  const empty = await createEmptyService()
  const service = { ...empty, store: referringStore(empty.store) }
  const put = (minute: number, status: 'submitted' | 'approved') =>
    service.store.write(anything, ({ sharePurchases }) =>
      sharePurchases.put(sharePurchaseRecord(minute, { status })),
    )
  for (let minute = 1; minute <= 150; minute += 1) await put(minute, 'submitted')
  const ids: string[] = []
  for await (const rows of list(service, 'purchase.list', { status: 'submitted' })) {
    for (const row of rows) ids.push((row as { share_purchase_id: string }).share_purchase_id)
    // The last order of the batch leaves the list while the list is read.
    if (ids.length === 100) await put(100, 'approved')
  }
  t.equal(ids.length, 150)
  t.equal(new Set(ids).size, 150)
})

t.test('an export that was made during writes can be applied [D49]', async (t) => {
  const { service } = await openMany(25)
  const parts: RenderedPart[] = []
  for await (const batch of list(service, 'fixtures.export')) {
    parts.push(...(batch as RenderedPart[]))
    if (parts.length !== 2) continue
    const late = { key: 'late', name: 'Spät eG', energy_category: 'wind', share_price: '10.00' }
    const [organization] = setUpOf(0).organizations
    const share_purchases = [{ cooperative: 'late', share_count: 1, status: 'settled' }]
    const added = { ...completeProvision({ partner_customer_ref: 'late' }), share_purchases }
    await applyFixtureFile(service, {
      organizations: [{ ...organization, investors: [added] }],
      cooperatives: [late],
    })
  }
  const other = await createEmptyService()
  const answer = await applyFixtureFile(other, joinExportedParts(parts))
  t.match(answer.created, { cooperatives: 2, investors: 26, share_purchases: 76 })
})
