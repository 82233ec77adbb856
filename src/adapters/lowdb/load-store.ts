import { chainStart } from './chained-line.ts'
import { type Collections, createCollections } from './collections.ts'
import { type JournalEnd, type LoadTarget, loadJournal } from './load-journal.ts'
import { type OnRecords, readSnapshot } from './read-snapshot.ts'
import { damaged, requireContiguous, type StoreFiles } from './store-files.ts'
import { StringPool } from './string-pool.ts'

export interface LoadedStore {
  readonly collections: Collections
  /** Where the next line goes. */
  readonly end: JournalEnd
}

/** Reads a snapshot and the journals after it, and checks every line of them. */
export async function loadStore(files: StoreFiles): Promise<LoadedStore> {
  requireContiguous(files)
  const target = { collections: createCollections(), pool: new StringPool() }
  let checksum = files.snapshot ? await readSnapshot(files.snapshot, loadInto(target)) : chainStart
  let end: JournalEnd = { number: 0, checksum, changes: 0, bytes: 0, tornBytes: 0 }
  for (const journal of files.journals) {
    const isLast = journal === files.journals.at(-1)
    end = await loadJournal({ journal, isLast, previous: checksum, ...target })
    checksum = end.checksum
  }
  for (const collection of Object.values(target.collections)) await requireUnique(collection)
  return { collections: target.collections, end }
}

async function requireUnique(collection: Collections[keyof Collections]): Promise<void> {
  const taken = await collection.buildIndexes()
  if (taken) throw damaged(`Two records of ${collection.name} have the same ${taken}.`)
}

function loadInto({ collections, pool }: LoadTarget): OnRecords {
  return (name, records) => {
    const collection = collections[name]
    if (!collection) return false
    for (const record of records) collection.load(record as never, pool)
    return true
  }
}
