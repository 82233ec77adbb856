import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../config/common-flags.ts'
import { createFile, syncDirectory } from '../machine/durable-files.ts'
import { commandError } from './errors.ts'

/**
 * The file is synced, and readable by its owner only. A failed write leaves no file, because half a backup would be worse
 * than none.
 * @returns the number of bytes
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  const bytes = await createFile(path, content).catch((error) => {
    throw Object.assign(error, { isNew: true })
  })
  await syncDirectory(dirname(path))
  return bytes
}

/** A terminal would show the bytes as text. */
export function requirePipe(what = 'A backup'): void {
  if (!process.stdout.isTTY) return
  throw invalid(
    `${what} cannot be written to a terminal. Use | or >${what === 'A backup' ? ', or give a file' : ''}.`,
  )
}

/**
 * Fails if the reader ends early. The end of a backup shows the reader that the backup is complete.
 * @returns the number of bytes
 */
export async function writeOutput(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  what = 'The backup',
): Promise<number> {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of content) {
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(counted, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
    throw commandError('FAILED', `${what} is incomplete: the program that reads it has ended.`)
  }
  return bytes
}
