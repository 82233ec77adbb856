// Windows-1252, in which Excel saves a plain CSV. Any byte is a character in it, so text in another encoding would be
// read without an error, with wrong letters.

/** The characters from 0x80 to 0x9f, in which Windows-1252 differs from Latin-1. */
const ofWindows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const letter = '[A-Za-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\xff]'
const lowerCase = '[a-z\\xdf-\\xf6\\xf8-\\xff]'

/** A letter of any encoding; not a quotation mark, a dash, a space or € of Windows-1252. */
const anyLetter =
  '[A-Za-z\\x83\\x86-\\x90\\x95\\x98-\\x9f\\xa1-\\xaa\\xae-\\xb6\\xb8-\\xba\\xbc-\\xff]'

/** What hardly occurs in text in Windows-1252, and often if its letters are those of another encoding. */
const unlikely = [
  '^(?:\\xff\\xfe|\\xfe\\xff)',
  // No characters, and ¤, which nobody writes. In DOS 0x81 is ü, and in Latin-9 0xa4 is €.
  '[\\x81\\x8d\\x8f\\x90\\x9d\\xa4]',
  // UTF-8. Not with 0xdf: an ß before a closing quotation mark would look the same.
  '[\\xc2-\\xde][\\x80-\\xbf]|[\\xe0-\\xef][\\x80-\\xbf]{2}|[\\xf0-\\xf4][\\x80-\\xbf]{3}',
  // Symbols, opening quotation marks, and Š, š, Œ, œ, Ž, ž and Ÿ within a word. In DOS 0x84 is ä and 0x94 is ö, on a
  // Mac 0x8a is ä and 0xa7 is ß, and in Central Europe 0xbf is ż.
  `(?<=${anyLetter})[\\x80\\x82-\\x84\\x86-\\x8c\\x8e\\x94\\x95\\x98-\\x9c\\x9e\\x9f\\xa7](?=${anyLetter})`,
  `(?<=${letter})[\\xa1-\\xa3\\xa5\\xa6\\xa8\\xa9\\xac\\xaf\\xb1\\xb6\\xb8\\xb9\\xbc-\\xbf](?=${letter})`,
  // Symbols, š and Ÿ where a word begins. On a Mac 0x80 is Ä, 0x86 is Ü, 0x9a is ö and 0x9f is ü; in DOS 0x99 is Ö.
  `[\\x80\\x83\\x86-\\x89\\x98-\\x9a\\x9f\\xa3\\xa5\\xa6\\xa8\\xac\\xaf](?=${letter})`,
  // … where a word begins. On a Mac it is Ö.
  `(?<![a-z])\\x85(?=${letter})`,
  // ” where a word in lower case begins. In DOS it is ö.
  `(?<!${anyLetter})\\x94(?=${lowerCase})`,
  // Opening quotation marks, symbols and capital letters where a word ends. In DOS 0x82 is é, and on a Mac 0x8e is é.
  `(?<=${lowerCase})[\\x82-\\x84\\x88\\x8a\\x8c\\x8e\\x98\\x9f\\xa7]`,
  // Capital letters with accents after a small letter or alone. On a Mac 0xd0 is a dash, 0xd2 and 0xd5 are closing
  // quotation marks, and 0xdb is €.
  `[a-z][\\xd2-\\xd5]|(?<!${anyLetter})[\\xd0\\xd1\\xd5\\xdb](?!${anyLetter})`,
  // á after another vowel. In DOS it is ß.
  '[AOao]\\xe1',
].map((pattern) => new RegExp(pattern))

/** Returns undefined for bytes that may be text in another encoding. */
export function decodeWindowsText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  if (unlikely.some((pattern) => pattern.test(text))) return undefined
  // TextDecoder treats Windows-1252 as Latin-1 in some releases of Node 20 and 22.
  return text.replaceAll(
    /[\x80-\x9f]/g,
    (character) => ofWindows1252[character.charCodeAt(0) - 0x80] ?? '',
  )
}
