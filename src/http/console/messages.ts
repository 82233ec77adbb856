// What the service says in English, in the log, in commands and to partners: refusals, failures of deliveries, and
// findings. The console says it in the language of the page.
import { type ProblemRow, problems, problemsWithoutCode } from '../../domain/problem-code.ts'
import { germanMessages, germanTitles } from './german-messages.ts'
import { foreign, type Html, html } from './html.ts'
import { isTextName, type Language, sayIn } from './texts.ts'

/** A part that varies lies within a sentence. */
const onePart = '((?:(?!\\. [A-Z]).)+?)'

interface Known {
  readonly pattern: RegExp
  readonly german: string
  /** The numbers of the parts that are ids or names. Those are never translated, even if one is also the word of a state. */
  readonly names: ReadonlySet<string>
}

/** Titles of problems are messages too: a request on the page Live has its code's title as the reason. */
const titles = Object.entries<ProblemRow>({ ...problems, ...problemsWithoutCode }).map(
  ([code, { title }]) => [title, germanTitles[code as keyof typeof germanTitles]] as const,
)

let all: readonly Known[] | undefined

/** Patterns are made when the first German page needs one. */
function known(): readonly Known[] {
  all ??= [...germanMessages, ...titles].map(([english, german]) => ({
    pattern: new RegExp(
      `^${english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, onePart)}$`,
      's',
    ),
    german,
    names: new Set(
      Array.from(english.matchAll(/(?:\bid |")\{(\d)\}/g), ([, number = '']) => number),
    ),
  }))
  return all
}

/** A text in which parts by others are marked. */
type Piece = string | { readonly others: string }

function inGerman(text: string): readonly Piece[] | undefined {
  for (const { pattern, german, names } of known()) {
    const found = pattern.exec(text)
    if (!found) continue
    return german.split(/(\{\d\})/).flatMap((part): readonly Piece[] => {
      const [, number] = /^\{(\d)\}$/.exec(part) ?? []
      if (number === undefined) return [part]
      const value = found[Number(number)] ?? ''
      return names.has(number) ? [{ others: value }] : partInGerman(value)
    })
  }
  // A message may have several sentences, each of which also occurs alone.
  const sentences = text.split(/(?<=\.) (?=[A-Z])/)
  if (sentences.length === 1) return undefined
  const translated = sentences.map(inGerman)
  if (translated.includes(undefined)) return undefined
  return translated.flatMap((pieces, index) => [index === 0 ? '' : ' ', ...(pieces ?? [])])
}

/** A part that varies may be a message, a list of states, or a name. */
function partInGerman(part: string): readonly Piece[] {
  const message = inGerman(part)
  if (message) return message
  const say = sayIn('de')
  const words = part.split(/, | or | and /).map((word) => [word, `state.${word}`] as const)
  const states = words.flatMap(([, name]) => (isTextName(name) ? [say(name)] : []))
  if (states.length === words.length) return [states.join(', ')]
  return isNames(words.map(([word]) => word))
    ? [{ others: words.map(([word]) => word).join(', ') }]
    : [{ others: part }]
}

const isNames = (words: readonly string[]) => words.every((word) => /^[\w.-]+$/.test(word))

/** What the service says, in the language of the page. */
export function messageIn({ language }: { readonly language: Language }, text: string): Html {
  const pieces = language === 'de' ? inGerman(text) : undefined
  if (!pieces) return foreign(text)
  return html`${pieces.map((piece) => (typeof piece === 'string' ? piece : foreign(piece.others)))}`
}

/** The same as a text without marks. */
export function messageText({ language }: { readonly language: Language }, text: string): string {
  const pieces = language === 'de' ? inGerman(text) : undefined
  if (!pieces) return text
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.others)).join('')
}
