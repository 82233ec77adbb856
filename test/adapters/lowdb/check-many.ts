import t from 'tap'
import { countTurns } from '../../../fixtures/count-turns.ts'
import { sharePurchaseRecord } from '../../../fixtures/records.ts'
import { findContradictions } from '../../../src/adapters/lowdb/check-store.ts'
import { StringPool } from '../../../src/adapters/lowdb/table.ts'
import { Tables } from '../../../src/adapters/lowdb/tables.ts'
import { sharePurchases } from '../../../src/adapters/store/share-purchases.ts'

const many = 5000
const turnsOfEach = many / 500
// Each order is compared with what it refers to and with whose its investor is, and counts for a holding.
const comparisons = 3

t.test('others have their turn while a store of many orders is checked', async (t) => {
  const tables = new Tables()
  const orders = tables.of(sharePurchases)
  const pool = new StringPool()
  for (let number = 0; number < many; number += 1) {
    orders.load(sharePurchaseRecord(number), pool)
  }
  const indexing = countTurns()
  await orders.buildIndexes()
  t.ok(indexing.stop() >= turnsOfEach, 'while it is read')
  const comparing = countTurns()
  let contradictions = 0
  for await (const _ of findContradictions(tables)) contradictions += 1
  t.ok(comparing.stop() >= comparisons * turnsOfEach, 'while it is compared')
  t.ok(contradictions >= many, 'none of them has an investor')
})
