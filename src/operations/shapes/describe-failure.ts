import type { Failure } from 'superstruct'

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** What is wrong with a value, as the end of a sentence about its path. */
export function describeFailure(failure: Failure): string {
  const { type, refinement, value } = failure
  // superstruct reports a field that the shape does not have as one that may never be there.
  if (type === 'never') return 'is unknown'
  if (value === undefined) return 'is required'
  const kind = kinds[type]
  if (kind !== undefined && refinement === undefined) return `must be ${kind}`
  return reword(expectationOf(failure), kind)
}

/** superstruct ends its sentence with the value it was given, which may be personal data. */
function expectationOf({ message }: Failure): string {
  return message.replace(/,? but received[\s\S]*$/, '')
}

/** The limits and the choices stand in superstruct's sentences only; a sentence of our own has nothing of them. */
function reword(expectation: string, kind = 'a value'): string {
  const choices = /^Expected one of `(.+)`$/.exec(expectation)?.[1]
  if (choices !== undefined) return `must be ${renderChoices(JSON.parse(`[${choices}]`))}`
  const only = /^Expected the literal `"?(.+?)"?`$/.exec(expectation)?.[1]
  if (only !== undefined) return `must be ${only}`
  return expectation
    .replace(/^Expected an? \w+ greater than or equal to /, `must be ${kind}, at least `)
    .replace(/^Expected an? \w+ less than or equal to /, `must be ${kind}, at most `)
    .replace(/^Expected an? nonempty \w+$/, 'must not be empty')
    .replace(/^Expected/, 'must be')
}

function renderChoices(choices: readonly string[]): string {
  return choices.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
