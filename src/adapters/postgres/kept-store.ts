import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { StoreCheck, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { createKeyCheck, isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { checkDatabase } from './check-database.ts'
import { PostgresStore } from './postgres-store.ts'

const keepFirst = 'insert into store (key_check) values ($1) on conflict do nothing'
const keyCheckOf = 'select key_check as "keyCheck" from store'

/** The store in a database, with what its upkeep needs beside the port. */
export class KeptStore extends PostgresStore implements StoreUpkeep {
  /** Refuses another key than the one that the store was begun with. */
  async requireKey(vault: Vault): Promise<void> {
    const rows = await this.transact(async ({ ask }) => {
      await ask(keepFirst, [createKeyCheck(vault)])
      return ask<{ readonly keyCheck: Sealed }>(keyCheckOf)
    })
    if (!rows[0] || !isKeyFor(rows[0].keyCheck, vault)) refuseKey(otherKey)
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

function refuse(detail: string): never {
  throw new Problem('NOT_FOR_DATABASES', detail)
}
