import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { type Delivery, receiverOf } from '../../domain/webhooks/delivery.ts'
import type { AuditTrail, ReadableRecords, Records, Store, StoreHealth } from '../../ports/store.ts'
import type {
  KeyRenewal,
  Rekeyed,
  StoreAdmin,
  StoreCheck,
  StoreMove,
} from '../../ports/store-admin.ts'
import type { Subject } from '../../ports/subjects.ts'
import { adoptKeys, chooseRotation, createKeyCheck, renewChanges } from '../encryption-key.ts'
import { type KeyChangeEngine, KeyChanges } from '../key-changes.ts'
import type { Collection } from '../store/collection.ts'
import type { Lookup } from '../store/lookup.ts'
import { readersOf, runWork, wakesJobs } from '../store/records.ts'
import { Transaction } from '../store/transaction.ts'
import { requireNotMoved } from '../store-refusals.ts'
import type { StoreVault } from '../vault.ts'
import { checkDatabase } from './check-database.ts'
import type { DatabaseOptions } from './connect.ts'
import { Database } from './database.ts'
import { closed, refusal, withTimeout } from './faults.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate, requireMigrated } from './migrate.ts'
import { OtherInstances } from './other-instances.ts'
import { QueryCache } from './query-cache.ts'
import { Reads } from './reads.ts'
import { PostgresReceiverLeases } from './receiver-leases.ts'
import { retryOnConflict, WorkQueues } from './retry-on-conflict.ts'
import { explained, withSession } from './session.ts'
import {
  activateRotation,
  endRotation,
  keepRotation,
  openGivenVault,
  readStoreRow,
} from './store-row.ts'
import { type Query, quickRows, tableOf } from './table.ts'
import { readTable, rememberDatabase, tableNames } from './tables.ts'

const keepFirst = 'insert into store (key_check) values ($1) on conflict do nothing'

