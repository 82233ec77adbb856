/** Texts that differ only in case become the same text. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Whether a reader sees the same text: an ä can be one character, or an a with a combining mark. */
export function isSameText(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}

/** People choose a record by its name, so no two names may look the same. U+FFFD stands for a letter that a program has lost. */
export function isDistinctName(name: string): boolean {
  return !/^ | $| {2}|[^\S ]|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2800\ufffd]/u.test(name)
}

export const notDistinct =
  'must not have spaces at its ends, two spaces in a row, other white space, invisible characters or the replacement character (U+FFFD)'

/**
 * Texts that differ only in case, accents or spacing become the same text: `Allgäu` and `ALLGAU`.
 */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Counts code points, as JSON Schema does: a character outside the Basic Multilingual Plane is one,
 * not two.
 */
export function countCharacters(text: string): number {
  return [...text].length
}

/**
 * Returns undefined for a text that is not a URL. `URL.canParse` would be shorter, but once Node 20
 * has compiled its caller, it refuses `https://münchen.example` and accepts some invalid texts.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Reads every secret of this machine: from a variable, a flag, a file or a form. Files of secrets often end in a line
 * break, which Kubernetes keeps in variables, but white space at the ends is never part of a secret. Returns undefined
 * if nothing is left.
 */
export function readSecret(text: string | undefined): string | undefined {
  return text?.trim() || undefined
}

/** A word of a command, quoted for a shell where that is needed. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./…-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns any text that is not JSON unchanged. */
export function parseJsonOrText(text: string): unknown {
  const json = parseJson(text)
  return json === undefined ? text : json
}

// Spaces, format characters, Hangul fillers, variation selectors and the blank Braille pattern.
const invisible = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a reader would see nothing. */
export function isBlank(text: string): boolean {
  return invisible.test(text)
}

// C0 and C1 controls and unpaired surrogates. No name contains them, and some stores cannot store
// them.
const unwritable = /\p{Cc}|\p{Cs}/u

export function isStorable(text: string): boolean {
  return !unwritable.test(text)
}

/**
 * Control characters except line breaks and tabs, and invisible format characters, such as those
 * that reverse the direction of text.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Escapes hidden characters (`\u001b`), so that a text can neither move the cursor of a terminal
 * nor imitate another text. In JSON, where they occur only in strings, the meaning stays the same.
 */
export function escapeInvisible(text: string): string {
  return text.replace(hidden, escapeOf)
}

/** Escapes hidden characters and line breaks. */
export function escapeToOneLine(text: string): string {
  return escapeInvisible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes the characters that have a meaning in HTML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export function hasInvisible(text: string): boolean {
  return text.search(hidden) >= 0
}

/** Escapes both halves of a surrogate pair, as JSON does. */
function escapeOf(character: string): string {
  const halves = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return halves.map((half) => `\\u${half.toString(16).padStart(4, '0')}`).join('')
}

declare const encrypted: unique symbol

/** Encrypted text. Only the vault port creates and opens it. */
export type Encrypted = string & { readonly [encrypted]: true }
