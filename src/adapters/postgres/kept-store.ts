import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { StoreCheck, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { checkDatabase } from './check-database.ts'
import { PostgresStore } from './postgres-store.ts'

const checkText = 'coopshare'
const keepFirst = 'insert into store (key_check) values ($1) on conflict do nothing'
const keyCheckOf = 'select key_check as "keyCheck" from store'

/** The store in a database, with what its upkeep needs beside the port. */
export class KeptStore extends PostgresStore implements StoreUpkeep {
  /** Refuses another key than the one that the store was begun with. */
  async requireKey(vault: Vault): Promise<void> {
    const rows = await this.transact(async ({ ask }) => {
      await ask(keepFirst, [vault.seal(checkText)])
      return ask<{ readonly keyCheck: Sealed }>(keyCheckOf)
    })
    if (rows[0] && isKeyFor(vault, rows[0].keyCheck)) return
    throw new Problem(
      'ENCRYPTION_KEY_REFUSED',
      "This key is not the one that the store was made with. Give the store's key with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.",
    )
  }

  check(): Promise<StoreCheck> {
    return checkDatabase(this.ask)
  }

  /** The database keeps its own files. */
  stats(): null {
    return null
  }

  async compact(): Promise<never> {
    return refuse('PostgreSQL clears up by itself; there is nothing to compact.')
  }

  backup(): AsyncIterable<Uint8Array> {
    return refuse('Back the database up with the tools of PostgreSQL, such as pg_dump.')
  }
}

function isKeyFor(vault: Vault, keyCheck: Sealed): boolean {
  try {
    return vault.open(keyCheck) === checkText
  } catch {
    return false
  }
}

function refuse(detail: string): never {
  throw new Problem('NOT_FOR_DATABASES', detail)
}
