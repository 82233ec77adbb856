import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDiskFile, syncDirectory } from '../disk.ts'
import type { Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import type { Rotation } from './journal.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { snapshotName } from './store-files.ts'

export interface SnapshotToWrite {
  readonly directory: string
  readonly openFile: OpenDiskFile
  readonly collections: Collections
  readonly rotation: Rotation
  /** Resolves when all that the snapshot may have seen is durable in a journal. */
  readonly barrier: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes what is in memory while it changes. Records seen before a change and records seen after it may stand side by
 * side; the journal begun before is replayed over them, and its lines hold whole records, so both end the same.
 */
export async function writeSnapshot(toWrite: SnapshotToWrite): Promise<{ bytes: number }> {
  const { directory, openFile, rotation, barrier, signal } = toWrite
  const path = join(directory, snapshotName(rotation.number))
  const temporary = `${path}.tmp`
  const file = await openFile(temporary, 'create')
  try {
    const writer = new SnapshotWriter(file, signal)
    const bytes = await writeAll(writer, toWrite).finally(() => file.close())
    await barrier()
    await rename(temporary, path)
    await syncDirectory(directory)
    return { bytes }
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

async function writeAll(
  writer: SnapshotWriter,
  { collections, rotation }: SnapshotToWrite,
): Promise<number> {
  await writer.begin(rotation)
  for (const { name, values } of listCollections(collections)) await writer.add(name, values)
  return writer.end()
}

function listCollections(collections: Collections) {
  const all: readonly Pick<Collection<unknown>, 'name' | 'values'>[] = Object.values(collections)
  return all.map((collection) => ({ name: collection.name, values: collection.values() }))
}
