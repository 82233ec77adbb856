import type { Choice, Place } from './read-completions.ts'
import { quote, renderKnownWords, renderPlaceCases, renderValueCases } from './render-cases.ts'

/** Where nothing is known, files are offered. */
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
${renderPlaceCases(places, assign)}
  esac
  if compset -P '--*='; then
    previous="\${IPREFIX%=}"
  fi
  case "$at$previous" in
${renderValueCases(places, assign)}
  esac
  (( $#choices )) && _describe ${bin} choices || _files
}
compdef _${bin} ${bin}`
}

/** The first colon parts a word from its description. */
function assign(choices: readonly Choice[]): string {
  const described = choices.map(({ word, description }) =>
    quote(`${word.replaceAll(':', '\\:')}:${description}`),
  )
  return `choices=(${described.join(' ')})`
}
