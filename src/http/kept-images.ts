import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../domain/cooperatives/catalogue.ts'
import type { Image } from '../domain/cooperatives/image.ts'

/** As it is sent. */
export interface KeptImage extends Pick<Image, 'contentType' | 'etag'> {
  readonly bytes: Uint8Array
}

type Load = () => Promise<Image>
type ImagesOfCatalogue = LRUCache<string, KeptImage, Load>

/** Pictures, kept until the catalogue changes, as it does with each of them: anybody may ask for them, as often as they like. */
export class KeptImages {
  readonly #maximumBytes: number
  readonly #kept = new WeakMap<Catalogue, ImagesOfCatalogue>()

  constructor(maximumBytes = 32 * 1024 * 1024) {
    this.#maximumBytes = maximumBytes
  }

  /** Who asks for the same one at the same time waits for one `load`. */
  read(catalogue: Catalogue, name: string, load: Load): Promise<KeptImage> {
    const kept = this.#kept.get(catalogue) ?? this.#keepFor(catalogue)
    return kept.forceFetch(name, { context: load })
  }

  #keepFor(catalogue: Catalogue): ImagesOfCatalogue {
    const kept: ImagesOfCatalogue = new LRUCache({
      maxSize: this.#maximumBytes,
      sizeCalculation: ({ bytes }) => bytes.byteLength + 1,
      fetchMethod: async (_name, _stale, { context: load }) => asSent(await load()),
    })
    this.#kept.set(catalogue, kept)
    return kept
  }
}

function asSent({ contentType, etag, base64 }: Image): KeptImage {
  return { contentType, etag, bytes: Buffer.from(base64, 'base64') }
}
