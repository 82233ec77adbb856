import { Problem } from '../../domain/problem.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { vaultOf } from '../encryption-key.ts'
import { checkDatabase } from './check-database.ts'
import type { DatabaseOptions } from './connect.ts'
import { explained } from './explaining.ts'
import { migrate, requireMigrated } from './migrate.ts'
import { type BeginOptions, PostgresStore } from './postgres-store.ts'

export interface PostgresStoreOptions extends DatabaseOptions, BeginOptions {
  /** 32 bytes as hexadecimal or base64. It must be given, because a database has no private place for a key. */
  readonly encryptionKey: string | undefined
}

/** Opens the store in a database and creates it if there is none, unless `onlyExisting` is set. */
export async function openPostgresStore(options: PostgresStoreOptions) {
  const vault = openGivenVault(options.encryptionKey)
  await migrate(options)
  const store = new PostgresStore(options, vault)
  try {
    await store.begin(vault, options)
    return { store, vault }
  } catch (error) {
    await store.close()
    throw explained(options, error)
  }
}

export function openGivenVault(encryptionKey: string | undefined): Vault {
  if (encryptionKey !== undefined) return vaultOf(encryptionKey)
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'A store in a database needs a key: --encryption-key-file or COOPSHARE_ENCRYPTION_KEY, the same for all instances. `openssl rand -hex 32` makes one.',
  )
}

/** Checks a database with the schema of this version, without writing. Opens encrypted values if there is a key. */
export async function checkPostgresStore(
  options: DatabaseOptions & { readonly encryptionKey?: string | undefined },
): Promise<StoreCheck> {
  const { encryptionKey } = options
  const vault = encryptionKey === undefined ? undefined : openGivenVault(encryptionKey)
  await requireMigrated(options)
  return checkDatabase(options, vault)
}
