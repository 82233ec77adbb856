import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../domain/cooperatives/catalogue.ts'
import { strongEtag } from '../usecases/strong-etag.ts'

export interface Rendered {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Answers made from the catalogue, each kept until the catalogue changes. */
export class RenderedCatalogue {
  readonly #rendered: LRUCache<string, Rendered>
  #catalogue: Catalogue | undefined

  /** Searches are as many as callers like, so what is kept is bounded by what it weighs. */
  constructor(maximumBytes = 32 * 1024 * 1024) {
    this.#rendered = new LRUCache({
      maxSize: maximumBytes,
      sizeCalculation: ({ bytes }, key) => bytes.byteLength + 2 * key.length,
    })
  }

  /** `key` says everything that `render` depends on besides the catalogue. */
  read(catalogue: Catalogue, key: string, render: () => unknown): Rendered {
    this.#forgetOther(catalogue)
    const kept = this.#rendered.get(key)
    if (kept) return kept
    const bytes = Buffer.from(JSON.stringify(render()))
    const rendered = { bytes, etag: strongEtag(bytes) }
    this.#rendered.set(key, rendered)
    return rendered
  }

  #forgetOther(catalogue: Catalogue): void {
    if (this.#catalogue === catalogue) return
    this.#rendered.clear()
    this.#catalogue = catalogue
  }
}
