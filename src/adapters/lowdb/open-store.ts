import { Low, Memory } from 'lowdb'
import { Problem } from '../../domain/problem.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { openDiskFile, rm } from '../../machine/files.ts'
import { randomBytes } from '../../machine/random.ts'
import { nowMs } from '../../machine/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenDiskFile } from '../../ports/machine.ts'
import type {
  KeyRenewal,
  Rekeyed,
  StoreAdmin,
  StoreCheck,
  StoreMove,
  StoreStats,
} from '../../ports/store-admin.ts'
import {
  chooseRotation,
  createKeyCheck,
  type KeyRotation,
  keyBytes,
  renewChanges,
  requireKeys,
} from '../encryption-key.ts'
import type { Lock } from '../file-lock/lock.ts'
import { type KeyChangeEngine, KeyChanges } from '../key-changes.ts'
import { collections } from '../store/records.ts'
import type { Change } from '../store/staged-changes.ts'
import type { Transaction } from '../store/transaction.ts'
import { noStore, requireNotMoved } from '../store-refusals.ts'
import type { StoreVault } from '../vault.ts'
import { listDurable, streamBackup } from './backup.ts'
import { checkFiles } from './check-store.ts'
import { chainStart } from './checksummed-lines.ts'
import { JournalAdapter } from './compacting-journal.ts'
import { createJournalFile, type JournalPlace, type OwnPlace } from './journal.ts'
import { LowdbStore, type StoreData } from './lowdb-store.ts'
import { OwnDirectory } from './own-directory.ts'
import {
  createStoreVault,
  type KeySource,
  keepNewKey,
  listUnfinished,
  type Manifest,
  readManifest,
  requireDirectory,
  requireNotInterrupted,
  requireStoreFiles,
  requireVault,
  withLock,
  writeManifest,
} from './store-directory.ts'
import { yieldingBatches } from './table.ts'
import { type Collections, Tables } from './tables.ts'

export interface LowdbStoreOptions extends KeySource {
  /** Refuses to create a store. */
  readonly onlyExisting?: boolean
  /** Refuses a store that has moved: it can be read but not served. */
  readonly isServed?: boolean
  readonly clock?: Pick<Clock, 'now'>
  readonly openFile?: OpenDiskFile
  /** The collections of this release, unless a test adds one. */
  readonly collections?: Collections
}

/** Opens the store in a directory and creates it if there is none, unless `onlyExisting` is set. */
export async function openLowdbStore(options: LowdbStoreOptions): Promise<JournaledStore> {
  const { directory, openFile = openDiskFile } = options
  if (options.onlyExisting) await requireStoreFiles(directory)
  await requireDirectory(directory)
  return withLock(directory, undefined, async (lock) => {
    const own = await OwnDirectory.open(directory, lock)
    try {
      return await openOwn(options, { directory, openFile, own }, lock)
    } catch (error) {
      await own.close()
      throw error
    }
  })
}

async function openOwn(options: LowdbStoreOptions, place: OwnPlace, lock: Lock) {
  const { directory, own } = place
  const manifest = (await readManifest(directory)) ?? (await createStore(options, place))
  if (options.isServed) requireNotMoved(manifest.moved)
  const vault = await requireVault(options, manifest)
  const adapter = await JournalAdapter.open(place, options.collections)
  const low = new Low<StoreData>(adapter, await adapter.read())
  const moved = manifest.moved ?? null
  const hasOwnKey = options.encryptionKey === undefined
  return new JournaledStore(low, { adapter, lock, own, directory, vault, moved, hasOwnKey })
}

async function createStore(options: LowdbStoreOptions, place: JournalPlace): Promise<Manifest> {
  await requireNotInterrupted(options.directory)
  const unfinished = await listUnfinished(options.directory)
  if (options.onlyExisting) throw noStore(options.directory)
  for (const path of unfinished) await rm(path)
  const vault = await createStoreVault(options)
  const journal = await createJournalFile(place, { number: 1, checksum: chainStart })
  await journal.file.close()
  const createdAt = options.clock?.now() ?? toTimestamp(new Date(nowMs()))
  const manifest: Manifest = { createdAt, keyCheck: createKeyCheck(vault) }
  await writeManifest(options.directory, manifest)
  return manifest
}

