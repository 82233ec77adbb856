import { Errors } from '@oclif/core'

/** The exit code of wrong usage. */
export const usageExitCode = 2

/** Also used for a wrong value in the variable of a flag. */
export function invalid(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: usageExitCode })
}
