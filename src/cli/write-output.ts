import { pipeline } from 'node:stream/promises'
import { Errors } from '@oclif/core'
import { invalid } from '../config/invalid.ts'
import { exitCodes } from './exit-codes.ts'

/** Bytes are for a pipe or a file: a terminal would show what it can make of them. */
export function requirePipe(): void {
  if (!process.stdout.isTTY) return
  throw invalid('A backup is not written to a terminal. Send it on with | or >, or name a file.')
}

/** Returns how many bytes were written. Whoever reads them tells by the end of a backup that it is all there. */
export async function writeOutput(content: AsyncIterable<Uint8Array>): Promise<number> {
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
    throw new Errors.CLIError('The backup is not complete: what reads it has ended.', {
      exit: exitCodes.failed,
    })
  }
  return bytes
}