/** The file store without files, for tests. */
export function openMemoryStore(collections?: Collections): LowdbStore {
  const data = { tables: new Tables(collections), changes: [] }
  return new LowdbStore(new Low<StoreData>(new Memory<StoreData>(), data))
}

interface JournaledStoreParts {
  readonly adapter: JournalAdapter
  readonly lock: Lock
  readonly own: OwnDirectory
  readonly directory: string
  readonly vault: StoreVault
  readonly moved: StoreMove | null
  /** Whether the key of the store is in the directory. */
  readonly hasOwnKey: boolean
}

/** The store in a directory, with its maintenance. */
export class JournaledStore extends LowdbStore implements StoreAdmin {
  readonly directory: string
  /** Contains the key of the store. */
  readonly vault: StoreVault
  readonly moved: StoreMove | null
  readonly #adapter: JournalAdapter
  readonly #lock: Lock
  readonly #own: OwnDirectory
  #hasOwnKey: boolean
  readonly #keyChanges: KeyChanges
  #closing: Promise<void> | undefined

  constructor(low: Low<StoreData>, parts: JournaledStoreParts) {
    super(low)
    const { adapter, lock, own, directory, vault, moved, hasOwnKey } = parts
    this.#adapter = adapter
    this.#lock = lock
    this.#own = own
    this.directory = directory
    this.vault = vault
    this.moved = moved
    this.#hasOwnKey = hasOwnKey
    this.#keyChanges = new KeyChanges(this.#keyChangeEngine())
  }

