import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

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
  const isMade = await make(path, choice)
  return above ?? (isMade ? path : undefined)
}

async function make(path: string, choice: Choice): Promise<boolean> {
  try {
    await mkdir(path, choice)
    return true
  } catch (error) {
    // Somebody else has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found && !found.isDirectory()) throw notADirectory(path)
  return found !== undefined
}

function notADirectory(path: string): Error {
  return Object.assign(new Error(`${path} is no directory.`), { code: 'ENOTDIR', path })
}
