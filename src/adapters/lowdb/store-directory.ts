import { chmod, readdir } from 'node:fs/promises'
import { Problem } from '../../domain/problem.ts'
import { makePrivateDirectory, privateDirectory } from '../disk.ts'

export async function requireDirectory(directory: string): Promise<void> {
  if (await makePrivateDirectory(directory)) return
  // Somebody's own directory with other things in it keeps its mode; the files in it are private all the same.
  if ((await readdir(directory)).length === 0) await chmod(directory, privateDirectory)
}

/** @param isExpected what may be there */
export async function requireEmpty(
  directory: string,
  isExpected: (name: string) => boolean = () => false,
): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  if (names.every(isExpected)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `${directory} is not empty. Name a new directory, and nothing is overwritten.`,
  )
}
