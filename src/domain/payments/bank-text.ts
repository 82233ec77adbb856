import anyAscii from 'any-ascii'

/** Of names in SEPA messages. */
export const maximumNameLength = 70

/** German banks write umlauts in two letters; other accents are dropped. */
const germanLetters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
}

/** Characters that have a near one in the character set of banks. */
const nearCharacters: Readonly<Record<string, string>> = {
  '&': '+',
  '"': "'",
  '`': "'",
  ';': ',',
  _: '-',
  '~': '-',
  '=': '-',
  '[': '(',
  '{': '(',
  '<': '(',
  ']': ')',
  '}': ')',
  '>': ')',
  '!': '.',
  '|': '/',
  '\\': '/',
  '@': '(at)',
}

const alreadyInSet = /^[A-Za-z0-9/\-?:().,'+]+(?: [A-Za-z0-9/\-?:().,'+]+)*$/
const outsideSet = /[^A-Za-z0-9/\-?:().,'+ ]/g

/**
 * A text in the character set of SEPA messages (EPC217-08), in which other letters are transliterated. A character
 * that has no counterpart becomes a full stop, so that no visible character disappears.
 */
export function toBankText(text: string): string {
  if (alreadyInSet.test(text)) return text
  let converted = ''
  const visible = text.normalize('NFC').replaceAll(/\p{Cf}/gu, '')
  for (const character of visible.replaceAll(/\s+/g, ' ').trim())
    converted += convert(character, converted, text)
  return converted
}

function convert(character: string, before: string, text: string): string {
  const german = germanLetters[character]
  if (german !== undefined) return isWrittenInCapitals(text) ? german.toUpperCase() : german
  const near = nearCharacters[character]
  if (near !== undefined) return near
  // The dot that follows a base letter in decomposed text, which has no composed form.
  if (/\p{M}/u.test(character) && before !== '') return ''
  const ascii = anyAscii(character)
  if (ascii === '') return '.'
  return ascii.replaceAll(outsideSet, (one) => nearCharacters[one] ?? '.')
}

function isWrittenInCapitals(text: string): boolean {
  const others = text.replaceAll('ß', '')
  return others === others.toUpperCase() && others !== others.toLowerCase()
}

export function isTooLong(text: string, maximumLength: number): boolean {
  return toBankText(text).length > maximumLength
}

/** At most `maximumLength` characters of the character set of banks. */
export function shortenBankText(text: string, maximumLength: number): string {
  return toBankText(text).slice(0, maximumLength).trimEnd()
}
