import { systemClock, systemRandom } from '../adapters/clock.ts'
import { restoreStore } from '../adapters/lowdb/backup.ts'
import { checkStore } from '../adapters/lowdb/check-store.ts'
import type { Salvaged, SalvageOptions } from '../adapters/lowdb/salvage/salvage-store.ts'
import { type KeySource, readManifest, reopenDirectory } from '../adapters/lowdb/store-directory.ts'
import type { DatabaseConfig, StorePlace } from '../config/database-flags.ts'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { readEncryptionKey } from '../open-service.ts'
import type {
  CopySource,
  CopyTarget,
  JournalPosition,
  StoreCheck,
  StoreMove,
} from '../ports/store-admin.ts'
import { subjects } from '../ports/subjects.ts'
import { admitAccess, type Return, type StoreAccess } from '../usecases/store/admit-access.ts'
import type { StoreCopy } from '../usecases/store/copy-store.ts'

// Work on a store that no service has open.

/** Checks even a damaged store, which cannot be opened. Without a key, encrypted values are not checked. */
export async function checkStoreUnopened(config: Config): Promise<StoreCheck> {
  const { database, dataDirectory: directory } = config
  const encryptionKey = await readEncryptionKey(config)
  if (!database) return checkStore({ directory, encryptionKey })
  const { checkPostgresStore } = await import('../adapters/postgres/postgres-store.ts')
  return checkPostgresStore({ ...database, encryptionKey })
}

const ports = { clock: systemClock, random: systemRandom }

/** Lists who gets access again, and records the restore in the audit of the restored store. */
export async function restoreStoreFiles(
  backup: string | AsyncIterable<Uint8Array>,
  target: KeySource,
  { retiresKeys }: Pick<Return, 'retiresKeys'>,
) {
  const change = await admitAccess(ports, { operation: 'store.restore', retiresKeys })
  return restoreStore(backup, target, change)
}

/** Restores the files for a check only. */
export const unpackStore = restoreStore

/** Lists who gets access again to the store in a directory, and records it in the audit. */
async function admitToDirectory(operation: Return['operation'], directory: string) {
  const { changeDirectory } = await import('../adapters/lowdb/offline-change.ts')
  return changeDirectory(directory, await admitAccess(ports, { operation }))
}

export const checkDirectory = checkStore

/** Reads where the store ended when the backup was made. Refuses a backup of another store. */
export async function readEndOfBackup(path: string, directory: string): Promise<JournalPosition> {
  const { readBackupEnd } = await import('../adapters/lowdb/backup.ts')
  const { end, keyCheck } = await readBackupEnd(path)
  const manifest = await readManifest(directory)
  if (!manifest || manifest.keyCheck === keyCheck) return end
  throw new Problem('INVALID_PARAMETER', `${path} is a backup of another store than ${directory}.`)
}

/** Only reads the damaged store. */
export async function salvageStoreFiles(
  options: Omit<SalvageOptions, 'clock'>,
): Promise<Salvaged & { readonly access: StoreAccess }> {
  const { salvageStore } = await import('../adapters/lowdb/salvage/salvage-store.ts')
  const salvaged = await salvageStore({ ...options, clock: systemClock })
  return { ...salvaged, access: await admitToDirectory('store.salvage', options.to) }
}

export interface StoreCopyPlaces {
  readonly from: StorePlace
  readonly to: StorePlace
  /** The key that the caller gave. A directory may contain its own key. */
  readonly encryptionKey: string | undefined
}

/** Opens an existing store as the source and an empty place as the target, each in a directory or a database. */
export async function openCopy(places: StoreCopyPlaces): Promise<StoreCopy> {
  const source = await openSource(places)
  try {
    return { source, target: await openTarget(places, source) }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openSource({ from, encryptionKey }: StoreCopyPlaces): Promise<CopySource> {
  if ('database' in from) {
    const { openDatabaseSource } = await import('../adapters/postgres/copy.ts')
    return openDatabaseSource({ ...from.database, encryptionKey })
  }
  const { openDirectorySource } = await import('../adapters/lowdb/copy.ts')
  return openDirectorySource({ ...from, encryptionKey })
}

async function openTarget({ to }: StoreCopyPlaces, { keyCheck }: CopySource): Promise<CopyTarget> {
  if ('database' in to) {
    const { openDatabaseTarget } = await import('../adapters/postgres/copy.ts')
    return openDatabaseTarget({ ...to.database, keyCheck })
  }
  const { openDirectoryTarget } = await import('../adapters/lowdb/copy.ts')
  return openDirectoryTarget({ ...to, keyCheck, clock: systemClock })
}

export async function migrateDatabase(database: DatabaseConfig): Promise<readonly string[]> {
  const { migrate } = await import('../adapters/postgres/migrate.ts')
  return migrate(database)
}

/**
 * Makes a store that has moved accept writes again, lists who has access to it, and records that in its audit.
 * `moved` is null if the store had not moved, and then nothing is changed.
 */
export async function reopenStore(
  { database, dataDirectory }: Config,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<{ readonly moved: StoreMove | null; readonly access: StoreAccess | null }> {
  if (!database) {
    const moved = await reopenDirectory(dataDirectory, isWanted)
    return { moved, access: moved && (await admitToDirectory('store.reopen', dataDirectory)) }
  }
  const { reopenDatabase } = await import('../adapters/postgres/store-row.ts')
  const moved = await reopenDatabase(database, isWanted)
  return { moved, access: moved && (await admitToDatabase(database)) }
}

async function admitToDatabase(database: DatabaseConfig): Promise<StoreAccess> {
  const { PostgresStore } = await import('../adapters/postgres/postgres-store.ts')
  const store = new PostgresStore(database)
  try {
    const { work, trail } = await admitAccess(ports, { operation: 'store.reopen' })
    return await store.write(
      subjects.all('auditEntries'),
      (records) => work(records, undefined),
      trail,
    )
  } finally {
    await store.close()
  }
}
