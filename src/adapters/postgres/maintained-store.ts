import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { Records } from '../../ports/store.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { StoreCheck, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { createKeyCheck, isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { requireNotMoved } from '../moved-store.ts'
import { noStore } from '../no-store.ts'
import { checkDatabase } from './check-database.ts'
import type { DatabaseOptions } from './connect.ts'
import { thisDatabase } from './migrate.ts'
import { readMove } from './moved-database.ts'
import { PostgresStore } from './postgres-store.ts'

const keepFirst = 'insert into store (key_check) values ($1) on conflict do nothing'
const keyCheckOf = 'select key_check as "keyCheck" from store'

/** The store in a database, with what its upkeep needs beside the port. */
export class MaintainedStore extends PostgresStore implements StoreUpkeep {
  readonly #vault: Vault | undefined
  /** As it was when the store was opened. */
  #moved: StoreMove | null = null

  /** @param vault to check what is sealed with */
  constructor(options: DatabaseOptions, vault?: Vault) {
    super(options)
    this.#vault = vault
  }

  /** Begins a store with this key, where there is none. */
  async begin(vault: Vault): Promise<void> {
    await this.database.transact((ask) => ask(keepFirst, [createKeyCheck(vault)]))
  }

  /** Refuses another key than the one that the store was begun with, and to serve one that has moved; nothing is written. */
  async requireKey(vault: Vault | undefined, { isServed = false } = {}): Promise<void> {
    const [row] = await this.database.ask<{ readonly keyCheck: Sealed }>(keyCheckOf)
    if (!row) throw noStore(thisDatabase)
    if (vault && !isKeyFor(row.keyCheck, vault)) refuseKey(otherKey)
    this.#moved = await readMove(this.database.ask)
    if (!isServed) return
    requireNotMoved(this.#moved)
    await this.database.transact((ask) => ask('select begin_log()'))
  }

  override async write<Result>(
    subject: string,
    work: (records: Records) => Promise<Result>,
  ): Promise<Result> {
    requireNotMoved(this.#moved)
    return super.write(subject, work)
  }

  async check(): Promise<StoreCheck> {
    return {
      ...(await checkDatabase(this.database.ask, this.#vault)),
      moved: await readMove(this.database.ask),
    }
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
