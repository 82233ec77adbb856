import { dirname, resolve } from 'node:path'
import { Problem } from '../domain/problem.ts'
import type { DiskFile } from '../ports/machine.ts'
import { link, mkdir, open, openDiskFile, rename, rm, stat } from './files.ts'

export const privateDirectory = 0o700

/** The name of a file is durable only when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Creates the directory and its missing parents. All are durable when this resolves. Returns false if the directory
 * existed.
 */
export async function makePrivateDirectory(directory: string): Promise<boolean> {
  const first = await makeDirectory(directory, privateDirectory)
  if (first === undefined) return false
  for (let above = resolve(directory); above !== dirname(first); ) {
    above = dirname(above)
    await syncDirectory(above)
  }
  return true
}

/**
 * Creates a file. Its content is durable when this resolves, but not its name. If it fails, no file is left. Returns
 * the number of bytes.
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
 * Replaces a file. When this resolves, the whole new file survives a power loss. If the power is lost earlier, either
 * the old or the new file exists.
 * @param temporary a path that only this process uses, if another one may write the same file
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

/** Creates a file as `writeFileDurably` does. If the file exists, keeps it and returns false. */
export async function writeFirstFileDurably(
  path: string,
  content: string | Uint8Array,
  temporary: string,
): Promise<boolean> {
  await createFile(temporary, [Buffer.from(content)])
  try {
    // link(2) creates the name with its whole content or fails.
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

/**
 * Creates the directory and its missing parents. Returns the first directory that it has created, if any. Node's own
 * function never returns in file systems such as /proc, which allow no directories.
 * @param mode of each directory that is created
 */
export async function makeDirectory(directory: string, mode?: number): Promise<string | undefined> {
  const path = resolve(directory)
  if (await isDirectory(path)) return undefined
  const above = await makeDirectory(dirname(path), mode)
  const isMade = await makeOne(path, mode)
  return above ?? (isMade ? path : undefined)
}

async function makeOne(path: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await unlessMissing(stat(path))
  if (!found || found.isDirectory()) return found !== undefined
  throw Object.assign(new Error(`${path} is not a directory.`), { code: 'ENOTDIR', path })
}

/** Returns the result of reading a file or directory, or undefined if there is none. */
export async function unlessMissing<Result>(read: Promise<Result>): Promise<Result | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

const goneCodes: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ESTALE']

/**
 * The same for a path that was there before. Others may have removed or replaced any part of it, on a network file system
 * from another machine.
 */
export async function unlessGone<Result>(read: Promise<Result>): Promise<Result | undefined> {
  return read.catch((error: NodeJS.ErrnoException) => {
    if (!goneCodes.includes(error.code)) throw error
    return undefined
  })
}

const writableByOthers = 0o022

/**
 * Refuses a directory that other users can write to, because the program would trust a file planted there, such as
 * control.json. A missing or unreadable directory fails when it is opened. Parents are not checked: another user who
 * replaces the directory owns the new one, which is refused.
 */
export async function requireOwnDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined)
  if (!found?.isDirectory()) return
  const user = process.geteuid?.()
  // Root works in directories of service users, and can read and write all of them.
  if (user !== undefined && user !== 0 && found.uid !== user && found.uid !== 0) {
    throw notPrivate(
      directory,
      `belongs to user ${found.uid}, but this program runs as user ${user}. Run it as the user of the service, or change the owner of the directory: chown ${user} ${directory}`,
    )
  }
  if ((found.mode & writableByOthers) !== 0) {
    throw notPrivate(
      directory,
      `can be written to by other users. Correct that with: chmod go-w ${directory}`,
    )
  }
}

function notPrivate(directory: string, fault: string): Problem {
  return new Problem('DATA_DIRECTORY_NOT_PRIVATE', `The data directory ${directory} ${fault}`)
}
