import type { Choice, Place } from './read-completions.ts'

/** How a shell sets its variable `choices`. */
type Assign = (choices: readonly Choice[]) => string

/** One of them is reached by the words so far, each with a space behind it: `purchase list `. */
export function renderKnownWords(places: readonly Place[]): string {
  return places.flatMap(({ words }) => (words === '' ? [] : quote(words))).join('|')
}

/** What may come at `$at`. */
export function renderPlaceCases(places: readonly Place[], assign: Assign): string {
  return renderCases(
    places.map(({ words, subcommands, flags }) => [at(words), [...subcommands, ...flags]]),
    assign,
  )
}

/** What may come behind a flag that takes a value. */
export function renderValueCases(places: readonly Place[], assign: Assign): string {
  const choicesOf = (values: readonly string[]) => values.map((word) => ({ word, description: '' }))
  return renderCases(
    places.flatMap(({ words, flags }) =>
      flags
        .filter(({ takesValue }) => takesValue)
        .map(({ word, values }): Case => [`${at(words)}${word}`, choicesOf(values)]),
    ),
    assign,
  )
}

type Case = readonly [pattern: string, choices: readonly Choice[]]

function renderCases(cases: readonly Case[], assign: Assign): string {
  return cases
    .map(([pattern, choices]) => `    ${quote(pattern)}) ${assign(choices)} ;;`)
    .join('\n')
}

function at(words: string): string {
  return words === '' ? '' : `${words} `
}

/** For any shell but fish. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
