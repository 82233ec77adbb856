import { usageExitCode } from '../config/common-flags.ts'
import {
  type ExitName,
  type ProblemCode,
  type ProblemExplanation,
  type ProblemRow,
  problems,
} from '../domain/problem-code.ts'

export const exitCodes = {
  failed: 1,
  wrongUsage: usageExitCode,
  notFound: 3,
  refused: 4,
  unreachable: 5,
} as const satisfies Readonly<Record<ExitName, number>>
type ExitCode = (typeof exitCodes)[ExitName]

interface CommandRow extends ProblemExplanation {
  readonly exit: ExitName
}

/** Codes that only commands have. */
const commandOnly = {
  FAILED: {
    exit: 'failed',
    meaning: 'The command failed for a reason without its own code.',
    advice:
      'Read the message. If the service failed, look for the request id of the message in the service log.',
  },
  WRONG_USAGE: {
    exit: 'wrongUsage',
    meaning: 'A command, a flag, an argument or a variable is unknown, missing or invalid.',
    advice: 'Read the message, or add `--help`.',
  },
  FILE_NOT_FOUND: {
    exit: 'wrongUsage',
    meaning: 'An input file does not exist.',
    advice: 'Check the path of the file.',
  },
  CONFIRMATION_REQUIRED: {
    exit: 'refused',
    meaning: 'The change needs a confirmation but got none. Nothing was changed.',
    advice: 'Answer yes at the terminal, or add `--yes`.',
  },
  PORT_UNAVAILABLE: {
    exit: 'unreachable',
    meaning: 'The port is in use or not permitted, or the host is not an address of this machine.',
    advice:
      'Use another port or host. `serve` reads its two ports from `COOPSHARE_PORT` and `COOPSHARE_OPERATOR_PORT`, unless flags set them.',
  },
} as const satisfies Readonly<Record<string, CommandRow>>

export type CommandOnlyCode = keyof typeof commandOnly

type CodeWithExit = {
  [Code in ProblemCode]: (typeof problems)[Code] extends { exit: ExitName } ? Code : never
}[ProblemCode]

export type CommandCode = CodeWithExit | CommandOnlyCode

interface CodeDescription extends ProblemExplanation {
  readonly exit: ExitCode
}

/** Every code of `--json` errors except those of the operating system. */
export const commandCodes = Object.fromEntries(
  [
    ...Object.entries<CommandRow>(commandOnly),
    ...Object.entries(problems).flatMap(commandRowOf),
  ].map(([code, { exit, meaning, advice }]) => [code, { exit: exitCodes[exit], meaning, advice }]),
) as Readonly<Record<CommandCode, CodeDescription>>

function commandRowOf([code, row]: readonly [string, ProblemRow]): (readonly [
  string,
  CommandRow,
])[] {
  const { exit, inCommands = row } = row
  return exit === undefined ? [] : [[code, { ...inCommands, exit }]]
}

/** A service of a later version can answer with a code that this version does not know. */
export function exitCodeFor(code: string): ExitCode {
  return Object.hasOwn(commandCodes, code)
    ? commandCodes[code as CommandCode].exit
    : exitCodes.failed
}
