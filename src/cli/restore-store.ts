import { invalid } from '../config/invalid.ts'
import type { Config } from '../config.ts'
import { readEncryptionKey, restoreStoreFiles } from '../open-service.ts'
import { renderByKind } from '../operations/store.ts'

/** Returns how many records of each kind are in the new store, and whether its key has to be given from now on. */
export async function restoreStore(backupFile: string, config: Config) {
  const { dataDirectory } = config
  const backup = backupFile === '-' ? readInput() : backupFile
  const encryptionKey = await readEncryptionKey(config)
  const restored = await restoreStoreFiles(backup, { directory: dataDirectory, encryptionKey })
  return { ...restored, records: renderByKind(restored.records) }
}

function readInput(): AsyncIterable<Uint8Array> {
  if (!process.stdin.isTTY) return process.stdin
  throw invalid('With - the backup is read from standard input. Send it there with | or <.')
}
