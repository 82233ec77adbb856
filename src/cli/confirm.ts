import { createInterface } from 'node:readline/promises'
import { Errors } from '@oclif/core'
import { exitCodes } from './exit-codes.ts'

export interface Asked {
  /** Ends with a question mark. */
  readonly question: string
  /** What to do where there is nobody to ask. */
  readonly instead: string
}

interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

/** Asks the person at the terminal; anything but yes is no, and so is where nobody can be asked. */
export async function requireYes(
  { question, instead }: Asked,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY || !output.isTTY) throw refusal(instead)
  const lines = createInterface({ input, output })
  try {
    const answer = await lines.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw refusal('Nothing was changed.')
  } finally {
    lines.close()
  }
}

function refusal(message: string): Error {
  return new Errors.CLIError(message, {
    code: 'CONFIRMATION_REQUIRED',
    exit: exitCodes.refused,
  })
}
