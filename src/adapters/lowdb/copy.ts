import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CollectionName, CopySource, CopyTarget } from '../../ports/store-copy.ts'
import { openDiskFile, syncDirectory } from '../disk.ts'
import { acquireLock, type Lock } from '../file-lock/lock.ts'
import { requireNotMoved } from '../moved-store.ts'
import { findContradictions } from './check-store.ts'
import { removeLeftovers } from './compactor.ts'
import { createJournalFile } from './journal.ts'
import { chainStart } from './lines.ts'
import { loadStore } from './load.ts'
import { readRecordedEnd, requireRecordedEnd } from './recorded-end.ts'
import { readSnapshot, SnapshotWriter } from './snapshot.ts'
import {
  type KeySource,
  type Manifest,
  markUnfinishedCopy,
  readManifest,
  removeMark,
  requireDirectory,
  requireEmpty,
  requireKey,
  requireManifest,
  requireNoUnfinishedCopy,
  writeManifest,
} from './store-directory.ts'
import {
  isOfLock,
  keyName,
  listFiles,
  lockName,
  nextNumber,
  recordedEndName,
  selectStoreFiles,
  snapshotName,
} from './store-files.ts'
import { batchesOf } from './table.ts'
import type { Tables } from './tables.ts'

/** The store in a directory, which nobody else has open as long as it is read. */
export async function openDirectorySource(source: KeySource): Promise<CopySource> {
  const { directory } = source
  await requireManifest(directory)
  const lock = await acquireLock({
    path: join(directory, lockName),
    subject: directory,
    code: 'STORE_LOCKED',
    advice: 'Stop that process first: the copy would lack what it takes meanwhile.',
  })
  try {
    const manifest = await requireManifest(directory)
    requireNotMoved(manifest.moved)
    return { ...(await load(source, manifest)), close: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function load(source: KeySource, manifest: Manifest): Promise<Omit<CopySource, 'close'>> {
  const { directory, encryptionKey } = source
  await requireKey(source, manifest)
  const recorded = await readRecordedEnd(directory)
  const { tables, end } = await loadStore(selectStoreFiles(await listFiles(directory)))
  requireRecordedEnd(directory, recorded, end)
  await requireSound(tables)
  return {
    keyCheck: manifest.keyCheck,
    count: tables.size,
    keyFile: encryptionKey === undefined ? join(directory, keyName) : undefined,
    read: (onBatch) => readAll(tables, onBatch),
    markMoved: (moved) => writeManifest(directory, { ...manifest, moved }),
  }
}

async function requireSound(tables: Tables): Promise<void> {
  for await (const problem of findContradictions(tables)) {
    throw new Problem(
      'STORE_DAMAGED',
      `Nothing was copied, because the store is not sound: ${problem} \`coopshare store check\` tells all.`,
    )
  }
}

/** Those that others refer to come first; of each collection, the oldest. */
export async function readAll(
  tables: Tables,
  onBatch: Parameters<CopySource['read']>[0],
): Promise<void> {
  for (const table of tables.all()) {
    for (const records of batchesOf(table.values())) {
      await onBatch({ collection: table.collection.name, records })
    }
  }
}

export interface DirectoryTargetOptions {
  readonly directory: string
  readonly keyCheck: Sealed
  readonly clock: Pick<Clock, 'now'>
}

/**
 * A snapshot of everything and an empty journal after it, in an empty directory. The key stays where it is. A store that
 * has moved gives way to the copy of it that lives: its files stay until the copy is kept.
 */
export async function openDirectoryTarget(options: DirectoryTargetOptions): Promise<CopyTarget> {
  const { directory } = options
  const givesWay = await isMovedCopy(options)
  if (!givesWay) await requireNoUnfinishedCopy(directory)
  if (!givesWay) await requireEmpty(directory)
  await requireDirectory(directory)
  const path = join(directory, lockName)
  const lock = await acquireLock({ path, subject: directory, code: 'STORE_LOCKED' })
  try {
    // Somebody may have been here before the lock was.
    if (!(await isMovedCopy(options))) await requireEmpty(directory, isOfLock)
    return await begin(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The text that is sealed with its key was copied with the store, so it tells a copy from any other store. */
async function isMovedCopy({ directory, keyCheck }: DirectoryTargetOptions): Promise<boolean> {
  const manifest = await readManifest(directory)
  return manifest?.moved !== undefined && manifest.keyCheck === keyCheck
}

async function begin(options: DirectoryTargetOptions, lock: Lock): Promise<CopyTarget> {
  const { directory, keyCheck, clock } = options
  await markUnfinishedCopy(directory)
  const number = nextNumber(await listFiles(directory))
  const snapshot = join(directory, snapshotName(number))
  // Under its own name it would stand for what is there.
  const draft = `${snapshot}.tmp`
  await rm(draft, { force: true })
  const file = await openDiskFile(draft, 'create')
  const writer = new SnapshotWriter(file)
  await writer.begin({ number, previous: chainStart })
  return {
    put: ({ collection, records }) => writer.add(collection, records),
    readBack: async (onBatch) => {
      await writer.end()
      const { size: bytes } = await stat(draft)
      const range = { name: snapshotName(number), path: draft, offset: 0, bytes, number }
      await readSnapshot(range, (collection, records) => {
        onBatch({ collection: collection as CollectionName, records })
        return true
      })
    },
    keep: async () => {
      await file.close()
      await rename(draft, snapshot)
      const place = { directory, openFile: openDiskFile }
      await (await createJournalFile(place, { number, checksum: chainStart })).file.close()
      // That of a store that gives way, which may have lost its end.
      await rm(join(directory, recordedEndName), { force: true })
      await writeManifest(directory, { createdAt: clock.now(), keyCheck })
      await removeMark(directory)
      await removeLeftovers(directory)
      await syncDirectory(dirname(directory))
      await lock.release()
    },
    // Nothing is discarded that was kept, so the draft is all there is.
    discard: async () => {
      await file.close()
      await rm(draft, { force: true })
      await removeMark(directory)
      await lock.release()
    },
  }
}
