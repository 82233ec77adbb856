import { distance } from 'fastest-levenshtein'

/** Of the letters of a word so many may be wrong: more, and the suggestion is a guess. */
const wrongPart = 0.5

/** @returns how many letters of `word` were typed wrong; infinite where it is another word */
export function lettersApart(typed: string, word: string): number {
  const letters = distance(typed, word)
  return letters <= word.length * wrongPart ? letters : Number.POSITIVE_INFINITY
}
