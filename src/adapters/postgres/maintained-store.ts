import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { StoreCheck, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { createKeyCheck, isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { noStore } from '../no-store.ts'
import { checkDatabase } from './check-database.ts'
import type { DatabaseOptions } from './database-options.ts'
import { thisDatabase } from './migrate.ts'
import { PostgresStore } from './postgres-store.ts'

const keepFirst = 'insert into store (key_check) values ($1) on conflict do nothing'
const keyCheckOf = 'select key_check as "keyCheck" from store'

/** The store in a database, with what its upkeep needs beside the port. */
export class MaintainedStore extends PostgresStore implements StoreUpkeep {
  readonly #vault: Vault | undefined

  /** @param vault to check what is sealed with */
  constructor(options: DatabaseOptions, vault?: Vault) {
    super(options)
    this.#vault = vault
  }

  /** Begins a store with this key, where there is none. */
  async begin(vault: Vault): Promise<void> {
    await this.transact(({ ask }) => ask(keepFirst, [createKeyCheck(vault)]))
  }

  /** Refuses another key than the one that the store was begun with; nothing is written. */
  async requireKey(vault: Vault | undefined): Promise<void> {
    const [row] = await this.ask<{ readonly keyCheck: Sealed }>(keyCheckOf)
    if (!row) throw noStore(thisDatabase)
    if (vault && !isKeyFor(row.keyCheck, vault)) refuseKey(otherKey)
  }

  async check(): Promise<StoreCheck> {
    return checkDatabase(this.ask, this.#vault)
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
