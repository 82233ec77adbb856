import t from 'tap'
import { findOversize, readBody } from '../../src/tools/contract/client.ts'

/** Makes an object that counts the reads of its fields. */
function countedEntry() {
  const counted = { looks: 0 }
  const entry = new Proxy(
    { name: 'a' },
    {
      ownKeys: (target) => {
        counted.looks += 1
        return Reflect.ownKeys(target)
      },
    },
  )
  return { counted, entry }
}

t.test('an answer with more than 200 entries in one place is not examined', (t) => {
  const { counted, entry } = countedEntry()
  const entries = Array.from({ length: 201 }, () => entry)
  const fields = Object.fromEntries(entries.map((each, number) => [`field_${number}`, each]))
  for (const value of [entries, fields, { keys: entries }, [fields]]) {
    t.match(findOversize(value), /more than 200 fields or entries/)
  }
  t.equal(counted.looks, 0)
  t.equal(findOversize(entries.slice(1)), undefined)
  t.equal(counted.looks, 200, 'each of 200 entries is examined once')
  t.end()
})

t.test('the check of an answer ends at the first part that is too large', (t) => {
  const { counted, entry } = countedEntry()
  const wide = Array.from({ length: 30_000 }, () => 1)
  t.ok(findOversize([wide, entry, entry]))
  t.equal(counted.looks, 0)
  t.end()
})

t.test('an answer that is too large is not kept in memory', async (t) => {
  const text = JSON.stringify({ versions: Array.from({ length: 201 }, () => ({})) })
  async function* stream() {
    yield Buffer.from(text)
  }
  t.strictSame(await readBody(stream()), {
    text: '',
    body: '',
    unread: 'the body has more than 200 fields or entries in one place',
  })
})
