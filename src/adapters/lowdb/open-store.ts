import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Low, Memory } from 'lowdb'
import { timestampOf } from '../../domain/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import { type OpenDiskFile, openDiskFile } from '../disk.ts'
import { acquireLock, type Lock } from '../file-lock/lock.ts'
import { createKeyCheck } from '../key-check.ts'
import { requireNotMoved } from '../moved-store.ts'
import { noStore } from '../no-store.ts'
import { createVault } from '../vault.ts'
import { createJournalFile, type JournalPlace } from './journal.ts'
import { JournalAdapter, JournaledStore } from './journaled-store.ts'
import { chainStart } from './lines.ts'
import { LowdbStore, type StoreData } from './lowdb-store.ts'
import {
  createKey,
  listUnfinished,
  type Manifest,
  readManifest,
  requireDirectory,
  requireKey,
  requireNoUnfinishedCopy,
  requireTraces,
  writeManifest,
} from './store-directory.ts'
import { lockName } from './store-files.ts'
import { type Collections, Tables } from './tables.ts'

export interface LowdbStoreOptions {
  readonly directory: string
  /** 32 bytes as hexadecimal or base64; without it the store makes its own and keeps it beside the data. */
  readonly encryptionKey?: string | undefined
  /** Makes none where there is none. */
  readonly onlyExisting?: boolean
  /** A store that has moved can be read; it is not served. */
  readonly isServed?: boolean
  readonly clock?: Pick<Clock, 'now'>
  readonly openFile?: OpenDiskFile
  /** Those of this release, unless a test adds one. */
  readonly collections?: Collections
}

/** Opens the store in a directory, and makes one where there is none yet, unless only an existing one is wanted. */
export async function openLowdbStore(options: LowdbStoreOptions): Promise<JournaledStore> {
  if (options.onlyExisting) await requireTraces(options.directory)
  await requireDirectory(options.directory)
  const lock = await acquireLock({
    path: join(options.directory, lockName),
    subject: options.directory,
    code: 'STORE_LOCKED',
  })
  try {
    return await openLocked(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(options: LowdbStoreOptions, lock: Lock): Promise<JournaledStore> {
  const { directory, openFile = openDiskFile } = options
  const place = { directory, openFile }
  const manifest = (await readManifest(directory)) ?? (await createStore(options, place))
  if (options.isServed) requireNotMoved(manifest.moved)
  const vault = createVault(await requireKey(options, manifest))
  const adapter = new JournalAdapter(place, options.collections)
  const low = new Low<StoreData>(adapter, { tables: new Tables(), changes: [] })
  await low.read()
  const moved = manifest.moved ?? null
  return new JournaledStore({ low, adapter, lock, directory, vault, moved })
}

async function createStore(options: LowdbStoreOptions, place: JournalPlace): Promise<Manifest> {
  await requireNoUnfinishedCopy(options.directory)
  const unfinished = await listUnfinished(options.directory)
  if (options.onlyExisting) throw noStore(options.directory)
  for (const path of unfinished) await rm(path)
  const key = await createKey(options)
  const journal = await createJournalFile(place, { number: 1, checksum: chainStart })
  await journal.file.close()
  const createdAt = options.clock?.now() ?? timestampOf(new Date())
  const manifest: Manifest = { createdAt, keyCheck: createKeyCheck(createVault(key)) }
  await writeManifest(options.directory, manifest)
  return manifest
}

/** The file store without the file: for tests. */
export function openMemoryStore(collections?: Collections): LowdbStore {
  const data = { tables: new Tables(collections), changes: [] }
  return new LowdbStore(new Low<StoreData>(new Memory<StoreData>(), data))
}
