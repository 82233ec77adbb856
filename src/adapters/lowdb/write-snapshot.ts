import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chainStart, sealLine } from './chained-line.ts'
import type { Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import { type DiskFile, type OpenDiskFile, syncDirectory } from './disk.ts'
import type { Rotation } from './journal.ts'
import { formatVersion, type SnapshotHeader, snapshotBody, snapshotFormat } from './line-forms.ts'
import { snapshotName } from './store-files.ts'

// Less than a millisecond of work between two turns of the event loop, and lines that are cheap to read back:
// V8 gives longer texts pages of their own, which took a quarter of the time of a start.
const sliceLength = 32 * 1024
// What a file system has not yet written out holds up the journal's next sync.
const unsyncedBytes = 8 * 1024 * 1024

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
    const bytes = await writeAll(new ChainedWriter(file, signal), toWrite).finally(() =>
      file.close(),
    )
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
  writer: ChainedWriter,
  { collections, rotation }: SnapshotToWrite,
): Promise<number> {
  const { number: journal, previous } = rotation
  const header: SnapshotHeader = {
    format: snapshotFormat,
    version: formatVersion,
    journal,
    previous,
  }
  await writer.write(JSON.stringify(header))
  const counts: Record<string, number> = {}
  for (const collection of Object.values(collections)) {
    counts[collection.name] = await writeCollection(writer, collection)
  }
  await writer.write(JSON.stringify({ counts }))
  await writer.finish()
  return writer.bytes
}

async function writeCollection(
  writer: ChainedWriter,
  collection: Pick<Collection<unknown>, 'name' | 'values'>,
): Promise<number> {
  let slice: string[] = []
  let length = 0
  let count = 0
  for (const record of collection.values()) {
    const text = JSON.stringify(record)
    slice.push(text)
    length += text.length
    count += 1
    if (length < sliceLength) continue
    await writer.write(snapshotBody(collection.name, slice))
    slice = []
    length = 0
  }
  if (slice.length > 0) await writer.write(snapshotBody(collection.name, slice))
  return count
}

class ChainedWriter {
  readonly #file: DiskFile
  readonly #signal: AbortSignal
  #checksum = chainStart
  #bytes = 0
  #unsynced = 0

  constructor(file: DiskFile, signal: AbortSignal) {
    this.#file = file
    this.#signal = signal
  }

  get bytes(): number {
    return this.#bytes
  }

  async write(body: string): Promise<void> {
    this.#signal.throwIfAborted()
    const { line, checksum } = sealLine(this.#checksum, body)
    const bytes = Buffer.from(line)
    this.#checksum = checksum
    this.#bytes += bytes.length
    this.#unsynced += bytes.length
    await this.#file.append(bytes)
    if (this.#unsynced >= unsyncedBytes) await this.finish()
  }

  async finish(): Promise<void> {
    await this.#file.sync()
    this.#unsynced = 0
  }
}
