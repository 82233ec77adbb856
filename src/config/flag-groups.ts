// Common parts of the flags of all commands.
import { Errors } from '@oclif/core'

/** The exit code of wrong usage. */
export const usageExitCode = 2

/** Also used for a wrong value in the variable of a flag. */
export function invalid(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: usageExitCode })
}

/**
 * Flags that say where the store or the service is. Help explains them once, on a separate page.
 */
export const connectionGroup = 'CONNECTION'
export const eventGroup = 'EVENTS AND E-MAIL'
export const backupGroup = 'BACKUPS'
export const limitGroup = 'LIMITS'
export const benchGroup = 'BENCH (STAGING ONLY)'
