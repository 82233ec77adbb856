import { open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, syncDirectory } from '../disk.ts'
import { parseEncryptionKey } from '../encryption-key.ts'
import { isKeyFor } from '../key-check.ts'
import { createVault } from '../vault.ts'
import { type Backup, readBackup } from './backup.ts'
import { type FileRange, readChunks } from './lines.ts'
import { type KeySource, requireDirectory, requireEmpty } from './store-directory.ts'
import { keyName, manifestName, spoolName } from './store-files.ts'

export interface Restored {
  /** How many of each kind. */
  readonly records: Readonly<Record<string, number>>
  /** Where the key of the new store is: beside it, given and right, given and not right, or somewhere else. */
  readonly key: 'restored' | 'given' | 'other' | 'needed'
}

/**
 * Makes a store of a backup, in an empty directory.
 * @param backup the path of a file, or what a pipe says
 */
export async function restoreStore(
  backup: string | AsyncIterable<Uint8Array>,
  target: KeySource,
): Promise<Restored> {
  const { directory } = target
  await requireEmpty(directory)
  if (typeof backup !== 'string') return restoreStream(backup, target)
  const read = await readBackup(backup)
  await requireDirectory(directory)
  await writeFiles(read.files, directory)
  return describe(read, target)
}

/** What comes from a pipe can be read once, and is looked at twice. */
async function restoreStream(
  content: AsyncIterable<Uint8Array>,
  target: KeySource,
): Promise<Restored> {
  const { directory } = target
  await requireDirectory(directory)
  const spool = join(directory, spoolName)
  try {
    await createFile(spool, content)
    const read = await readBackup(spool, 'from standard input')
    await writeFiles(read.files, directory)
    await rm(spool)
    return describe(read, target)
  } catch (cause) {
    await rm(spool, { force: true })
    // With somebody's own files in it, it would stay.
    await rmdir(directory).catch(() => undefined)
    throw cause
  }
}

function describe({ tables, files, manifest }: Backup, { encryptionKey }: KeySource): Restored {
  const records = tables.counts()
  if (files.some(({ name }) => name === keyName)) return { records, key: 'restored' }
  if (encryptionKey === undefined) return { records, key: 'needed' }
  const fits = isKeyFor(manifest.keyCheck, createVault(parseEncryptionKey(encryptionKey)))
  return { records, key: fits ? 'given' : 'other' }
}

async function writeFiles(files: readonly FileRange[], directory: string): Promise<void> {
  // The manifest comes last: without it, what a crash leaves here is no store.
  const ordered = files.toSorted((left, right) => rank(left) - rank(right))
  try {
    for (const file of ordered) await copyFile(file, join(directory, file.name))
    await syncDirectory(directory)
  } catch (cause) {
    for (const { name } of ordered) await rm(join(directory, name), { force: true })
    throw cause
  }
}

function rank({ name }: FileRange): number {
  return name === manifestName ? 1 : 0
}

async function copyFile(file: FileRange, path: string): Promise<void> {
  const source = await open(file.path)
  try {
    await createFile(path, readChunks(source, file))
  } finally {
    await source.close()
  }
}
