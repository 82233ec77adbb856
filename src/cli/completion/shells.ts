import type { Choice, FlagChoice, Place } from './choices.ts'

/**
 * Works with bash 3.2, which macOS has. If no choices are known, the shell offers files, unless the service knows the
 * values.
 */
export function renderBash(bin: string, places: readonly Place[]): string {
  return `_${bin}() {
  local last=$COMP_CWORD current="\${COMP_WORDS[COMP_CWORD]}"
  local at='' choices='' asks='' typed='' previous word i
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
  [[ $current == -* ]] && asks=''
  case "$at$previous" in
${renderValueCases(places, assignInBash)}
  esac
  COMPREPLY=()
  if [[ $asks ]]; then
    compopt +o default 2>/dev/null
    while IFS= read -r word; do
      COMPREPLY+=("$word")
    done < <(_${bin}_run "$1" completion bash -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
    [[ \${#COMPREPLY[@]} -gt 0 ]] && return
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$typed$current"))
  COMPREPLY=("\${COMPREPLY[@]#"$typed"}")
}
# An alias has no meaning in quotes.
_${bin}_run() {
  local program="$1"
  shift
  if alias -- "$program" >/dev/null 2>&1; then eval "$program"' "$@"'
  else "$program" "$@"; fi
}
complete -o default -F _${bin} ${bin}`
}

function assignInBash(choices: readonly Choice[], asks: boolean): string {
  return `choices=${quote(choices.map(({ word }) => word).join(' '))} asks=${asks ? 1 : "''"}`
}

/** Without known choices, the shell offers files. */
export function renderZsh(bin: string, places: readonly Place[]): string {
  return `#compdef ${bin}
# Before zsh completes a line, it replaces an alias by its text, here by \`node\`. It does not replace a function.
if (( \${+aliases[${bin}]} )); then
  functions[${bin}]="\${aliases[${bin}]} \\"\\$@\\""
  unalias ${bin}
fi
_${bin}() {
  local at='' asks='' word previous="\${words[CURRENT-1]}"
  local -a choices offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at$word" in
    ${renderKnownWords(places)}) at="$at$word " ;;
    esac
  done
  case "$at" in
${renderPlaceCases(places, assignInZsh)}
  esac
  [[ $PREFIX == -* ]] && asks=''
  if compset -P '--*='; then
    previous="\${IPREFIX%=}"
  fi
  case "$at$previous" in
${renderValueCases(places, assignInZsh)}
  esac
  if [[ -n $asks ]]; then
    offered=(\${(f)"$("\${(Q)words[1]}" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)"})
    (( $#offered || ! $#choices )) && { _describe ${bin} offered; return }
  fi
  (( $#choices )) && _describe ${bin} choices || _files
}
compdef _${bin} ${bin}`
}

