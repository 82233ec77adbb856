import { Args, Flags } from '@oclif/core'

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
  })
}

export function secondsFlag(description: string) {
  return Flags.integer({ min: 0, max: lastSecond, helpValue: 'UNIX', description })
}

export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}
