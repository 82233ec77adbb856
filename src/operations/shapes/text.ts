import { define, nullable, optional, refine, type Struct, string } from 'superstruct'
import { countCharacters } from '../../domain/count-characters.ts'
import { isBlank } from '../../domain/is-blank.ts'
import { isWritable } from '../../domain/is-writable.ts'

const lineBreaks = /[\n\r\t]/g

/** Text that says something: not blank, at most `maximumLength` characters, no control characters. Spec gap: see DECISIONS.md, lengths. */
export function text(maximumLength = 200): Struct<string, null> {
  return refine(string(), 'text', (value) => textFault(value, maximumLength) ?? true)
}

/** What may be left out may also be sent as null, as the service sends it. */
export function optionalText(maximumLength?: number): Struct<string | null | undefined, null> {
  return optional(nullable(text(maximumLength)))
}

/** Text of several lines. */
export function prose(maximumLength = 4000): Struct<string, null> {
  return refine(
    string(),
    'prose',
    (value) => textFault(value.replace(lineBreaks, ' '), maximumLength) ?? true,
  )
}

/** Text in a file, where what looks like a number is one until it is put in quotes. */
export function fileText(maximumLength = 200): Struct<string, null> {
  return define('text', (value) => {
    if (typeof value === 'number') return 'must be text: put it in quotes'
    if (typeof value !== 'string') return 'must be text'
    return textFault(value, maximumLength) ?? true
  })
}

function textFault(value: string, maximumLength: number): string | undefined {
  if (isBlank(value)) return 'must not be blank'
  if (countCharacters(value) > maximumLength) return `must have at most ${maximumLength} characters`
  return isWritable(value) ? undefined : 'must not contain control characters or broken surrogates'
}
