import { invalid } from '../config/invalid.ts'
import { lettersApart } from './letters-apart.ts'

/** @param known all flags of the command @returns the error with what may have been meant, where it is about flags that the command does not have */
export function suggestFlags(error: Error, known: readonly string[]): Error {
  if (!('flags' in error && Array.isArray(error.flags))) return error
  const unknown: readonly string[] = error.flags
  const similar = new Set(unknown.flatMap((flag) => findSimilar(nameOf(flag), known)))
  if (similar.size === 0) return error
  const [fault, ...advice] = error.message.split('\n')
  const meant = [...similar].map((name) => `--${name}`).join(' and ')
  const message = [`${fault}. Did you mean ${meant}?`, ...advice].join('\n')
  return invalid(message)
}

/** Of `--limti=5`: `limti`. */
function nameOf(flag: string): string {
  return flag.replaceAll(/^-+|=.*$/gs, '')
}

function findSimilar(typed: string, known: readonly string[]): string[] {
  const [best] = known
    .map((name) => ({ name, away: lettersApart(typed, name) }))
    .filter(({ away }) => Number.isFinite(away))
    .sort((left, right) => left.away - right.away)
  return best ? [best.name] : []
}
