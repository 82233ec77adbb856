import type { CursorPage } from '../domain/page.ts'
import { nextTurn } from '../machine/time.ts'
import type { ReadableRecords, Store } from '../ports/store.ts'

/** A store in memory answers a batch of this size within a few milliseconds. */
export const batchSize = 100

interface List<Record> {
  /** Returns one page. The order must not change between pages. */
  readonly list: (records: ReadableRecords, page: CursorPage) => Promise<readonly Record[]>
  readonly idOf: (record: Record) => string
  /** The list begins after the record with this id. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  readonly size?: number
}

/**
 * Reads a long list in batches, so that neither the service nor the caller holds all of it. Each
 * batch is from one moment, and other work can run between two batches.
 */
export async function* readInBatches<Record>(
  store: Pick<Store, 'read'>,
  { list, idOf, after: begin, limit = Number.POSITIVE_INFINITY, size = batchSize }: List<Record>,
): AsyncGenerator<readonly Record[]> {
  let after = begin
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

/** Prepares the next batch while the caller stores the present one. */
export async function* oneAhead<Batch>(batches: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  const prepare = () => {
    const prepared = batches.next()
    // A failure is thrown when the caller asks for the batch.
    prepared.catch(() => undefined)
    return prepared
  }
  let next = prepare()
  try {
    for (let batch = await next; !batch.done; batch = await next) {
      next = prepare()
      yield batch.value
    }
  } finally {
    await batches.return(undefined)
  }
}
