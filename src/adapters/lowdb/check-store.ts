import { Problem } from '../../domain/problem.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import { countRecords } from './count-records.ts'
import { findContradictions } from './find-contradictions.ts'
import { loadStore } from './load-store.ts'
import { readManifest } from './manifest.ts'
import type { FileRange } from './read-lines.ts'
import { listFiles, selectStoreFiles } from './store-files.ts'

/** Reads all of a store that nobody has open, and writes nothing. */
export async function checkStore(directory: string): Promise<StoreCheck> {
  if (await readManifest(directory)) return checkFiles(await listFiles(directory))
  throw new Problem('NOT_FOUND', `There is no store in ${directory}.`)
}

export async function checkFiles(files: readonly FileRange[]): Promise<StoreCheck> {
  try {
    const { collections, end } = await loadStore(selectStoreFiles(files))
    return {
      records: countRecords(collections),
      tornBytes: end.tornBytes,
      problems: [...findContradictions(collections)],
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { records: {}, tornBytes: 0, problems: [error.message] }
  }
}
