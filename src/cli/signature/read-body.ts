import { createReadStream } from 'node:fs'
import { Errors } from '@oclif/core'
import { exitCodes } from '../exit-codes.ts'

/** Far more than any event has. */
const maximumBytes = 1024 * 1024

/** The bytes as they are; `-` is standard input. */
export async function readBody(file: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maximumBytes) throw tooLong(file)
  }
  return Buffer.concat(chunks)
}

function tooLong(file: string): Errors.CLIError {
  const message = `The body in ${file} has more than ${maximumBytes} bytes, which no event has.`
  return new Errors.CLIError(message, { exit: exitCodes.wrongUsage })
}
