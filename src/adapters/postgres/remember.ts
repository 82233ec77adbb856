import type { RecordBatch } from '../../ports/store-copy.ts'
import type { DatabaseOptions } from './connect.ts'
import { withSession } from './session.ts'
import { readTables, tableNames, writeBatch } from './tables.ts'

/** Reads everything into memory. The returned function makes it all as it was, in one transaction. */
export async function rememberDatabase(options: DatabaseOptions): Promise<() => Promise<void>> {
  const batches: RecordBatch[] = []
  await withSession(options, async (session) => {
    await session.ask('begin isolation level repeatable read')
    await readTables(session, (batch) => void batches.push(batch))
  })
  return () =>
    withSession(options, async (session) => {
      // Of a few rows, which `truncate` takes far longer for: it makes new files.
      const emptied = tableNames.toReversed().map((name) => `delete from ${name}`)
      await session.ask(['begin', ...emptied].join('; '))
      for (const batch of batches) await writeBatch(session, batch)
      await session.ask('commit')
    })
}
