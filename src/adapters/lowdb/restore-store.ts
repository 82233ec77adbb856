import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, syncDirectory } from '../disk.ts'
import { countRecords } from './count-records.ts'
import { readBackup } from './read-backup.ts'
import { type FileRange, readChunks } from './read-lines.ts'
import { requireDirectory, requireEmpty } from './store-directory.ts'
import { manifestName } from './store-files.ts'

/** Makes a store of a backup, in an empty directory. Returns how many records of each kind are in it. */
export async function restoreStore(
  backupPath: string,
  directory: string,
): Promise<Readonly<Record<string, number>>> {
  await requireEmpty(directory)
  const { files, collections } = await readBackup(backupPath)
  await requireDirectory(directory)
  await writeFiles(files, directory)
  return countRecords(collections)
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
