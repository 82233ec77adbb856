import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListPage, ReadableRecords, Store } from '../ports/store.ts'

/** A store in memory answers so many within few milliseconds. */
export const batchSize = 100

interface List<Record> {
  /** Those of a page, in an order that stays. */
  readonly list: (records: ReadableRecords, page: ListPage) => Promise<readonly Record[]>
  readonly idOf: (record: Record) => string
  readonly limit?: number | undefined
  readonly size?: number
}

/**
 * A long list, read a batch at a time, so that neither the service nor the one who asks ever holds all of it. Each batch
 * is of one moment, and others have their turn in between: a store in memory would answer all of them in one.
 */
export async function* inBatches<Record>(
  store: Pick<Store, 'read'>,
  { list, idOf, limit = Number.POSITIVE_INFINITY, size = batchSize }: List<Record>,
): AsyncGenerator<readonly Record[]> {
  let after: string | undefined
  for (let left = limit; left > 0; left -= size) {
    const page = { after, limit: Math.min(size, left) }
    const found = await store.read((records) => list(records, page))
    if (found.length > 0) yield found
    const last = found.at(-1)
    if (found.length < size || last === undefined) return
    after = idOf(last)
    await nextTurn()
  }
}
