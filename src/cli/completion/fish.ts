import type { Choice, FlagChoice, Place } from './read-completions.ts'

export function renderFish(bin: string, places: readonly Place[]): string {
  const known = places.flatMap(({ words }) => (words === '' ? [] : quote(words)))
  return `function __${bin}_at
  set -l at
  for word in (commandline -opc)[2..]
    contains -- (string join -- ' ' $at $word) ${known.join(' ')}
    and set -a at $word
  end
  test "$at" = "$argv"
end
${places.flatMap((place) => completionsOf(bin, place)).join('\n')}`
}

function completionsOf(bin: string, { words, subcommands, flags }: Place): string[] {
  const complete = `complete -c ${bin} -n ${quote(`__${bin}_at ${words}`)}`
  return [
    ...subcommands.map((choice) => `${complete} -f -a ${choice.word}${describe(choice)}`),
    ...flags.map((flag) => `${complete} -l ${flag.word.slice(2)}${value(flag)}${describe(flag)}`),
  ]
}

/** Files are offered for a value that may be anything. */
function value({ takesValue, values }: FlagChoice): string {
  if (!takesValue) return ''
  return values.length === 0 ? ' -r' : ` -x -a ${quote(values.join(' '))}`
}

function describe({ description }: Choice): string {
  return description === '' ? '' : ` -d ${quote(description)}`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
