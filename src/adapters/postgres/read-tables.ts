import { collectionNames, type RecordBatch, unorderedCollections } from '../../ports/store-copy.ts'
import { tables } from './tables/tables.ts'
import type { Life } from './writer.ts'

const batchSize = 500

/** All records of all tables, through a cursor of the transaction that the connection is in. */
export async function readTables(
  life: Life,
  onBatch: (batch: RecordBatch) => void | Promise<void>,
): Promise<void> {
  for (const collection of collectionNames) {
    const table = tables[collection]
    const order = unorderedCollections.has(collection) ? '' : 'order by t.sequence'
    const text = `select ${table.selected} from ${table.name} t ${order}`
    for await (const rows of fetchAll(life, { cursor: `all_${table.name}`, text })) {
      await onBatch({ collection, records: table.all(rows) })
    }
  }
}

/** The driver's own cursors go past `Life`, and end the process when the connection is lost at the wrong moment. */
async function* fetchAll<Row>(
  life: Life,
  { cursor, text }: { readonly cursor: string; readonly text: string },
): AsyncGenerator<readonly Row[]> {
  await life.command(`declare ${cursor} no scroll cursor for ${text}`)
  for (;;) {
    const rows = await life.query<Row>(`fetch ${batchSize} from ${cursor}`)
    if (rows.length === 0) break
    yield rows
  }
  await life.command(`close ${cursor}`)
}
