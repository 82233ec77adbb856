import type { Choice, Place } from './read-completions.ts'
import { quote, renderKnownWords, renderPlaceCases, renderValueCases } from './render-cases.ts'

/** For bash from 3.2 on, as it is on macOS. Where nothing is known, files are offered. */
export function renderBash(bin: string, places: readonly Place[]): string {
  return `_${bin}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at='' choices='' word i
  # bash takes --status=settled for three words.
  [[ $previous == = ]] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  [[ $current == = ]] && current=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at$word" in
    ${renderKnownWords(places)}) at="$at$word " ;;
    esac
  done
  case "$at" in
${renderPlaceCases(places, assign)}
  esac
  case "$at$previous" in
${renderValueCases(places, assign)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _${bin} ${bin}`
}

function assign(choices: readonly Choice[]): string {
  return `choices=${quote(choices.map(({ word }) => word).join(' '))}`
}