/** The first colon separates a word from its description. */
function assignInZsh(choices: readonly Choice[], asks: boolean): string {
  const described = choices.map(({ word, description }) =>
    quote(`${word.replaceAll(':', '\\:')}:${description}`),
  )
  return `choices=(${described.join(' ')}) asks=${asks ? 1 : "''"}`
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
function __${bin}_offered
  set -l words (commandline -opc) (commandline -ct)
  $words[1] completion fish -- $words[2..] 2>/dev/null </dev/null
end
${places.flatMap((place) => fishCompletions(bin, place)).join('\n')}`
}

function fishCompletions(bin: string, { words, subcommands, flags, asks }: Place): string[] {
  const complete = `complete -c ${bin} -n ${quoteForFish(`__${bin}_at ${words}`)}`
  return [
    ...(asks ? [`${complete} -f -a '(__${bin}_offered)'`] : []),
    ...subcommands.map((choice) => `${complete} -f -a ${choice.word}${describeForFish(choice)}`),
    ...flags.map(
      (flag) =>
        `${complete} -l ${flag.word.slice(2)}${flag.short ? ` -s ${flag.short.slice(1)}` : ''}${valueForFish(bin, flag)}${describeForFish(flag)}`,
    ),
  ]
}

/** If any value is allowed, the shell offers files. */
function valueForFish(bin: string, { takesValue, values, asks }: FlagChoice): string {
  if (!takesValue) return ''
  if (asks) return ` -x -a '(__${bin}_offered)'`
  return values.length === 0 ? ' -r' : ` -x -a ${quoteForFish(values.join(' '))}`
}

function describeForFish({ description }: Choice): string {
  return description === '' ? '' : ` -d ${quoteForFish(description)}`
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

type Assign = (choices: readonly Choice[], asks: boolean) => string

function renderKnownWords(places: readonly Place[]): string {
  return places.flatMap(({ words }) => (words === '' ? [] : quote(words))).join('|')
}

function renderPlaceCases(places: readonly Place[], assign: Assign): string {
  return renderCases(
    places.map(({ words, subcommands, flags, asks }) => [
      at(words),
      [...subcommands, ...flags],
      asks,
    ]),
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
        .flatMap(({ word, short = word, values, asks }) =>
          [...new Set([word, short])].map(
            (name): Case => [`${at(words)}${name}`, choicesOf(values), asks],
          ),
        ),
    ),
    assign,
  )
}

type Case = readonly [pattern: string, choices: readonly Choice[], asks: boolean]

function renderCases(cases: readonly Case[], assign: Assign): string {
  return cases
    .map(([pattern, choices, asks]) => `    ${quote(pattern)}) ${assign(choices, asks)} ;;`)
    .join('\n')
}

function at(words: string): string {
  return words === '' ? '' : `${words} `
}

/** Quotes a text for bash and zsh. Fish has other rules. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A word of a line in bash. */
interface Typed {
  /** The word exactly as the person typed it, with quotes and backslashes. */
  readonly raw: string
  readonly text: string
  /** The quote that is still open. */
  readonly quote: string
}

/** @param line up to the cursor @returns its words without the program; the last one may be empty */
export function splitBashLine(line: string): Typed[] {
  const typed: Typed[] = []
  let [raw, text, quote] = ['', '', '']
  const characters = [...line]
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    const isEscape = character === '\\' && quote !== "'"
    if (character === ' ' && quote === '') {
      if (raw !== '') typed.push({ raw, text, quote })
      raw = text = ''
    } else if (isEscape) {
      index += 1
      raw += `\\${characters[index] ?? ''}`
      text += characters[index] ?? ''
    } else {
      raw += character
      if (character === quote) quote = ''
      else if (quote === '' && /["']/.test(character)) quote = character
      else text += character
    }
  }
  return [...typed, { raw, text, quote }].slice(1)
}

/** Completes the last word in bash, which replaces only the part after the last colon or equals sign. */
export function renderForBash(words: readonly string[], last: Typed): string[] {
  const value = (text: string) => (/^--[^=]*=/.test(last.raw) ? text.replace(/^[^=]*=/, '') : text)
  const start = value(last.text)
  const breaks = last.quote === '' ? (value(last.raw).match(/[:=@]/g)?.length ?? 0) : 0
  return words
    .filter((word) => word.startsWith(start))
    .flatMap((word) => quoteForBash(word, last.quote))
    .map((word) => word.replace(new RegExp(`^(?:[^:=@]*[:=@]){${breaks}}`), ''))
}

/** Returns nothing if the word cannot be written in these quotes. */
function quoteForBash(word: string, quote: string): string[] {
  if (quote === '') return [word.replace(/[^\p{L}\p{N}_./,:=@%+-]/gu, '\\$&')]
  // Between double quotes, bash expands an exclamation mark as history.
  if (word.includes(quote === '"' ? '!' : "'")) return []
  return [quote === '"' ? word.replace(/["$\\`]/g, '\\$&') : word]
}

/** One word in a line; the first colon separates it from its description. */
export function renderForZsh({ word, description }: Choice): string {
  return description === '' ? escapeColons(word) : `${escapeColons(word)}:${description}`
}

export function renderForFish({ word, description }: Choice): string {
  return `${word}\t${description}`
}

function escapeColons(word: string): string {
  return word.replaceAll('\\', '\\\\').replaceAll(':', '\\:')
}
