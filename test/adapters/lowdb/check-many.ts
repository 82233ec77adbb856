import t from 'tap'
import { countTurns } from '../../../fixtures/async.ts'
import { sharePurchaseRecord } from '../../../fixtures/builders/records.ts'
import { findFaults } from '../../../src/adapters/lowdb/check-store.ts'
import { Tables } from '../../../src/adapters/lowdb/tables.ts'
import { sharePurchases } from '../../../src/adapters/store/share-purchases.ts'

const many = 5000
const turnsOfEach = many / 500
// A check takes two steps for each order: it compares the order with other records, and counts it
// for a holding.
const comparisons = 2

t.test('other requests are served while a store of many orders is checked', async (t) => {
  const tables = new Tables()
  const orders = tables.of(sharePurchases)
  for (let number = 0; number < many; number += 1) orders.load(sharePurchaseRecord(number))
  const indexing = countTurns()
  await orders.buildIndexes()
  t.ok(indexing.stop() >= turnsOfEach, 'while it is read')
  const comparing = countTurns()
  let faults = 0
  for await (const _ of findFaults(tables)) faults += 1
  t.ok(comparing.stop() >= comparisons * turnsOfEach, 'while it is compared')
  t.ok(faults >= many, 'none of them has an investor')
})
