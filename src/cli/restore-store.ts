import { restoreStoreFiles } from '../open-service.ts'
import { renderCounts } from '../operations/store.ts'

/** Returns how many records of each kind are in the new store. */
export async function restoreStore(backupFile: string, dataDirectory: string) {
  return renderCounts(await restoreStoreFiles(backupFile, dataDirectory))
}
