import { collectionNames, type RecordBatch, unorderedCollections } from '../../ports/store-copy.ts'
import { tables } from './tables/tables.ts'
import type { Life } from './writer.ts'

const batchSize = 500

/** All records of all tables, through a cursor of the transaction that the connection is in. */
export async function readTables(
  { reserved }: Life,
  onBatch: (batch: RecordBatch) => void | Promise<void>,
): Promise<void> {
  for (const collection of collectionNames) {
    const table = tables[collection]
    const order = unorderedCollections.has(collection) ? '' : 'order by t.sequence'
    const text = `select ${table.selected} from ${table.name} t ${order}`
    for await (const rows of reserved.unsafe(text).cursor(batchSize)) {
      await onBatch({ collection, records: table.all(rows) })
    }
  }
}
