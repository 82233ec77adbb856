// C0 and C1 controls, and halves of a surrogate pair: no name has them, and not every store can keep them.
const unwritable = /\p{Cc}|\p{Cs}/u

export function isWritable(text: string): boolean {
  return !unwritable.test(text)
}
