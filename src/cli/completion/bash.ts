import type { Choice, Place } from './read-completions.ts'
import { quote, renderKnownWords, renderPlaceCases, renderValueCases } from './render-cases.ts'

/** For bash from 3.2 on, as it is on macOS. Where nothing is known, files are offered. */
export function renderBash(bin: string, places: readonly Place[]): string {
  return `_${bin}() {
  local last=$COMP_CWORD current="\${COMP_WORDS[COMP_CWORD]}"
  local at='' choices='' typed='' previous word i
  # bash takes investors:read for three words, and puts what is chosen in place of the last one.
  if [[ $current == : ]]; then
    typed="\${COMP_WORDS[last-1]}:" current='' last=$((last - 1))
  elif [[ \${COMP_WORDS[last-1]} == : ]]; then
    typed="\${COMP_WORDS[last-2]}:" last=$((last - 2))
  elif [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    # Or for one, as bash 3 does.
    typed="\${current%:*}:" current="\${current##*:}"
  fi
  previous="\${COMP_WORDS[last-1]}"
  # And --status=settled.
  [[ $previous == = ]] && previous="\${COMP_WORDS[last-2]}"
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
  COMPREPLY=($(compgen -W "$choices" -- "$typed$current"))
  COMPREPLY=("\${COMPREPLY[@]#"$typed"}")
}
complete -o default -F _${bin} ${bin}`
}

function assign(choices: readonly Choice[]): string {
  return `choices=${quote(choices.map(({ word }) => word).join(' '))}`
}
