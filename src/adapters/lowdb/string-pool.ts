/**
 * Keeps one copy of equal texts. Every parsed record brings its own copy of the ids it refers to; a million orders
 * share a few thousand of them.
 */
export class StringPool {
  readonly #texts = new Map<string, string>()

  /** `record` has just been parsed and is nobody else's yet. */
  shareIn<Stored>(record: Stored, fields: readonly (keyof Stored)[]): void {
    for (const field of fields) {
      const text = record[field]
      if (typeof text === 'string') record[field] = this.#share(text) as typeof text
    }
  }

  #share(text: string): string {
    const shared = this.#texts.get(text)
    if (shared !== undefined) return shared
    this.#texts.set(text, text)
    return text
  }
}
