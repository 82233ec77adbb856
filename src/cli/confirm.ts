import { escapeInvisible } from '../domain/text.ts'
import { commandError } from './errors.ts'

export interface Asked {
  /** The question, with its question mark. */
  readonly question: string
  /** The error if there is no terminal at which to ask. */
  readonly instead: string
}

interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

// Standard input is opened at its first use.
const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr })

export function canAsk({ input, output }: Terminal = ownTerminal()): boolean {
  return input.isTTY === true && output.isTTY === true
}

/** Any answer but yes counts as no. Without a terminal, the answer is no. */
export async function requireYes(
  { question, instead }: Asked,
  terminal: Terminal = ownTerminal(),
): Promise<void> {
  if (!canAsk(terminal)) throw refusal(instead)
  // Most commands ask nothing, so the module is loaded here.
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface(terminal)
  try {
    // A question may contain text from a backup that somebody else made.
    // Ctrl+C and Ctrl+D close the input.
    const answer = await lines.question(escapeInvisible(`${question} [y/N] `)).catch(() => '')
    if (!/^y(es)?$/i.test(answer.trim())) throw refusal('Nothing was changed.')
  } finally {
    lines.close()
  }
}

/**
 * Asks before an action that cannot be undone. In staging, scripts of partners continue without an answer.
 * @param what for example `Revoke the key`
 */
export async function requireYesInProduction(
  {
    environment,
    yes,
  }: { readonly environment?: string | undefined; readonly yes?: boolean | undefined },
  what: string,
): Promise<void> {
  if (environment !== 'production' || yes) return
  await requireYes({
    question: `This cannot be undone. ${what} in production?`,
    instead: `${what} in production? This cannot be undone. Run the command again with --yes. Nothing was changed.`,
  })
}

function refusal(message: string): Error {
  return commandError('CONFIRMATION_REQUIRED', message)
}
