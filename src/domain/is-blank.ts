// Spaces, format characters, Hangul fillers, variation selectors and the blank Braille pattern.
const invisible = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a reader would see nothing at all. */
export function isBlank(text: string): boolean {
  return invisible.test(text)
}
