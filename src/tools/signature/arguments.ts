import { createReadStream } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import { readAtMost } from '../../cli/files/read-file.ts'
import { invalid } from '../../config/common-flags.ts'
import { readSecret } from '../../domain/text.ts'

/** The last second of the year 9999, which is the last one in ISO 8601. */
const lastSecond = 253_402_300_799

export const bodyArgument = {
  file: Args.string({
    // The body is read below, as bytes.
    ignoreStdin: true,
    default: '-',
    description: 'File with the raw body; - reads standard input.',
  }),
}

/** With the variable, the secret does not end up in the history of a shell. */
export const secretFlag = Flags.string({
  env: 'COOPSHARE_SIGNING_SECRET',
  required: true,
  helpValue: 'SECRET',
  description: 'Signing secret (whsec_…). Prefer the variable.',
  parse: async (text) => requireSecret(text),
})

/** Reads the signing secret for a command that takes it from the variable alone. */
export function readSigningSecret(): string {
  const text = process.env['COOPSHARE_SIGNING_SECRET']
  if (text !== undefined) return requireSecret(text)
  throw invalid('Set COOPSHARE_SIGNING_SECRET to the signing secret of the receiver.')
}

/** An empty variable is a common mistake. */
function requireSecret(text: string): string {
  const secret = readSecret(text)
  if (secret !== undefined) return secret
  throw invalid('The signing secret is empty. Set it in COOPSHARE_SIGNING_SECRET.')
}

/** spec: Signature, 300 s. */
export const toleranceFlag = Flags.integer({
  min: 0,
  default: 300,
  helpValue: 'SECONDS',
  description: 'Largest accepted age of a signature.',
})

export function secondsFlag(description: string) {
  return Flags.integer({ min: 0, max: lastSecond, helpValue: 'UNIX', description })
}

export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}

/** The maximum size of a body; no event is nearly as large. */
export const maximumBodyBytes = 1024 * 1024

/** `-` is standard input. */
export async function readBody(file: string): Promise<Buffer> {
  const body = await readAtMost(
    file === '-' ? process.stdin : createReadStream(file),
    maximumBodyBytes,
  )
  if (body) return body
  const message = `The body in ${file} has more than ${maximumBodyBytes} bytes. No event is that large.`
  throw invalid(message)
}
