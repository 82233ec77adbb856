/** As people count, and as JSON Schema does: a character beyond the first 65,536 is one, not two. */
export function countCharacters(text: string): number {
  return [...text].length
}
