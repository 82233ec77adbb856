import t from 'tap'
import { openMemoryStore } from '../../../src/adapters/lowdb/open-store.ts'
import { MemoryLookup, Tables } from '../../../src/adapters/lowdb/tables.ts'
import type { Collection, ListIndex, UniqueIndex } from '../../../src/adapters/store/collection.ts'
import type { Range } from '../../../src/adapters/store/lookup.ts'
import { Transaction } from '../../../src/adapters/store/transaction.ts'
import type { CollectionName } from '../../../src/ports/collections.ts'
import { UniquenessError } from '../../../src/ports/store.ts'

interface Book {
  readonly library: string
  readonly id: string
  readonly title: string
  readonly shelf: string
  readonly year: string
}

interface Shelf {
  readonly name: string
  readonly books: number
}

const looks = { count: 0 }

const byTitle: UniqueIndex<Book> = {
  name: 'title',
  columns: ['library', 'title'],
  valuesOf: ({ library, title }) => [library, title],
  constraint: 'books_title',
}

const byId: UniqueIndex<Book> = {
  name: 'id',
  columns: ['id'],
  valuesOf: ({ id }) => [id],
  constraint: 'books_id',
  isDrawn: true,
}

const onShelf: ListIndex<Book> = {
  columns: ['shelf'],
  valuesOf: ({ shelf }) => {
    looks.count += 1
    return [shelf]
  },
  rank: { column: 'year', of: ({ year }) => year },
  proof: { collection: () => shelves as unknown as Collection<object>, keyOf: (values) => values },
}

const inLibrary: ListIndex<Book> = { columns: ['library'], valuesOf: ({ library }) => [library] }

const books: Collection<Book> = {
  name: 'books' as CollectionName,
  key: {
    columns: ['library', 'id'],
    valuesOf: ({ library, id }) => [library, id],
    text: ([, id = '']) => id,
  },
  ownerOf: ({ library }) => library,
  unique: [byTitle, byId],
  lists: [onShelf, inLibrary],
  row: { table: 'books', columns: {} },
}

const allShelves: ListIndex<Shelf> = { columns: [], valuesOf: () => [] }

const shelves: Collection<Shelf> = {
  name: 'shelves' as CollectionName,
  isCached: true,
  key: { columns: ['name'], valuesOf: ({ name }) => [name], text: ([name = '']) => name },
  lists: [allShelves],
  row: { table: 'shelves', columns: {} },
}

const both = [books, shelves] as unknown as readonly Collection<object>[]

function book(id: string, fields: Partial<Book> = {}): Book {
  return { library: 'city', id, title: `Title ${id}`, shelf: 'left', year: '2000', ...fields }
}

/** Begins a transaction on stored records, with a function that returns the ids in its lists. */
function begin(...stored: readonly Book[]) {
  const tables = new Tables(both)
  const collection = books as unknown as Collection<object>
  const key = books.key.valuesOf
  tables.of(books).apply(
    stored.map((record) => ({ collection, key: key(record), record })),
    0,
  )
  const transaction = new Transaction(new MemoryLookup(tables))
  const ids = async (range: Partial<Range<Book>> = {}) => {
    const found = await transaction.list(books, onShelf, { values: ['left'], ...range })
    return found.map(({ record }) => record.id).join('')
  }
  return { tables, transaction, ids }
}

t.test('a transaction reads the records that it has put', async (t) => {
  const { transaction, tables } = begin(book('a'))
  const find = (title: string) => transaction.find(books, byTitle, ['city', title])
  await transaction.put(books, book('b'))
  await transaction.put(books, book('a', { title: 'Other' }))
  t.same((await transaction.get(books, ['city', 'b']))?.record, book('b'))
  t.same((await find('Other'))?.record.id, 'a')
  t.equal(await find('Title a'), undefined, 'its previous value is free')
  const found = await transaction.get(books, ['city', 'b'])
  if (found) transaction.remove(books, found)
  t.equal(await transaction.get(books, ['city', 'b']), undefined)
  t.equal(await find('Title b'), undefined)
  t.equal(tables.of(books).size, 1, 'nothing is changed before the commit')
})

t.test('lists show records that were put, moved and removed', async (t) => {
  const stored = ['a', 'c', 'e'].map((id, at) => book(id, { year: `200${2 * at}` }))
  const { transaction, ids } = begin(...stored)
  await transaction.put(books, book('b', { year: '2001' }))
  await transaction.put(books, book('d', { year: '2003' }))
  await transaction.put(books, book('f', { year: '2005' }))
  t.equal(await ids(), 'abcdef')
  t.equal(await ids({ isReversed: true }), 'fedcba')
  t.equal(await ids({ limit: 2, offset: 1 }), 'bc')
  t.equal(await ids({ limit: 2, offset: 1, isReversed: true }), 'ed')
  t.equal(await ids({ from: '2001', until: '2004' }), 'bcd')
  t.equal(await ids({ after: await transaction.get(books, ['city', 'b']), limit: 2 }), 'cd')
  t.equal(await ids({ after: await transaction.get(books, ['city', 'c']), limit: 2 }), 'de')
  const matching = [{ field: 'id', comparison: '>=', value: 'd' }] as const
  t.equal(await ids({ matching, limit: 2 }), 'de')
  t.equal(await transaction.count(books, onShelf, { values: ['left'] }), 6)
  await transaction.put(books, book('c', { shelf: 'right' }))
  await transaction.put(books, book('a', { year: '2009' }))
  const found = await transaction.get(books, ['city', 'b'])
  if (found) transaction.remove(books, found)
  t.equal(await ids(), 'defa')
  t.equal(await ids({ values: ['right'] }), 'c')
})

