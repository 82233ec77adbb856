import type { Choice, FlagChoice, Place } from './choices.ts'

/** Works with bash 3.2, which macOS has. Without known choices, the shell offers files. */
export function renderBash(bin: string, places: readonly Place[]): string {
  return `_${bin}() {
  local last=$COMP_CWORD current="\${COMP_WORDS[COMP_CWORD]}"
  local at='' choices='' typed='' previous word i
  # bash splits investors:read into three words and replaces only the last one.
  if [[ $current == : ]]; then
    typed="\${COMP_WORDS[last-1]}:" current='' last=$((last - 1))
  elif [[ \${COMP_WORDS[last-1]} == : ]]; then
    typed="\${COMP_WORDS[last-2]}:" last=$((last - 2))
  elif [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    # bash 3 does not split it.
    typed="\${current%:*}:" current="\${current##*:}"
  fi
  previous="\${COMP_WORDS[last-1]}"
  # bash also splits --status=settled.
  [[ $previous == = ]] && previous="\${COMP_WORDS[last-2]}"
  [[ $current == = ]] && current=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at$word" in
    ${renderKnownWords(places)}) at="$at$word " ;;
    esac
  done
  case "$at" in
${renderPlaceCases(places, assignInBash)}
  esac
  case "$at$previous" in
${renderValueCases(places, assignInBash)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$typed$current"))
  COMPREPLY=("\${COMPREPLY[@]#"$typed"}")
}
complete -o default -F _${bin} ${bin}`
}

function assignInBash(choices: readonly Choice[]): string {
  return `choices=${quote(choices.map(({ word }) => word).join(' '))}`
}

/** Without known choices, the shell offers files. */
export function renderZsh(bin: string, places: readonly Place[]): string {
  return `#compdef ${bin}
_${bin}() {
  local at='' word previous="\${words[CURRENT-1]}"
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at$word" in
    ${renderKnownWords(places)}) at="$at$word " ;;
    esac
  done
  case "$at" in
${renderPlaceCases(places, assignInZsh)}
  esac
  if compset -P '--*='; then
    previous="\${IPREFIX%=}"
  fi
  case "$at$previous" in
${renderValueCases(places, assignInZsh)}
  esac
  (( $#choices )) && _describe ${bin} choices || _files
}
compdef _${bin} ${bin}`
}

/** The first colon separates a word from its description. */
function assignInZsh(choices: readonly Choice[]): string {
  const described = choices.map(({ word, description }) =>
    quote(`${word.replaceAll(':', '\\:')}:${description}`),
  )
  return `choices=(${described.join(' ')})`
}

export function renderFish(bin: string, places: readonly Place[]): string {
  const known = places.flatMap(({ words }) => (words === '' ? [] : quoteForFish(words)))
  return `function __${bin}_at
  set -l at
  for word in (commandline -opc)[2..]
    contains -- (string join -- ' ' $at $word) ${known.join(' ')}
    and set -a at $word
  end
  test "$at" = "$argv"
end
${places.flatMap((place) => fishCompletions(bin, place)).join('\n')}`
}

function fishCompletions(bin: string, { words, subcommands, flags }: Place): string[] {
  const complete = `complete -c ${bin} -n ${quoteForFish(`__${bin}_at ${words}`)}`
  return [
    ...subcommands.map((choice) => `${complete} -f -a ${choice.word}${describeForFish(choice)}`),
    ...flags.map(
      (flag) => `${complete} -l ${flag.word.slice(2)}${valueForFish(flag)}${describeForFish(flag)}`,
    ),
  ]
}

/** If any value is allowed, the shell offers files. */
function valueForFish({ takesValue, values }: FlagChoice): string {
  if (!takesValue) return ''
  return values.length === 0 ? ' -r' : ` -x -a ${quoteForFish(values.join(' '))}`
}

function describeForFish({ description }: Choice): string {
  return description === '' ? '' : ` -d ${quoteForFish(description)}`
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

type Assign = (choices: readonly Choice[]) => string

function renderKnownWords(places: readonly Place[]): string {
  return places.flatMap(({ words }) => (words === '' ? [] : quote(words))).join('|')
}

function renderPlaceCases(places: readonly Place[], assign: Assign): string {
  return renderCases(
    places.map(({ words, subcommands, flags }) => [at(words), [...subcommands, ...flags]]),
    assign,
  )
}

/** Choices after a flag that takes a value. */
function renderValueCases(places: readonly Place[], assign: Assign): string {
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

/** Fish has other rules. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
