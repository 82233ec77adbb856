import fs from 'node:fs'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../domain/problem.ts'

const openDescriptor = promisify(fs.open)
const writeDescriptor = promisify(fs.write)
const syncDescriptor = promisify(fs.fdatasync)
const truncateDescriptor = promisify(fs.ftruncate)
const closeDescriptor = promisify(fs.close)

const privateFile = 0o600
export const privateDirectory = 0o700

/** A file that grows at its end: all that is asked of a disk. The store takes another one, so that tests can break it. */
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

/** For many files of one directory: those that wait at the same moment share a sync, which begins after all have asked. */
export function shareDirectorySync(path: string): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= underWay.then(() => {
      next = undefined
      const sync = syncDirectory(path)
      underWay = sync.catch(() => undefined)
      return sync
    })
    return next
  }
}

/** With all above it that is not there. On the disk when it resolves; false when it was there already. */
export async function makePrivateDirectory(directory: string): Promise<boolean> {
  const first = await makeDirectory(directory, { mode: privateDirectory })
  if (first === undefined) return false
  for (let above = resolve(directory); above !== dirname(first); ) {
    above = dirname(above)
    await syncDirectory(above)
  }
  return true
}

/**
 * A new file, of which all but its name is on the disk when it resolves; when it fails, nothing is left. Returns how many
 * bytes it has.
 */
export async function createFile(
  path: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await openDiskFile(path, 'create')
  try {
    return await fill(file, content)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function fill(
  file: DiskFile,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  let bytes = 0
  for await (const chunk of content) {
    await file.append(chunk)
    bytes += chunk.length
  }
  await file.sync()
  return bytes
}

/**
 * On the disk when it resolves, as a whole: after a power loss there is all of the file, or what was there before.
 * @param temporary of this process alone, where another one may write the same file at the same time
 */
export async function writeFileDurably(
  path: string,
  content: string | Uint8Array,
  temporary = `${path}.tmp`,
): Promise<void> {
  await rm(temporary, { force: true })
  await createFile(temporary, [Buffer.from(content)])
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}

/** The same for a file that must not exist yet: false when there is one, which stays. */
export async function writeFirstFileDurably(
  path: string,
  content: string | Uint8Array,
  temporary: string,
): Promise<boolean> {
  await createFile(temporary, [Buffer.from(content)])
  try {
    // The name with all of its content, or not at all.
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary)
  }
  await syncDirectory(dirname(path))
  return true
}

export async function truncateDurably(file: DiskFile, length: number): Promise<void> {
  await file.truncate(length)
  await file.sync()
}

interface Choice {
  /** Of each that is made. */
  readonly mode?: number
}

/**
 * With all above it. Returns the first that was made, if any.
 * Node's own way goes on for ever where a file system, such as /proc, takes no folders.
 */
export async function makeDirectory(
  directory: string,
  choice: Choice = {},
): Promise<string | undefined> {
  const path = resolve(directory)
  if (await isDirectory(path)) return undefined
  const above = await makeDirectory(dirname(path), choice)
  const isMade = await makeOne(path, choice)
  return above ?? (isMade ? path : undefined)
}

async function makeOne(path: string, choice: Choice): Promise<boolean> {
  try {
    await mkdir(path, choice)
    return true
  } catch (error) {
    // Another process has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await unlessMissing(stat(path))
  if (!found || found.isDirectory()) return found !== undefined
  throw Object.assign(new Error(`${path} is no directory.`), { code: 'ENOTDIR', path })
}

/** What is read of a file or directory; undefined when there is none. */
export async function unlessMissing<Result>(read: Promise<Result>): Promise<Result | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

const writableByOthers = 0o022

/**
 * Refuses a directory that other users can write to: a file planted there, such as a control.json, would be believed.
 * One that is not there, or cannot be looked at, fails when it is opened. The folders above it are not looked at:
 * another user who puts a directory in its place owns that one, which is refused.
 */
export async function requireOwnDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined)
  if (!found?.isDirectory()) return
  const user = process.geteuid?.()
  // Root works on directories of service users, and can read and write all of them.
  if (user !== undefined && user !== 0 && found.uid !== user && found.uid !== 0) {
    throw notPrivate(
      directory,
      `belongs to user ${found.uid}, and this is user ${user}. Run this as the user that the service runs as, or give it the directory: chown ${user} ${directory}`,
    )
  }
  if ((found.mode & writableByOthers) !== 0) {
    throw notPrivate(
      directory,
      `can be written to by other users. Mend that with: chmod go-w ${directory}`,
    )
  }
}

function notPrivate(directory: string, fault: string): Problem {
  return new Problem('DATA_DIRECTORY_NOT_PRIVATE', `The data directory ${directory} ${fault}`)
}
