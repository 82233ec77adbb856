import { openDiskFile } from '../../machine/files.ts'
import type { OfflineChange } from '../../ports/store-admin.ts'
import type { Vault } from '../../ports/vault.ts'
import { runWork } from '../store/records.ts'
import { Transaction } from '../store/transaction.ts'
import type { JournalEnd } from './checksummed-lines.ts'
import { Journal } from './journal.ts'
import { loadDirectory } from './load-store.ts'
import { writtenOf } from './lowdb-store.ts'
import { requireManifest, withLock } from './store-directory.ts'
import { MemoryLookup, type Tables } from './tables.ts'

interface Loaded {
  readonly directory: string
  readonly tables: Tables
  readonly end: JournalEnd
}

/** Adds one write to the journal of a store that no process has open. */
export async function appendChange<Result>(
  { directory, tables, end }: Loaded,
  { work, trail }: OfflineChange<Result>,
  vault: Vault | undefined,
): Promise<Result> {
  for (const table of tables.all()) await table.buildLists()
  const transaction = new Transaction(new MemoryLookup(tables))
  const result = await runWork(transaction, (records) => work(records, vault), trail)
  const journal = await Journal.open({ directory, openFile: openDiskFile }, end)
  try {
    await journal.append(transaction.changes.map(writtenOf))
  } finally {
    await journal.close()
  }
  return result
}

/** Does the same with a complete store, while no other process opens it. The work gets no key. */
export async function changeDirectory<Result>(
  directory: string,
  change: OfflineChange<Result>,
): Promise<Result> {
  await requireManifest(directory)
  return withLock(directory, undefined, async (lock) => {
    const { tables, end } = await loadDirectory(directory)
    const result = await appendChange({ directory, tables, end }, change, undefined)
    await lock.release()
    return result
  })
}
