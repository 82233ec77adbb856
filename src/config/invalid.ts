import { Errors } from '@oclif/core'

/** Wrong usage: what a flag or its variable says cannot be. */
export function invalid(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: 2 })
}
