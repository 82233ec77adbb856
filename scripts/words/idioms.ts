// Reads the table of docs/style.md and finds its phrases in a text.
import { proseOfMarkdown, proseOfTypeScript } from './prose.ts'

export interface Idiom {
  readonly pattern: RegExp
  readonly better: string
  readonly fine: RegExp | undefined
}

export interface Finding {
  readonly line: number
  readonly words: string
  readonly better: string
}

const heading = '\n## What the check finds\n'

/** There may be a line break between two words. */
const gap = String.raw`[^\S\n]*\s[^\S\n]*`

function patternOf(phrases: string): RegExp | undefined {
  const forms = phrases.split(',').flatMap((phrase) => {
    const words = phrase.trim().split(/\s+/)
    return words[0] ? [words.map(formOf).join(gap)] : []
  })
  return forms.length === 0
    ? undefined
    : new RegExp(String.raw`(?<![\w-])(?:${forms.join('|')})`, 'gi')
}

const formOf = (word: string) =>
  word.endsWith('…') ? String.raw`${word.slice(0, -1)}\w*\b` : String.raw`${word}\b`

export function readIdioms(stylePage: string): Idiom[] {
  const [, section = ''] = stylePage.split(heading)
  const rows = [...section.matchAll(/^\| (?!Not \|)(.+?) \| (.+?) \| ?(.*?) ?\|$/gm)]
  return rows.flatMap(([, phrases = '', better = '', fine = '']) => {
    const pattern = patternOf(phrases)
    return pattern ? [{ pattern, better, fine: patternOf(fine) }] : []
  })
}

/** Parsing takes a hundred times as long as this search, and most files contain no such phrase. */
function findSuspected(text: string, idioms: readonly Idiom[]): readonly Idiom[] {
  const withoutMarks = text.replaceAll(/[/*]/g, ' ')
  return idioms.filter(({ pattern }) => withoutMarks.search(pattern) >= 0)
}

export function findIdioms(file: string, text: string, idioms: readonly Idiom[]): Finding[] {
  const suspected = findSuspected(text, idioms)
  if (suspected.length === 0) return []
  const prose = file.endsWith('.ts') ? proseOfTypeScript(text) : proseOfMarkdown(text)
  const found = suspected.flatMap(({ pattern, better, fine }) => {
    const fineAt = fine ? [...prose.matchAll(fine)] : []
    const isFine = (at: number) =>
      fineAt.some(({ index, 0: words }) => index <= at && at < index + words.length)
    return [...prose.matchAll(pattern)]
      .filter(({ index }) => !isFine(index))
      .map(({ index, 0: words }) => {
        return { index, words: words.replaceAll(/\s+/g, ' '), better }
      })
  })
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, ...finding }) => ({
      line: prose.slice(0, index).split('\n').length,
      ...finding,
    }))
}
