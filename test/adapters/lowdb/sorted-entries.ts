import fc from 'fast-check'
import t from 'tap'
import { type Entry, SortedEntries } from '../../../src/adapters/lowdb/sorted-entries.ts'

const steps = fc.array(fc.record({ isAdded: fc.boolean(), at: fc.nat({ max: 4000 }) }), {
  minLength: 50,
  maxLength: 3000,
  size: 'max',
})

function recordsOf(entries: Iterable<Entry<number>>): number[] {
  return [...entries].map(({ record }) => record)
}

t.test('entries stay in order through any additions and removals', async (t) => {
  fc.assert(
    fc.property(steps, fc.nat({ max: 3000 }), fc.nat({ max: 700 }), (actions, start, count) => {
      const sorted = new SortedEntries<number>()
      const entries = new Map<number, Entry<number>>()
      for (const { isAdded, at } of actions) {
        const entry = entries.get(at)
        if (entry && !isAdded) sorted.remove(entry)
        if (entry && !isAdded) entries.delete(at)
        if (entry || !isAdded) continue
        const added = { record: at, sequence: at }
        entries.set(at, added)
        sorted.add(added)
      }
      const expected = [...entries.keys()].sort((left, right) => left - right)
      const actual = [
        recordsOf(sorted.between()),
        recordsOf(sorted.between(start, start + count)),
        recordsOf(sorted.backwards(start, start + count)),
        sorted.positionOf(({ record }) => record >= start),
        sorted.first?.record ?? null,
        sorted.size,
      ]
      return (
        JSON.stringify(actual) ===
        JSON.stringify([
          expected,
          expected.slice(start, start + count),
          expected.slice(start, start + count).reverse(),
          expected.filter((record) => record < start).length,
          expected[0] ?? null,
          expected.length,
        ])
      )
    }),
    { numRuns: 60 },
  )
  t.pass('the order is that of a sorted array')
})

t.test('entries given together have the same order as entries added one by one', async (t) => {
  const rankOf = (record: number) => String(record % 700).padStart(3, '0')
  const numbers = fc.array(fc.nat({ max: 4000 }), { maxLength: 2000, size: 'max' })
  fc.assert(
    fc.property(numbers, numbers, fc.boolean(), (given, later, isRanked) => {
      const entryOf = (record: number, sequence: number) => ({ record, sequence })
      const entries = [...given, ...later].map(entryOf)
      const first = entries.slice(0, given.length)
      const together = new SortedEntries(isRanked ? rankOf : undefined, first)
      const singly = new SortedEntries(isRanked ? rankOf : undefined)
      for (const entry of entries) singly.add(entry)
      for (const entry of entries.slice(given.length)) together.add(entry)
      const half = entries.filter(({ record }) => record % 2 === 0)
      const isSame = () =>
        together.size === singly.size &&
        JSON.stringify([...together.between()]) === JSON.stringify([...singly.between()])
      const wasSame = isSame()
      for (const entry of half) for (const list of [together, singly]) list.remove(entry)
      return wasSame && isSame() && first.every((entry, at) => entry.sequence === at)
    }),
    { numRuns: 40 },
  )
  t.pass('the order is the same, also after further changes')
})

t.test('removing an entry that does not exist changes nothing', async (t) => {
  const sorted = new SortedEntries<number>()
  sorted.remove({ record: 1, sequence: 1 })
  sorted.add({ record: 2, sequence: 2 })
  sorted.remove({ record: 2, sequence: 2 })
  t.same(recordsOf(sorted.between()), [2], 'another entry with the same rank stays')
})

t.test('adding to a group of 100,000 entries compares only a few', async (t) => {
  let comparisons = 0
  const sorted = new SortedEntries<number>((record) => {
    comparisons += 1
    return String(record).padStart(9, '0')
  })
  for (let number = 0; number < 100_000; number += 1) {
    sorted.add({ record: (number * 7919) % 100_003, sequence: number })
  }
  comparisons = 0
  sorted.add({ record: 50_000.5, sequence: 100_000 })
  t.ok(comparisons < 30, `${comparisons} comparisons`)
})
