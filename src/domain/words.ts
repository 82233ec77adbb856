// How searches compare the words of names.

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/** The German spelling without umlauts, and the Danish one without å and ø. */
const longLetters: readonly (readonly [RegExp, string])[] = [
  [/([aou])\u0308/g, '$1e'],
  [/a\u030a/g, 'aa'],
  [/ø/g, 'oe'],
]

/** Later words of a longer text are ignored, because they would make a search slow. */
const maximumWords = 10

// Only an apostrophe may be inside of a word, as in D'Angelo.
const wordForm = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

/** The words of a text that somebody searches for, without case and diacritics: `Groß-Müller` is `gross`, `muller`. */
export function wordsOf(text: string): readonly string[] {
  return decomposedWords(text).flatMap((word) => word.split(apostrophe).map(withoutMarks))
}

/**
 * The words of a name in each spelling that finds them. `Müller` is also found by `mueller`, `Mueller` by `muller`, and
 * `O'Brien` by `obrien`.
 */
export function spellingsOf(name: string): readonly string[] {
  const words = decomposedWords(name).flatMap((word) => {
    const parts = word.split(apostrophe)
    return parts.length > 1 ? [...parts, parts.join('')] : parts
  })
  const plain = words.map(withoutMarks)
  const long = words.map((word) => {
    const spelt = longLetters.reduce((text, [short, long]) => text.replace(short, long), word)
    return withoutMarks(spelt)
  })
  const short = plain.map((word) => word.replace(/([aou])e/g, '$1'))
  return [...new Set([...plain, ...long, ...short])]
}

const apostrophe = /['’ʼ]/

/** Lower case, with each mark as a character of its own. */
function decomposedWords(text: string): readonly string[] {
  return (text.normalize('NFKD').toLowerCase().match(wordForm) ?? []).slice(0, maximumWords)
}

function withoutMarks(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word
  return word
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/g, (letter) => plainLetters[letter] ?? letter)
}

/** Beginnings of a word of at most this length are stored. A longer word is found by its first letters. */
const longestBeginning = 12

// A character of these scripts is a syllable or a word.
const longScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The beginnings by which a word is found: those of three letters or more. */
export function beginningsOf(word: string): readonly string[] {
  const letters = [...word].slice(0, longestBeginning)
  const shortest = shortestBeginning(word)
  return letters.flatMap((_, at) => (at + 1 < shortest ? [] : [letters.slice(0, at + 1).join('')]))
}

/** The beginning that words must have which a typed word finds; undefined if it is too short, so that it must be whole. */
export function beginningOf(typed: string): string | undefined {
  return beginningsOf(typed).at(-1)
}

function shortestBeginning(word: string): number {
  return longScripts.test(word) ? 1 : 3
}

/** Whether each typed word begins a word of the name, however short it is. */
export function isNamed(spellings: readonly string[], typed: readonly string[]): boolean {
  return typed.every((word) => spellings.some((spelling) => spelling.startsWith(word)))
}
