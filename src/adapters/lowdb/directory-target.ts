import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sealed } from '../../domain/sealed.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CopyTarget } from '../../ports/store-copy.ts'
import { type DiskFile, openDiskFile, syncDirectory } from '../disk.ts'
import { acquireLock, type Lock } from '../file-lock/lock.ts'
import { chainStart } from './chained-line.ts'
import { createJournalFile } from './create-journal-file.ts'
import { writeManifest } from './manifest.ts'
import { readSnapshot } from './read-snapshot.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { requireDirectory, requireEmpty } from './store-directory.ts'
import { isOfLock, journalName, lockName, snapshotName } from './store-files.ts'
import { markUnfinishedCopy, removeMark, requireNoUnfinishedCopy } from './unfinished-copy.ts'

export interface DirectoryTargetOptions {
  readonly directory: string
  readonly keyCheck: Sealed
  readonly clock: Pick<Clock, 'now'>
}

const first = 1

/** A snapshot of everything and an empty journal after it, in an empty directory. The key stays where it is. */
export async function openDirectoryTarget(options: DirectoryTargetOptions): Promise<CopyTarget> {
  const { directory } = options
  await requireNoUnfinishedCopy(directory)
  await requireEmpty(directory)
  await requireDirectory(directory)
  const path = join(directory, lockName)
  const lock = await acquireLock({ path, subject: directory, code: 'STORE_LOCKED' })
  try {
    await requireEmpty(directory, isOfLock)
    return await begin(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function begin(options: DirectoryTargetOptions, lock: Lock): Promise<CopyTarget> {
  const { directory, keyCheck, clock } = options
  await markUnfinishedCopy(directory)
  const snapshot = join(directory, snapshotName(first))
  const file = await openDiskFile(snapshot, 'create')
  const writer = new SnapshotWriter(file)
  await writer.begin({ number: first, previous: chainStart })
  return {
    put: ({ collection, records }) => writer.add(collection, records),
    readBack: async (onBatch) => {
      await writer.end()
      const { size: bytes } = await stat(snapshot)
      const range = { name: snapshotName(first), path: snapshot, offset: 0, bytes, number: first }
      await readSnapshot(range, (collection, records) => {
        onBatch({ collection, records })
        return true
      })
    },
    keep: async () => {
      await file.close()
      const place = { directory, openFile: openDiskFile }
      await (await createJournalFile(place, { number: first, checksum: chainStart })).file.close()
      await writeManifest(directory, { createdAt: clock.now(), keyCheck })
      await removeMark(directory)
      await syncDirectory(dirname(directory))
      await lock.release()
    },
    discard: () => discard(directory, file, lock),
  }
}

async function discard(directory: string, file: DiskFile, lock: Lock): Promise<void> {
  await file.close()
  for (const name of [snapshotName(first), journalName(first)]) {
    await rm(join(directory, name), { force: true })
  }
  await removeMark(directory)
  await lock.release()
}
