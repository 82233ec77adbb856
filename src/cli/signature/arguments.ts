import { Args, Flags } from '@oclif/core'
import { invalid } from '../../config/invalid.ts'

/** Year 9999: the last second that an ISO 8601 instant can tell. */
const lastSecond = 253_402_300_799

export const bodyArgument = {
  file: Args.string({
    // The body is read from there below, as bytes.
    ignoreStdin: true,
    default: '-',
    description: 'File with the raw body; - is standard input.',
  }),
}

/** Also as a variable, so that the secret stands in no history of a shell. */
export function secretFlag() {
  return Flags.string({
    env: 'COOPSHARE_SIGNING_SECRET',
    required: true,
    helpValue: 'SECRET',
    description: 'Signing secret, whsec_…; better given as a variable.',
    parse: async (secret) => requireSecret(secret),
  })
}

/** An empty variable is the usual slip. */
function requireSecret(secret: string): string {
  if (secret !== '') return secret
  throw invalid('The signing secret is empty. Give it in COOPSHARE_SIGNING_SECRET.')
}

/** spec: Signature, 300 s. */
export function toleranceFlag() {
  return Flags.integer({
    min: 0,
    default: 300,
    helpValue: 'SECONDS',
    description: 'How far t may be from the moment of the verification.',
  })
}

export function secondsFlag(description: string) {
  return Flags.integer({ min: 0, max: lastSecond, helpValue: 'UNIX', description })
}

export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}
