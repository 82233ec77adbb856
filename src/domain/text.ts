/** Texts that differ only in case fold to one text. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Texts that differ only in case, accents or spacing fold to one text: `Allgäu` and `ALLGAU`. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim()
}

/** As people count, and as JSON Schema does: a character beyond the first 65,536 is one, not two. */
export function countCharacters(text: string): number {
  return [...text].length
}

// Spaces, format characters, Hangul fillers, variation selectors and the blank Braille pattern.
const invisible = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a reader would see nothing at all. */
export function isBlank(text: string): boolean {
  return invisible.test(text)
}

// C0 and C1 controls, and halves of a surrogate pair: no name has them, and not every store can keep them.
const unwritable = /\p{Cc}|\p{Cs}/u

export function isStorable(text: string): boolean {
  return !unwritable.test(text)
}

/** Control characters but for line ends and tabs, and what has no shape: it turns text round, or hides in it. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * With hidden characters as their escapes (`\u001b`), so that no text moves the cursor of a terminal or looks like
 * another one. In JSON, where they are only in strings, it means the same as before.
 */
export function escapeInvisible(text: string): string {
  return text.replace(hidden, escapeOf)
}

/** The same, on one line. */
export function escapeToOneLine(text: string): string {
  return escapeInvisible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

export function hasInvisible(text: string): boolean {
  return text.search(hidden) >= 0
}

/** Of each half where there are two, as in JSON. */
function escapeOf(character: string): string {
  const halves = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return halves.map((half) => `\\u${half.toString(16).padStart(4, '0')}`).join('')
}
