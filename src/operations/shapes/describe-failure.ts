import type { Failure } from 'superstruct'

/** What is wrong with a value, as the end of a sentence about its path. */
export function describeFailure(failure: Failure): string {
  // superstruct reports a field that the shape does not have as one that may never be there.
  if (failure.type === 'never') return 'is unknown'
  if (failure.value === undefined) return 'is required'
  // superstruct ends its sentence with the value it was given, which may be personal data.
  return failure.message.replace(/,? but received[\s\S]*$/, '').replace(/^Expected/, 'must be')
}
