import { stripVTControlCharacters } from 'node:util'
import { Errors } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

export interface RenderedError {
  readonly code: string
  readonly message: string
  readonly errors?: Readonly<Record<string, string>>
}

/** What `--json` shows of an error. */
export function renderError(error: unknown): RenderedError {
  const message = error instanceof Error ? messageOf(error) : String(error)
  if (!(error instanceof Problem)) return { code: codeOf(error), message }
  const { errors } = error.extra
  return { code: error.code, message, ...(errors && { errors }) }
}

/** What people read of an error: the sentence, then one line for each field. */
export function describeError(error: Error): string {
  const fields = error instanceof Problem ? Object.entries(error.extra.errors ?? {}) : []
  return [messageOf(error), ...fields.map(([path, fault]) => `  ${path} ${fault}`)].join('\n')
}

/** oclif prints a part of its own messages in grey. */
function messageOf(error: Error): string {
  return error instanceof Errors.CLIError ? stripVTControlCharacters(error.message) : error.message
}

/** Whether the message says all there is to say; of anything else, the stack is wanted. */
export function isForPeople(error: Error): boolean {
  const isSystemError = 'syscall' in error && 'code' in error
  return error instanceof Problem || error instanceof Errors.CLIError || isSystemError
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (code === 'FILE_NOT_FOUND') return code
  if (exitCodeOf(error) === exitCodes.wrongUsage) return 'WRONG_USAGE'
  // A system error says ENOENT, EACCES...
  return typeof code === 'string' ? code : 'FAILED'
}
