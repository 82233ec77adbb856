import { createReadStream } from 'node:fs'
import { invalid } from '../../config/invalid.ts'
import { mostBodyBytes, readBodyOf } from './read-body-of.ts'

/** The bytes as they are; `-` is standard input. */
export async function readBody(file: string): Promise<Buffer> {
  const body = await readBodyOf(file === '-' ? process.stdin : createReadStream(file))
  if (body) return body
  const message = `The body in ${file} has more than ${mostBodyBytes} bytes, which no event has.`
  throw invalid(message)
}
