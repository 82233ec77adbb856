/** The parts are ids, which hold no slash, but for the last one. */
export function joinKey(...parts: readonly string[]): string {
  return parts.join('/')
}
