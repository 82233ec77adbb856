// Windows-1252, in which Excel saves a plain CSV. Any byte is a character in it, so text in another encoding would be
// read without an error, with wrong letters.

/** The characters from 0x80 to 0x9f, in which Windows-1252 differs from Latin-1. */
const ofWindows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const utf16Mark = /^(?:\xff\xfe|\xfe\xff)/

/** Names no character of Windows-1252. In the encoding of DOS, 0x81 is ü. */
const unused = /[\x81\x8d\x8f\x90\x9d]/

/** A letter of any encoding; not a quotation mark, a dash, a space or € of Windows-1252. */
const letter =
  '[A-Za-z\\x83\\x86-\\x90\\x95\\x98-\\x9f\\xa1-\\xaa\\xae-\\xb6\\xb8-\\xba\\xbc-\\xff]'

/**
 * Symbols and opening quotation marks, which do not occur within a word, and Š, š, Œ, œ, Ž, ž and Ÿ, which hardly do.
 * In the encodings of DOS and the Mac, these bytes are letters with accents: 0x84 or 0x8a is ä, and 0xa7 is ß on a Mac.
 */
const withinWord = new RegExp(
  `(?<=${letter})[\\x80\\x82-\\x84\\x86-\\x8c\\x8e\\x94\\x95\\x98-\\x9c\\x9e\\x9f\\xa7](?=${letter})`,
)

/** Not with 0xdf: in Windows-1252, an ß before a closing quotation mark would look the same. */
const utf8Sequence = /[\xc2-\xde][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/

/** Returns undefined for bytes that may be text in another encoding. */
export function decodeWindowsText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  if ([utf16Mark, unused, withinWord, utf8Sequence].some((pattern) => pattern.test(text)))
    return undefined
  // TextDecoder treats Windows-1252 as Latin-1 in some releases of Node 20 and 22.
  return text.replaceAll(
    /[\x80-\x9f]/g,
    (character) => ofWindows1252[character.charCodeAt(0) - 0x80] ?? '',
  )
}
