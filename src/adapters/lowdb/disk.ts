import fs from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const openDescriptor = promisify(fs.open)
const writeDescriptor = promisify(fs.write)
const syncDescriptor = promisify(fs.fdatasync)
const truncateDescriptor = promisify(fs.ftruncate)
const closeDescriptor = promisify(fs.close)

const privateFile = 0o600
export const privateDirectory = 0o700

/** A file that grows at its end: all that the journal and the snapshots ask of a disk, so that tests can break it. */
export interface DiskFile {
  append(bytes: Uint8Array): Promise<void>
  /** Resolves when all that was appended survives a power loss. */
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

/** `create` refuses a file that is there; `extend` wants one. */
export type OpenDiskFile = (path: string, intent: 'create' | 'extend') => Promise<DiskFile>

export const openDiskFile: OpenDiskFile = async (path, intent) => {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = fs.constants
  const flags = O_WRONLY | O_APPEND | (intent === 'create' ? O_CREAT | O_EXCL : 0)
  const descriptor = await openDescriptor(path, flags, privateFile)
  // By its descriptor a file fails without its name.
  const naming = (error: Error) => {
    throw Object.assign(error, { path })
  }
  return {
    append: (bytes) => appendAll(descriptor, bytes).catch(naming),
    sync: () => syncDescriptor(descriptor).catch(naming),
    truncate: (length) => truncateDescriptor(descriptor, length).catch(naming),
    close: () => closeDescriptor(descriptor),
  }
}

// A write may take less than it was given, on a nearly full disk above all.
async function appendAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const result = await writeDescriptor(descriptor, bytes, written, bytes.length - written, null)
    written += result.bytesWritten
  }
}

/** A file's name is durable only when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await promisify(fs.fsync)(handle.fd)
  } finally {
    await handle.close()
  }
}

/** All of the file is there afterwards, or nothing of it. */
export async function writeFileDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`
  await fs.promises.rm(temporary, { force: true })
  const file = await openDiskFile(temporary, 'create')
  try {
    await file.append(Buffer.from(content))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}

export async function truncateDurably(file: DiskFile, length: number): Promise<void> {
  await file.truncate(length)
  await file.sync()
}
