import { chmod, readdir } from 'node:fs/promises'
import { Problem } from '../../domain/problem.ts'
import { makePrivateDirectory, privateDirectory } from '../disk.ts'
import { requireOwnDirectory } from '../require-own-directory.ts'

export async function requireDirectory(directory: string): Promise<void> {
  if (await makePrivateDirectory(directory)) return
  // Somebody's own directory with other things in it keeps its mode; the files in it are private all the same.
  const isEmpty = (await readdir(directory)).length === 0
  // One that is not ours is refused by what it is.
  if (isEmpty) await chmod(directory, privateDirectory).catch(() => {})
  await requireOwnDirectory(directory)
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
