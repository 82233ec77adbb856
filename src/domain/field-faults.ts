import type { FieldErrors } from './problem.ts'

/** What may be wrong with each field, by its path; anything but a text means that nothing is. */
export type FieldFaults = Readonly<Record<string, string | false | undefined>>

export function errorsOf(faults: FieldFaults): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}