  override async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    requireNotMoved(this.moved)
    return super.transact(work)
  }

  /** Writes a snapshot of all records and begins a new journal. Reads and writes continue. */
  async compact(): Promise<void> {
    requireNotMoved(this.moved)
    try {
      await this.#adapter.compact()
    } catch (error) {
      const { ready } = await this.health()
      const describe = (code: string) => describeCompactionFault(code, this.directory, ready)
      throw toDiskProblem(error as NodeJS.ErrnoException, describe)
    }
  }

  async requireOwnFiles(): Promise<void> {
    try {
      await this.#adapter.requireOwn()
    } catch (cause) {
      this.fail(cause)
      throw cause
    }
  }

  stats(): StoreStats {
    return this.#adapter.stats()
  }

  /** Streams one file with everything durable and with checksums. It contains the key if the store created the key. */
  async *backup(): AsyncGenerator<Uint8Array> {
    try {
      yield* streamBackup(this.directory, this.#adapter)
    } catch (error) {
      throw explainExhaustion(error as NodeJS.ErrnoException)
    }
  }

  /** Reads everything back from the disk. Reads and writes continue. */
  check(): Promise<StoreCheck> {
    return this.#adapter.exclusively(async () =>
      checkFiles(this.directory, {
        manifest: await readManifest(this.directory),
        list: () => listDurable(this.directory, this.#adapter),
        running: this.low.data.tables,
        vault: this.vault,
        moved: this.moved,
      }),
    )
  }

  protected override prepare(changes: readonly Change[]): readonly Change[] {
    return renewChanges(changes, this.vault)
  }

  /** The service keeps running meanwhile. If the change is interrupted, the next call continues it. */
  async rekey(renewal: KeyRenewal, newKey?: string): Promise<Rekeyed> {
    requireNotMoved(this.moved)
    return this.#changingKeys(this.#keyChanges.rekey(renewal, newKey))
  }

  async resumeRekey(renewal: KeyRenewal): Promise<Rekeyed | undefined> {
    return this.#changingKeys(this.#keyChanges.resumeRekey(renewal))
  }

  get lastRekey(): Promise<Rekeyed> | undefined {
    return this.#keyChanges.lastRekey
  }

  #changingKeys<Result>(change: Promise<Result>): Promise<Result> {
    const describe = (code: string) =>
      `The disk of ${this.directory} failed while the key was being changed (${code}). Check the disk. A running service then continues by itself; if none is running, run the command again.`
    return change.catch((error) => Promise.reject(toDiskProblem(error, describe)))
  }

  #keyChangeEngine(): KeyChangeEngine {
    return {
      vault: this.vault,
      read: (work) => this.read(work),
      transact: (work) => this.transact(work),
      readAll: async (name, onBatch) => {
        const table = this.low.data.tables.of<object>(collections[name])
        for await (const records of yieldingBatches(table.values())) await onBatch(records)
      },
      settle: async () => {},
      isRotating: async () => (await this.#requireManifest()).rotation !== undefined,
      beginRotation: (newKey) => this.#beginRotation(newKey),
      end: (rotation) => this.#endKeyChange(rotation),
    }
  }

  async #requireManifest(): Promise<Manifest> {
    const manifest = await readManifest(this.directory)
    if (!manifest) throw noStore(this.directory)
    return manifest
  }

  async #beginRotation(given: string | undefined) {
    const { vault } = this
    const manifest = await this.#requireManifest()
    const makeKey = () => randomBytes(keyBytes)
    const choice = { isActive: true, ...(this.#hasOwnKey && { makeKey }) }
    const rotation = chooseRotation(vault, manifest, given, choice)
    if (manifest.rotation) return { rotation, isResumed: true }
    await this.#adapter.exclusively(async () => {
      await writeManifest(this.directory, { ...manifest, rotation })
      requireKeys(vault, { ...manifest, rotation })
    })
    return { rotation, isResumed: false }
  }

  async #endKeyChange(rotation: KeyRotation | undefined): Promise<void> {
    // Until the compaction, the journal also contains records that were replaced.
    await this.compact()
    if (!rotation) return
    const { createdAt } = await this.#requireManifest()
    await this.#adapter.exclusively(async () => {
      await keepNewKey(this.directory, rotation, this.vault)
      await writeManifest(this.directory, { createdAt, keyCheck: rotation.keyCheck })
    })
    this.#hasOwnKey = rotation.isOwn
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await super.close()
    await this.#adapter.close()
    const isLost = await this.#own.require().then(
      () => false,
      () => true,
    )
    await this.#own.close()
    await (isLost ? this.#lock.abandon() : this.#lock.release())
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])
const exhausted = new Set(['EMFILE', 'ENFILE'])

/** Converts an error of the disk to a problem. Returns any other error unchanged. */
function toDiskProblem(cause: NodeJS.ErrnoException, describe: (code: string) => string): Error {
  const { code } = cause
  if (code === undefined || cause instanceof Problem) return cause
  if (exhausted.has(code)) return explainExhaustion(cause)
  return new Problem('SERVICE_UNAVAILABLE', describe(code), { cause })
}

/** The disk has no fault if no file can be opened. Returns any other error unchanged. */
function explainExhaustion(cause: NodeJS.ErrnoException): Error {
  if (!exhausted.has(cause.code ?? '')) return cause
  const message = `No file descriptor is free (${cause.code}), so no store file could be opened. The store continues with its old files: try again when there are fewer connections, or allow more descriptors (LimitNOFILE in the unit, or ulimit -n).`
  return new Problem('SERVICE_UNAVAILABLE', message, { cause })
}

function describeCompactionFault(code: string, directory: string, isWriting: boolean): string {
  // After a failed write, the journal accepts no changes until a restart.
  const restart = isWriting ? '' : ', then restart the service, which accepts no writes until then'
  return full.has(code)
    ? `There is no room left on the disk of ${directory}: compaction writes the store again before it removes the old files, so make room first${restart}.`
    : `The disk of ${directory} failed during the compaction (${code}). The store continues with its old files: check the disk${restart}.`
}