t.test('a large transaction reads no more records than a list needs', async (t) => {
  const { transaction } = begin()
  const count = 1000
  looks.count = 0
  for (let number = 0; number < count; number += 1) {
    const shelf = `${number}`
    await transaction.put(books, book(shelf, { shelf }))
    const listed = await transaction.list(books, onShelf, { values: [shelf] })
    if (listed.length !== 1) t.fail(`${listed.length} records are listed instead of one`)
  }
  t.ok(looks.count <= 4 * count, `${looks.count} looks for ${count} records`)
})

t.test('a transaction proves rows, absences and cached collections', async (t) => {
  const { transaction, ids } = begin(book('a'))
  await transaction.get(books, ['city', 'a'])
  await transaction.get(books, ['city', 'none'])
  await ids()
  const { rows, collections } = transaction.proof
  t.same(
    rows.map(({ key, version }) => [key.join('/'), version]),
    [
      ['city/a', 0],
      ['city/none', null],
    ],
  )
  t.same(
    [...collections].map(([{ name }, version]) => [name, version]),
    [['shelves', 0]],
  )
})

t.test('a list that cannot be proven is refused [D55]', async (t) => {
  const { transaction } = begin(book('a'))
  await t.rejects(transaction.list(books, inLibrary, { values: ['city'] }), /cannot prove/)
  t.same(await transaction.list(shelves, allShelves, { values: [] }), [], 'a cached list is proven')
  await t.rejects(transaction.list(books, inLibrary, { values: ['city'] }), /cannot prove/)
})

t.test('values are unique within a transaction and across transactions', async (t) => {
  const store = openMemoryStore(both)
  const put = (...all: readonly Book[]) =>
    store.transact(async (transaction) => {
      for (const one of all) {
        await transaction.get(books, [one.library, one.id])
        await transaction.put(books, one)
      }
    })
  const same = { title: 'Same' }
  await t.rejects(put(book('a', same), book('b', same)), new UniquenessError('title'))
  await put(book('a', same), book('b'))
  await t.rejects(put(book('c', same)), new UniquenessError('title'))
  await put(book('a', { title: 'Other' }), book('b', same))
  t.pass('within a transaction, a value can move from one record to another')
  await t.rejects(put(book('a', { library: 'county' })), new UniquenessError('id'))
  await t.rejects(put(book('d'), book('d', { library: 'county' })), new UniquenessError('id'))
  const titles = await store.look((lookup) => lookup.list(books, inLibrary, { values: ['city'] }))
  t.same(
    titles.map(({ record }) => record.title),
    ['Other', 'Same'],
  )
})

t.test(
  'a work that runs again reads the current records, without the changes of its first run',
  async (t) => {
    const { tables, transaction: first } = begin(book('a'))
    const collection = books as unknown as Collection<object>
    const work = async (transaction: Transaction) => {
      const before = await transaction.get(books, ['city', 'b'])
      const found = await transaction.get(books, ['city', 'a'])
      await transaction.put(books, book('b', { title: `After ${found?.record.title}` }))
      return before
    }
    t.equal(await work(first), undefined)
    const key = ['city', 'a']
    tables.of(books).apply([{ collection, key, record: book('a', { title: 'Other' }) }], 1)
    t.same(
      (await first.get(books, key))?.record,
      book('a'),
      'the first run continues to see the same record',
    )
    const again = new Transaction(new MemoryLookup(tables))
    t.equal(await work(again), undefined)
    t.same(
      again.changes.map(({ record }) => record),
      [book('b', { title: 'After Other' })],
    )
  },
)

t.test(
  'a work that throws stores nothing, and a work that runs again starts from the beginning',
  async (t) => {
    const store = openMemoryStore(both)
    let runs = 0
    const work = (transaction: Transaction) => {
      runs += 1
      return transaction.put(books, book('a', { title: `Run ${runs}` }))
    }
    const failing = store.transact(async (transaction) => {
      await work(transaction)
      throw new Error('Not this time.')
    })
    await t.rejects(failing, new Error('Not this time.'))
    const read = () => store.look((lookup) => lookup.get(books, ['city', 'a']))
    t.equal(await read(), undefined)
    await store.transact(work)
    t.equal((await read())?.record.title, 'Run 2')
  },
)