const healthMs = 2000
/** A standby answers but cannot write. Without these rights, deliveries would be sent again and never recorded. */
const lookAtHealth = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  has_table_privilege('events', 'update') and has_table_privilege('deliveries', 'update') and (select
    bool_and(has_table_privilege(name, 'insert')) from unnest('{calls,${tableNames}}'::text[]) name) as "mayRecord",
  (select moved_to from store) as "movedTo"`

/** Instances poll at least once a second. */
const othersLearnMs = 3000
const beginToReadAll =
  'begin isolation level repeatable read; set local idle_in_transaction_session_timeout = 0'
const keyHasChanged =
  'The encryption key of the store has changed. Restart this instance with the new one.'

type Health = Readonly<{ isReadOnly: boolean; mayRecord: boolean; movedTo: string | null }>

export interface BeginOptions {
  /** Refuses to create a store. */
  readonly onlyExisting?: boolean
  /** Refuses a store that has moved, which can be read but not served. */
  readonly isServed?: boolean
}

/** The store in PostgreSQL. Concurrent writes are safe, because each commit proves what it has read. */
export class PostgresStore implements Store, Omit<StoreAdmin, 'backup'> {
  readonly receiverLeases: PostgresReceiverLeases
  readonly #options: DatabaseOptions
  readonly #vault: StoreVault | undefined
  readonly #database: Database
  readonly #reads: Reads
  readonly #cache: QueryCache
  readonly #commits: GroupCommit
  readonly #others: OtherInstances
  readonly #queues = new WorkQueues()
  readonly #keyChanges: KeyChanges
  #hasKey = true
  #isLogBegun = true
  #looking: Promise<StoreHealth> | undefined
  #unready: Extract<StoreHealth, { ready: false }> | undefined
  /** The state when the store was opened. */
  #moved: StoreMove | null = null

  /** @param vault opens encrypted values for a check */
  constructor(options: DatabaseOptions, vault?: StoreVault, database = new Database(options)) {
    this.#options = options
    this.#vault = vault
    this.#database = database
    this.#reads = new Reads(this.#database.ask)
    this.#cache = new QueryCache(this.#database.ask, this.#reads, () => this.#learnKeys())
    this.#commits = new GroupCommit(this.#database)
    this.#others = new OtherInstances({ options, database: this.#database, cache: this.#cache })
    this.receiverLeases = new PostgresReceiverLeases(this.#database)
    this.#keyChanges = new KeyChanges(this.#keyChangeEngine())
  }

  /** Refuses a key that is not the store's. Refuses to serve a store that has moved. */
  async begin(vault: StoreVault, { onlyExisting, isServed }: BeginOptions = {}): Promise<void> {
    const { ask } = this.#database
    if (!onlyExisting) await ask(keepFirst, [createKeyCheck(vault)])
    this.#moved = (await readStoreRow(ask, vault)).moved
    this.#isLogBegun = false
    if (!isServed) return
    requireNotMoved(this.#moved)
    await this.#beginLog()
  }

  async read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result> {
    return work(readersOf(lookupOf(this.#reads, this.#cache)))
  }

  async write<Result>(
    subject: Subject,
    work: (records: Records) => Promise<Result>,
    trail?: AuditTrail,
  ): Promise<Result> {
    requireNotMoved(this.#moved)
    if (!this.#isLogBegun) await this.#beginLog()
    return this.#queues.run(subject, () =>
      this.#write((transaction) => runWork(transaction, work, trail)),
    )
  }

  /** If the store was restored on another server, what is added must come after what is there. */
  async #beginLog(): Promise<void> {
    await this.#database.ask('select begin_log()')
    this.#isLogBegun = true
  }

  watchDeliveries(listener: () => void): () => void {
    return this.#others.watch(listener)
  }

  async health(): Promise<StoreHealth> {
    // Concurrent callers share one check, because anybody may ask at any rate.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    const found = await this.#looking
    if (found.ready) this.#unready = undefined
    // Returns the same object for the same reason, so that it is logged only once.
    else if (found.reason !== this.#unready?.reason) this.#unready = found
    return this.#unready ?? { ready: true }
  }

  async close(): Promise<void> {
    await this.#others.close()
    await this.#database.close()
  }

  check(): Promise<StoreCheck> {
    return checkDatabase(this.#options, this.#vault)
  }

  /** The database takes care of its files. */
  async requireOwnFiles(): Promise<void> {}

  stats(): null {
    return null
  }

  async compact(): Promise<never> {
    const detail = 'PostgreSQL cleans up by itself; there is nothing to compact.'
    throw new Problem('NOT_FOR_DATABASES', detail)
  }

  /** Other instances continue meanwhile. If the change is interrupted, the next call continues it. */
  async rekey(renewal: KeyRenewal, newKey?: string): Promise<Rekeyed> {
    requireNotMoved(this.#moved)
    return this.#keyChanges.rekey(renewal, newKey)
  }

  resumeRekey(renewal: KeyRenewal): Promise<Rekeyed | undefined> {
    return this.#keyChanges.resumeRekey(renewal)
  }

  get lastRekey(): Promise<Rekeyed> | undefined {
    return this.#keyChanges.lastRekey
  }

  #keyChangeEngine(): KeyChangeEngine {
    const { ask } = this.#database
    const requireVault = () => {
      if (this.#vault) return this.#vault
      throw new Error('A store without a vault has no key to change.')
    }
    return {
      get vault() {
        return requireVault()
      },
      read: (work) => this.read(work),
      transact: (work) => this.#queues.run('rekey', () => this.#write(work)),
      readAll: (name, onBatch) =>
        withSession(this.#options, async (session) => {
          await session.ask(beginToReadAll)
          await readTable(session, name, ({ records }) => onBatch(records))
        }),
      settle: () => setTimeout(othersLearnMs),
      isRotating: async () => (await readStoreRow(ask)).rotation !== null,
      beginRotation: (newKey) => this.#beginRotation(requireVault(), newKey),
      end: async (rotation) => {
        if (!rotation) return
        await endRotation(ask, rotation)
        await this.#learnKeys()
      },
    }
  }

  async #beginRotation(vault: StoreVault, given: string | undefined) {
    const { ask } = this.#database
    const { keyCheck, rotation: begun } = await readStoreRow(ask, vault)
    const rotation = chooseRotation(vault, { rotation: begun }, given, { isActive: false })
    if (!begun && !(await keepRotation(ask, { keyCheck, rotation })))
      throw refusal('Another encryption key change has just begun. Try again later.')
    await this.#learnKeys()
    await setTimeout(othersLearnMs)
    await activateRotation(ask, rotation)
    await this.#learnKeys()
    // Until then, an instance may still commit values that it has encrypted with the old key.
    await setTimeout(othersLearnMs)
    return { rotation, isResumed: begun !== null }
  }

  /** Called when the key of the store changes or has changed. */
  async #learnKeys(): Promise<void> {
    if (!this.#vault) return
    this.#hasKey = adoptKeys(this.#vault, await readStoreRow(this.#database.ask))
  }

  /** An instance that was asleep while the key changed must not encrypt with the old one. */
  async #requireKnownKey(): Promise<void> {
    if (!this.#vault) return
    await this.#cache.refresh()
    if (!this.#hasKey) throw refusal(keyHasChanged)
  }

  async remember(): Promise<() => Promise<void>> {
    const restore = await rememberDatabase(this.#options)
    return async () => {
      await restore()
      this.#cache.invalidate()
      this.#others.wake()
    }
  }

  #write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return retryOnConflict(this.#queues, () => this.#run(work))
  }

  /** Runs the work once. Returns undefined if something that it read has changed meanwhile. */
  async #run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    if (this.#database.isClosed) throw closed()
    await this.#requireKnownKey()
    const transaction = new Transaction(lookupOf(this.#reads, this.#cache, { isProven: true }))
    let result: Result
    try {
      result = await work(transaction)
    } catch (error) {
      if (await this.#isUnchanged(transaction)) throw error
      return undefined
    }
    const isDone = await (transaction.changes.length > 0
      ? this.#commit(transaction)
      : this.#isUnchanged(transaction))
    return isDone ? { result } : undefined
  }

  async #commit({ proof, changes: staged }: Transaction): Promise<boolean> {
    const changes = this.#vault ? renewChanges(staged, this.#vault) : staged
    const isDone = (await this.#commits.commit({ proof, changes })) === 'done'
    if (!isDone && proof.collections.size > 0) await this.#cache.checkVersionsNow()
    if (isDone) this.#noteCommitted(changes)
    return isDone
  }

  #noteCommitted(changes: Transaction['changes']): void {
    if (changes.some(({ collection }) => collection.isCached)) this.#cache.invalidate()
    if (changes.some(wakesJobs)) this.#others.wake()
    const put = changes.filter(({ collection }) => collection.name === 'deliveries')
    const receivers = put.flatMap(({ record }) => (record ? receiverOf(record as Delivery) : []))
    if (!receivers.every((receiver) => this.receiverLeases.isOwned(receiver))) this.#others.notify()
  }

  /** The result of a work that puts nothing depends on what it has read, too. */
  async #isUnchanged({ proof }: Transaction): Promise<boolean> {
    const lookup = lookupOf(this.#reads, this.#cache, { isProven: true })
    const rows = proof.rows.map(async ({ collection, key, version }) => {
      const found = await lookup.get(collection, key)
      return (found?.version ?? null) === version
    })
    // Both are awaited together, because an unhandled rejection would end the process.
    const looked = proof.collections.size > 0 ? this.#cache.checkVersionsNow() : undefined
    const [areSame] = await Promise.all([Promise.all(rows), looked])
    const versions = [...proof.collections].map(
      async ([collection, version]) => (await this.#cache.version(collection)) === version,
    )
    return [...areSame, ...(await Promise.all(versions))].every((isSame) => isSame)
  }

  async #look(): Promise<StoreHealth> {
    try {
      const [row] = await withTimeout(healthMs, this.#database.ask<Health>(lookAtHealth))
      if (row?.isReadOnly) throw new Error('The database accepts no writes.')
      if (row && !row.mayRecord) throw new Error('This role may not write to all tables.')
      if (!this.#hasKey) throw new Error(keyHasChanged)
      if (row?.movedTo) throw new Error(`The store was moved to ${row.movedTo}.`)
      return { ready: true }
    } catch (error) {
      const { cause: reason } = error as Error
      const cause = reason instanceof Error ? reason : (error as Error)
      return { ready: false, reason: cause.message, cause, isFinal: false }
    }
  }
}

/** A read may use cached answers for a second. A write may use older ones, because its commit compares versions. */
export function lookupOf(reads: Reads, kept: QueryCache, { isProven = false } = {}): Lookup {
  const asker = {}
  const ask = async <Stored extends object, Answer>(
    collection: Collection<Stored>,
    query: Query<Answer>,
  ): Promise<Answer> => {
    if (!collection.isCached) return reads.ask(query, asker)
    if (!isProven) await kept.refresh()
    return kept.read(collection, query, asker)
  }
  return {
    get: (collection, key) => ask(collection, tableOf(collection).one(collection.key.columns, key)),
    find: (collection, index, values) =>
      ask(collection, tableOf(collection).one(index.columns, values)),
    async list(collection, index, range) {
      const table = tableOf(collection)
      if (range.limit !== undefined) return ask(collection, table.list(index, range))
      // Most lists are short, so a quick query reads all of them, together with the queries of others.
      const first = await ask(collection, table.list(index, { ...range, limit: quickRows }))
      return first.length < quickRows ? first : ask(collection, table.list(index, range))
    },
    count: (collection, index, part) => ask(collection, tableOf(collection).count(index, part)),
    tally: (collection, tally, range) => ask(collection, tableOf(collection).tally(tally, range)),
    listed: (collection, index) => ask(collection, tableOf(collection).listed(index)),
    search: (collection, terms, limit) => ask(collection, tableOf(collection).search(terms, limit)),
    async version(collection) {
      if (!isProven) await kept.refresh()
      return kept.version(collection)
    },
  }
}

export interface PostgresStoreOptions extends DatabaseOptions, BeginOptions {
  /** 32 bytes as hexadecimal or base64. The key must be given, because a database has no private place for it. */
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

/** Checks a database with the schema of this version, without writing. Opens encrypted values if there is a key. */
export async function checkPostgresStore(
  options: DatabaseOptions & { readonly encryptionKey?: string | undefined },
): Promise<StoreCheck> {
  const { encryptionKey } = options
  const vault = encryptionKey === undefined ? undefined : openGivenVault(encryptionKey)
  await requireMigrated(options)
  return checkDatabase(options, vault)
}
