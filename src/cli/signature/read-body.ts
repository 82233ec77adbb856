import { createReadStream } from 'node:fs'
import { invalid } from '../../config/invalid.ts'
import { readAtMost } from '../read-at-most.ts'

/** Far more than any event has. */
export const mostBodyBytes = 1024 * 1024

/** The bytes as they are; `-` is standard input. */
export async function readBody(file: string): Promise<Buffer> {
  const body = await readAtMost(
    file === '-' ? process.stdin : createReadStream(file),
    mostBodyBytes,
  )
  if (body) return body
  const message = `The body in ${file} has more than ${mostBodyBytes} bytes, which no event has.`
  throw invalid(message)
}
