import { stripVTControlCharacters } from 'node:util'
import { Errors } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import * as schemas from '../wire/json-schema.ts'
import { field, ifPresent, nested, text, view } from '../wire/view.ts'
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

const renderedError = view<unknown>()('Error', {
  code: text('Error code; see [Errors](errors.md).', (it) =>
    it instanceof Problem ? it.code : codeOf(it),
  ),
  message: text('Message for people, which may change in later versions.', (it) =>
    it instanceof Error ? messageOf(it) : String(it),
  ),
  errors: ifPresent(
    field(
      schemas.byName(schemas.text(''), 'Message for each invalid field, by field path.'),
      (it: unknown) => (it instanceof Problem ? it.extra.errors : undefined),
    ),
  ),
})

export const renderError = renderedError.render

/** Every command prints this when it fails. */
export const failure = view<unknown>()('Failure', {
  error: nested(renderedError, 'Why the command failed.', (it) => it),
})

interface FailedItem {
  readonly id: string
  readonly problem: unknown
}

/** What a command for many ids prints in place of each that failed. */
export const failedSharePurchase = view<FailedItem>()('Failed share purchase', {
  share_purchase_id: text('The id that you gave.', (it) => it.id),
  error: nested(renderedError, 'Why the share purchase was not changed.', (it) => it.problem),
})
export const failedErasure = view<FailedItem>()('Failed erasure', {
  investor_id: text('The id that you gave.', (it) => it.id),
  error: nested(renderedError, 'Why the person was not erased.', (it) => it.problem),
})
export const failedEvent = view<FailedItem>()('Failed event', {
  event_id: text('The id that you gave.', (it) => it.id),
  error: nested(renderedError, 'Why the event was not replayed.', (it) => it.problem),
})

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
