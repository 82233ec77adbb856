import { Problem } from '../../domain/problem.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { parseEncryptionKey } from '../encryption-key.ts'
import { createVault } from '../vault.ts'
import type { DatabaseOptions } from './connect.ts'
import { explaining } from './explaining.ts'
import { MaintainedStore } from './maintained-store.ts'
import { migrate, requireMigrated } from './migrate.ts'

export interface PostgresStoreOptions extends DatabaseOptions {
  /** 32 bytes as hexadecimal or base64. A database has no private place of its own where it could keep one. */
  readonly encryptionKey: string | undefined
  /** Makes no store where there is none. */
  readonly onlyExisting?: boolean
  /** A store that has moved can be read; it is not served. */
  readonly isServed?: boolean
}

export interface OpenedPostgresStore {
  readonly store: MaintainedStore
  readonly vault: Vault
}

/** Opens the store in a database, and makes one where there is none yet, unless only an existing one is wanted. */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<OpenedPostgresStore> {
  const vault = openGivenVault(options)
  await migrate(options)
  const store = new MaintainedStore(options, vault)
  try {
    await explaining(options, async () => {
      if (!options.onlyExisting) await store.begin(vault)
      await store.requireKey(vault, options)
    })
    return { store, vault }
  } catch (error) {
    await store.close()
    throw error
  }
}

export function openGivenVault({
  encryptionKey,
}: Pick<PostgresStoreOptions, 'encryptionKey'>): Vault {
  return createVault(parseEncryptionKey(encryptionKey ?? refuseWithoutKey()))
}

/** Of a database whose schema is that of this version. Nothing is written; what is sealed is opened where there is a key. */
export async function checkPostgresStore(
  options: DatabaseOptions & Partial<Pick<PostgresStoreOptions, 'encryptionKey'>>,
): Promise<StoreCheck> {
  const { encryptionKey } = options
  const vault = encryptionKey === undefined ? undefined : openGivenVault({ encryptionKey })
  await requireMigrated(options)
  const store = new MaintainedStore(options, vault)
  try {
    return await explaining(options, async () => {
      await store.requireKey(vault)
      return store.check()
    })
  } finally {
    await store.close()
  }
}

function refuseWithoutKey(): never {
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'A store in a database needs a key: --encryption-key-file or COOPSHARE_ENCRYPTION_KEY, the same for all instances. `openssl rand -hex 32` makes one.',
  )
}
