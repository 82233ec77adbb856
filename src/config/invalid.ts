import { Errors } from '@oclif/core'

/** The exit code of wrong usage. */
export const wrongUsage = 2

/** Wrong usage: what was typed, or what the variable of a flag says, cannot be. */
export function invalid(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: wrongUsage })
}
