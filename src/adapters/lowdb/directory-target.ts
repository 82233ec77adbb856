import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sealed } from '../../domain/sealed.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CopyTarget } from '../../ports/store-copy.ts'
import { openDiskFile, syncDirectory } from '../disk.ts'
import { acquireLock, type Lock } from '../file-lock/lock.ts'
import { chainStart } from './chained-line.ts'
import { removeLeftovers } from './compactor.ts'
import { createJournalFile } from './create-journal-file.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { readSnapshot } from './read-snapshot.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { requireDirectory, requireEmpty } from './store-directory.ts'
import {
  isOfLock,
  listFiles,
  lockName,
  nextNumber,
  recordedEndName,
  snapshotName,
} from './store-files.ts'
import { markUnfinishedCopy, removeMark, requireNoUnfinishedCopy } from './unfinished-copy.ts'

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
        onBatch({ collection, records })
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
