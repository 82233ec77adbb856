/** Control characters but for line ends and tabs, and what has no shape: it turns text round, or hides in it. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * With hidden characters as their escapes (`\u001b`), so that no text moves the cursor of a terminal or looks like
 * another one. In JSON, where they are only in strings, it means the same as before.
 */
export function showHidden(text: string): string {
  return text.replace(hidden, escapeOf)
}

/** The same, on one line. */
export function showOnOneLine(text: string): string {
  return showHidden(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

export function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0
}

/** Of each half where there are two, as in JSON. */
function escapeOf(character: string): string {
  const halves = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return halves.map((half) => `\\u${half.toString(16).padStart(4, '0')}`).join('')
}
