import { createInterface } from 'node:readline/promises'
import { escapeInvisible } from '../domain/text.ts'
import { commandError } from './errors.ts'

export interface Asked {
  /** It ends with a question mark. */
  readonly question: string
  /** The error without a terminal to ask at. */
  readonly instead: string
}

interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

/** Any answer but yes counts as no. Without a terminal, the answer is no. */
export async function requireYes(
  { question, instead }: Asked,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY || !output.isTTY) throw refusal(instead)
  const lines = createInterface({ input, output })
  try {
    // A question may contain text from a backup that somebody else made.
    const answer = await lines.question(escapeInvisible(`${question} [y/N] `))
    if (!/^y(es)?$/i.test(answer.trim())) throw refusal('Nothing was changed.')
  } finally {
    lines.close()
  }
}

function refusal(message: string): Error {
  return commandError('CONFIRMATION_REQUIRED', message)
}
