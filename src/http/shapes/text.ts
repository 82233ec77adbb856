import { nullable, optional, refine, type Struct, string } from 'superstruct'

// C0 and C1 controls, and halves of a surrogate pair: no name has them, and not every store can keep them.
const unwritable = /\p{Cc}|\p{Cs}/u

/** Text that says something: not blank, at most `maximumLength` characters, no control characters. Spec gap: see DECISIONS.md, lengths. */
export function text(maximumLength = 200): Struct<string, null> {
  return refine(string(), 'text', (value) => {
    if (value.trim() === '') return 'must not be blank'
    if (value.length > maximumLength) return `must have at most ${maximumLength} characters`
    return unwritable.test(value) ? 'must not contain control characters' : true
  })
}

/** What may be left out may also be sent as null, as the service sends it. */
export function optionalText(maximumLength?: number): Struct<string | null | undefined, null> {
  return optional(nullable(text(maximumLength)))
}
