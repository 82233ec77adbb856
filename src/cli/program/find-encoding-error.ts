import { commandError } from '../errors.ts'

// Node replaces bytes that are not UTF-8, so a name would be stored without its letters.
const replacement = '\ufffd'

/** An argument or a setting in another encoding, such as Latin-1, is an error. */
export function findEncodingError(
  argv: readonly string[],
  variables: NodeJS.ProcessEnv,
): Error | undefined {
  const argument = argv.findIndex((word) => word.includes(replacement))
  const [variable] =
    Object.entries(variables).find(
      ([name, value]) => name.startsWith('COOPSHARE_') && value?.includes(replacement),
    ) ?? []
  const what = argument < 0 ? variable : nameOf(argv, argument)
  if (what === undefined) return undefined
  return commandError(
    'WRONG_USAGE',
    `${what} is not UTF-8 text (it has the replacement character U+FFFD): the terminal or script uses another encoding, such as Latin-1. Use UTF-8, for example with LANG=C.UTF-8, and enter the text again.`,
  )
}

/** The text itself may be a secret. The word after a flag may also be an argument of the command. */
function nameOf(argv: readonly string[], index: number): string {
  const [flag] = /^--[a-z-]+(?==)/.exec(argv[index] ?? '') ?? []
  if (flag !== undefined) return `The value of ${flag}`
  const [previous] = /^--[a-z-]+$/.exec(argv[index - 1] ?? '') ?? []
  return previous === undefined ? `Argument ${index + 1}` : `The argument after ${previous}`
}
