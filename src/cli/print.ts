import { ux } from '@oclif/core'
import { showHidden } from '../domain/hidden-characters.ts'

/**
 * The only way to stdout and stderr: what a command prints may come from partners, from files or from other services,
 * and nothing of it reaches a terminal as a control character. The log of `serve` does the same.
 */
export function printOut(text: string): void {
  ux.stdout(showHidden(text))
}

export function printError(text: string): void {
  ux.stderr(showHidden(text))
}

/** On one line unless `pretty`. */
export function printJson(data: unknown, pretty: 'pretty' | undefined = undefined): void {
  printOut(JSON.stringify(data, undefined, pretty && 2) ?? 'null')
}

/** Of this program alone, in its colours. */
export function printOwn(text: string): void {
  ux.stdout(text)
}

/** For an error that is printed by oclif, with its stack. */
export function withShownText(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.assign(error, {
    message: showHidden(error.message),
    stack: error.stack && showHidden(error.stack),
  })
}
