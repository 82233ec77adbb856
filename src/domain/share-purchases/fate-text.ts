// How files and operators write a fate: `settle`, `reject:REASON`, `return-after:3d` or `stay`.

import { countCharacters, isBlank, isStorable } from '../text.ts'
import { parseDuration, renderDuration } from '../timestamp.ts'
import { type Fate, maximumReasonLength } from './share-purchase.ts'

const [rejection, bankReturn] = ['reject:', 'return-after:']
// Ten years, because a timestamp cannot express every later instant.
const maximumReturnMs = 3_650 * 24 * 3_600_000

const forms =
  'must be settle, reject:REASON, return-after:DURATION (such as return-after:3d) or stay'

/** Returns why a text is not a fate, as the end of a sentence; undefined if it is one. */
export function fateError(text: string): string | undefined {
  if (text === 'settle' || text === 'stay') return undefined
  if (text.startsWith(rejection)) return reasonError(text.slice(rejection.length))
  if (!text.startsWith(bankReturn)) return forms
  const ms = parseDuration(text.slice(bankReturn.length))
  if (ms === undefined) return `${forms}; a duration is a number and ms, s, m, h or d`
  return ms > 0 && ms <= maximumReturnMs ? undefined : 'must be a return after at most 3650d'
}

function reasonError(reason: string): string | undefined {
  if (isBlank(reason)) return `${forms}; the reason must not be blank`
  if (!isStorable(reason)) return 'must have a reason without control characters'
  if (countCharacters(reason) <= maximumReasonLength) return undefined
  return `must have a reason of at most ${maximumReasonLength} characters`
}

/** @param text a text without a `fateError` */
export function parseFate(text: string): Fate {
  if (text.startsWith(rejection)) {
    return { kind: 'reject', reason: text.slice(rejection.length).trim() }
  }
  const afterMs = parseDuration(text.slice(bankReturn.length))
  if (afterMs !== undefined) return { kind: 'return', afterMs }
  return { kind: text === 'settle' ? 'settle' : 'stay' }
}

export function renderFate(fate: Fate): string {
  switch (fate.kind) {
    case 'reject':
      return `${rejection}${fate.reason}`
    case 'return':
      return `${bankReturn}${renderDuration(fate.afterMs)}`
    default:
      return fate.kind
  }
}
