import { stripVTControlCharacters } from 'node:util'
import { Errors } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import { type CommandOnlyCode, commandCodes, exitCodeFor, exitCodes } from './error-codes.ts'

/** The exit code follows from the code. */
export function commandError(code: CommandOnlyCode, message: string): Errors.CLIError {
  return new Errors.CLIError(message, { code, exit: commandCodes[code].exit })
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Problem) return exitCodeFor(error.code)
  const { oclif } = error as { oclif?: { exit?: number | false } }
  return typeof oclif?.exit === 'number' ? oclif.exit : exitCodes.failed
}

export interface RenderedError {
  readonly code: string
  readonly message: string
  readonly errors?: Readonly<Record<string, string>>
}

export function renderError(error: unknown): RenderedError {
  const message = error instanceof Error ? messageOf(error) : String(error)
  if (!(error instanceof Problem)) return { code: codeOf(error), message }
  const { errors } = error.extra
  return { code: error.code, message, ...(errors && { errors }) }
}

export function describeError(error: Error): string {
  const message = messageOf(error)
  const errors = error instanceof Problem ? Object.entries(error.extra.errors ?? {}) : []
  const faults = errors.map(([path, fault]) => `${path} ${fault}`)
  // The message often says the only fault.
  const isSaid = faults.every((fault) => message.includes(fault))
  return isSaid ? message : [message, ...faults.map((fault) => `  ${fault}`)].join('\n')
}

/** Removes colours: oclif prints parts of its messages in grey. */
function messageOf(error: Error): string {
  return error instanceof Errors.CLIError ? stripVTControlCharacters(error.message) : error.message
}

/** Whether the message suffices without the stack. Any other error is a fault of the program. */
export function isForPeople(error: Error): boolean {
  const isSystemError = 'syscall' in error && 'code' in error
  return error instanceof Problem || error instanceof Errors.CLIError || isSystemError
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (code === 'FILE_NOT_FOUND') return code
  if (exitCodeOf(error) === exitCodes.wrongUsage) return 'WRONG_USAGE'
  // The code of a system error is, for example, ENOENT or EACCES.
  return typeof code === 'string' ? code : 'FAILED'
}
