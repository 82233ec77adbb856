import { dirname, join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { Encrypted } from '../../domain/text.ts'
import { syncDirectory, writeFileDurably } from '../../machine/durable-files.ts'
import { openDiskFile, rm } from '../../machine/files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CopySource, CopyTarget, RecordBatch, StoreMove } from '../../ports/store-admin.ts'
import { type KeyRotation, requireNoRotation } from '../encryption-key.ts'
import type { Lock } from '../file-lock/lock.ts'
import { requireNotMoved } from '../store-refusals.ts'
import { describeFault, findFaults } from './check-store.ts'
import { chainStart } from './checksummed-lines.ts'
import { createJournalFile } from './journal.ts'
import { loadDirectory, readSnapshot } from './load-store.ts'
import { SnapshotDraft } from './snapshot.ts'
import {
  type KeySource,
  readManifest,
  requireDirectory,
  requireEmpty,
  requireManifest,
  requireNotInterrupted,
  requireVault,
  withLock,
  writeManifest,
} from './store-directory.ts'
import {
  copyName,
  isOfLock,
  keyName,
  listFiles,
  recordedEndName,
  removeLeftovers,
  snapshotName,
} from './store-files.ts'
import { yieldingBatches } from './table.ts'
import type { Tables } from './tables.ts'

/** Opens the store in a directory and locks it while it is read. */
export async function openDirectorySource(source: KeySource): Promise<CopySource> {
  const { directory, encryptionKey } = source
  await requireManifest(directory)
  const advice = 'Stop that process first: the copy would lack its later changes.'
  return withLock(directory, advice, async (lock) => {
    const manifest = await requireManifest(directory)
    requireNotMoved(manifest.moved)
    requireNoRotation(manifest)
    await requireVault(source, manifest)
    const { tables } = await loadDirectory(directory)
    for await (const fault of findFaults(tables)) {
      throw new Problem(
        'STORE_DAMAGED',
        `Nothing was copied, because the store is not sound: ${describeFault(fault)} \`coopshare store check\` lists every fault.`,
      )
    }
    return {
      keyCheck: manifest.keyCheck,
      count: tables.size,
      keyFile: encryptionKey === undefined ? join(directory, keyName) : undefined,
      read: (onBatch) => readAll(tables, onBatch),
      markMoved: (moved) => writeManifest(directory, { ...manifest, moved }),
      close: () => lock.release(),
    }
  })
}

/** Referenced collections come first, and each collection is read oldest first. */
export async function readAll(
  tables: Tables,
  onBatch: Parameters<CopySource['read']>[0],
): Promise<void> {
  for (const table of tables.all()) {
    for await (const records of yieldingBatches(table.values())) {
      await onBatch({ collection: table.collection.name, records })
    }
  }
}

export interface DirectoryTargetOptions {
  readonly directory: string
  readonly keyCheck: Encrypted
  /** Given if the key was being changed. */
  readonly rotation?: KeyRotation | null | undefined
  /** Given if the copied store had moved before: the copy is then marked as moved, too. */
  readonly moved?: StoreMove | null | undefined
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Writes a snapshot of all records and an empty journal into a directory, without the key. The directory is empty, or
 * contains a store that was moved and that the copy replaces when it is committed.
 */
export async function openDirectoryTarget(options: DirectoryTargetOptions): Promise<CopyTarget> {
  const { directory } = options
  if (!(await isMovedCopy(options))) {
    await requireNotInterrupted(directory)
    await requireEmpty(directory)
  }
  await requireDirectory(directory)
  return withLock(directory, undefined, async (lock) => {
    // Another process may have written here before our process acquired the lock.
    if (!(await isMovedCopy(options))) await requireEmpty(directory, isOfLock)
    return begin(options, lock)
  })
}

/** The key check is copied with the store, so it distinguishes a copy of this store from any other store. */
async function isMovedCopy({ directory, keyCheck }: DirectoryTargetOptions): Promise<boolean> {
  const manifest = await readManifest(directory)
  return manifest?.moved !== undefined && manifest.keyCheck === keyCheck
}

async function begin(options: DirectoryTargetOptions, lock: Lock): Promise<CopyTarget> {
  const { directory, keyCheck, rotation, moved, clock } = options
  const mark = join(directory, copyName)
  await writeFileDurably(mark, 'A copy into this directory has begun and is not complete.\n')
  const present = await listFiles(directory)
  const number = 1 + Math.max(0, ...present.map((file) => file.number))
  const place = { directory, openFile: openDiskFile }
  // With its final name, the draft would be part of the store that is still there.
  const draft = await SnapshotDraft.open({ ...place, number })
  await draft.begin(chainStart)
  return {
    put: ({ collection, records }) => draft.add(collection, records),
    readBack: async (onBatch) => {
      const { path } = draft
      const bytes = await draft.end()
      await readSnapshot(
        { name: snapshotName(number), path, bytes, kind: 'snapshot', number },
        ([collection, records]) => onBatch({ collection, records } as RecordBatch),
      )
    },
    commit: async () => {
      await draft.commit()
      await (await createJournalFile(place, { number, checksum: chainStart })).file.close()
      // The recorded end belongs to the store that the copy replaces.
      await rm(join(directory, recordedEndName), { force: true })
      const marks = { ...(moved && { moved }), ...(rotation && { rotation }) }
      await writeManifest(directory, { createdAt: clock.now(), keyCheck, ...marks })
      await rm(mark, { force: true })
      await removeLeftovers(directory)
      await syncDirectory(dirname(directory))
      await lock.release()
    },
    // Called only before a commit, so only the draft exists.
    discard: async () => {
      await draft.discard()
      await rm(mark, { force: true })
      await lock.release()
    },
  }
}
