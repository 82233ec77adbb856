import { restoreStoreFiles } from '../open-service.ts'
import { renderByKind } from '../operations/store.ts'

/** Returns how many records of each kind are in the new store. */
export async function restoreStore(backupFile: string, dataDirectory: string) {
  return renderByKind(await restoreStoreFiles(backupFile, dataDirectory))
}
