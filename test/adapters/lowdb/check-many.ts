import t from 'tap'
import { countTurns } from '../../../fixtures/count-turns.ts'
import { sharePurchaseRecord } from '../../../fixtures/records.ts'
import { createCollections } from '../../../src/adapters/lowdb/collections.ts'
import { findContradictions } from '../../../src/adapters/lowdb/find-contradictions.ts'
import { StringPool } from '../../../src/adapters/lowdb/string-pool.ts'

const many = 5000
const turnsOfEach = many / 500
// Each order is compared with its investor, its cooperative and whose both are, and counts for a holding.
const comparisons = 4

t.test('others have their turn while a store of many orders is checked', async (t) => {
  const collections = createCollections()
  const pool = new StringPool()
  for (let number = 0; number < many; number += 1) {
    collections.sharePurchases.load(sharePurchaseRecord(number), pool)
  }
  const indexing = countTurns()
  await collections.sharePurchases.buildIndexes()
  t.ok(indexing.stop() >= turnsOfEach, 'while it is read')
  const comparing = countTurns()
  let contradictions = 0
  for await (const _ of findContradictions(collections)) contradictions += 1
  t.ok(comparing.stop() >= comparisons * turnsOfEach, 'while it is compared')
  t.ok(contradictions >= many, 'none of them has an investor')
})
