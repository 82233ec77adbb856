import t from 'tap'
import { Collection, type GroupIndex } from '../../../src/adapters/lowdb/collection.ts'
import { Staged } from '../../../src/adapters/lowdb/staged.ts'

interface Book {
  readonly id: string
  readonly shelf: string
}

/** A group index that counts how many records are looked at. */
function countingIndex() {
  const looks = { count: 0 }
  const byShelf: GroupIndex<Book> = {
    valueOf: ({ shelf }) => {
      looks.count += 1
      return shelf
    },
  }
  return { byShelf, looks }
}

t.test('a group of a large transaction is listed without a look at the rest', async (t) => {
  const { byShelf, looks } = countingIndex()
  const staged = new Staged(new Collection<Book>('books', { keyOf: ({ id }) => id }))
  const books = 1000
  for (let number = 0; number < books; number += 1) {
    const book = { id: `${number}`, shelf: `${number}` }
    staged.put(book)
    const listed = staged.list(byShelf, book.shelf, [])
    if (listed.length !== 1) t.fail(`${listed.length} records are listed instead of one`)
  }
  t.ok(looks.count <= 4 * books, `${looks.count} looks for ${books} records`)
})

t.test('a list shows what the transaction has put, moved and removed', async (t) => {
  const { byShelf } = countingIndex()
  const collection = new Collection<Book>('books', { keyOf: ({ id }) => id, groups: [byShelf] })
  const stored = ['a', 'b', 'c'].map((id) => ({ id, shelf: 'left' }))
  for (const book of stored) collection.put(book)
  const staged = new Staged(collection)
  const ids = (shelf: string) => {
    const before = [...(collection.group(byShelf, shelf) ?? [])]
    return staged.list(byShelf, shelf, before).map(({ id }) => id)
  }
  staged.put({ id: 'd', shelf: 'left' })
  t.strictSame(ids('left'), ['a', 'b', 'c', 'd'])
  staged.remove('a')
  staged.put({ id: 'd', shelf: 'right' })
  staged.put({ id: 'b', shelf: 'right' })
  t.strictSame(ids('left'), ['c'])
  t.strictSame(ids('right'), ['d', 'b'])
  staged.put({ id: 'd', shelf: 'left' })
  staged.remove('b')
  t.strictSame(ids('left'), ['c', 'd'])
  t.strictSame(ids('right'), [])
})
