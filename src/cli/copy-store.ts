import { describePlace, type StorePlace } from '../config/store-place.ts'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { now, openCopy, readEncryptionKey } from '../open-service.ts'
import { renderByKind } from '../operations/store.ts'
import { copyStore as copy } from '../usecases/store/copy-store.ts'
import { startProgress } from './progress.ts'

/** From where the settings say that the store is. */
export async function copyStore(config: Config, to: StorePlace) {
  const { database, dataDirectory: directory } = config
  const from = database ? { database } : { directory }
  requireTwoPlaces(from, to)
  const opened = await openCopy({ from, to, encryptionKey: await readEncryptionKey(config) })
  try {
    // Each is written once and read once.
    const bar = await startProgress(opened.source.count * 2)
    const move = { to: describePlace(to), at: now() }
    const copied = await copy(opened, move, (records) => bar?.increment(records)).finally(() =>
      bar?.stop(),
    )
    return {
      from: describePlace(from),
      to: describePlace(to),
      records: renderByKind(copied.records),
      digests: renderByKind(copied.digests),
      encryption_key_file: opened.source.keyFile ?? null,
    }
  } finally {
    await opened.source.close()
  }
}

function requireTwoPlaces(from: StorePlace, to: StorePlace): void {
  if (describePlace(from) !== describePlace(to)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `${describePlace(to)} is where the store is now. What is copied is what --database-url (COOPSHARE_DATABASE_URL) names, or else the data directory: to copy a directory, leave that out.`,
  )
}
