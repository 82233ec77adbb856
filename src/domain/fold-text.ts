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
