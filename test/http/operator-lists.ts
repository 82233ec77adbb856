import type { H3 } from 'h3'
import t from 'tap'
import { sharePurchaseRecord } from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { checkedOperatorApp } from '../../fixtures/contract/check-operator-answer.ts'
import { countingStore } from '../../fixtures/stores/counting-store.ts'
import { referringStore } from '../../fixtures/stores/referring-store.ts'
import { openOperatorApp } from '../../fixtures/world/console.ts'
import { createWorld } from '../../fixtures/world/world.ts'

const many = 600
const token = 'the-token-of-the-operator-endpoint'

async function openMany() {
  const { service: empty } = await createWorld()
  const { store, read } = countingStore(referringStore(empty.store))
  await store.write(anything, async ({ sharePurchases }) => {
    for (let minute = 1; minute <= many; minute += 1) {
      await sharePurchases.put(sharePurchaseRecord(minute))
    }
  })
  const service = { ...empty, store }
  const operator = openOperatorApp(service, { token })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const listFrom = (app: Pick<H3, 'request'>) => {
    return (input: unknown) =>
      app.request('/operations/purchase.list', {
        method: 'POST',
        headers,
        body: JSON.stringify(input),
      })
  }
  // Lists of these orders use the unchecked function, because the document does not allow their
  // invented ids.
  return { list: listFrom(checkedOperatorApp(operator)), listUnread: listFrom(operator), read }
}

t.test('a long list is read only as fast as the caller takes it', async (t) => {
  const { listUnread, read } = await openMany()
  const reader = (await listUnread({})).body?.getReader()
  await reader?.read()
  t.ok(read.all <= 300, `${read.all} orders were read`)
  await reader?.cancel()
  const { all } = read
  await new Promise(setImmediate)
  t.equal(read.all, all)
})

t.test('a long list is one JSON array, read at most a hundred at a time', async (t) => {
  const { listUnread, read } = await openMany()
  const rows = (await (await listUnread({})).json()) as unknown[]
  t.equal(rows.length, many)
  t.same(read, { most: 100, all: many })
})

t.test('a refusal comes before the list begins', async (t) => {
  const { list } = await openMany()
  t.equal((await list({ organization: 'nobody' })).status, 404)
  t.equal((await list({ limit: 0 })).status, 422)
})
