import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../domain/cooperatives/catalogue.ts'
import type { Image } from '../domain/cooperatives/image.ts'

/** As it is sent. */
export interface KeptImage extends Pick<Image, 'contentType' | 'etag'> {
  readonly bytes: Uint8Array
}

type Load = () => Promise<Image>

/** Pictures, kept until the catalogue changes, as it does with each of them: anybody may ask for them, as often as they like. */
export class KeptImages {
  readonly #maximumBytes: number
  readonly #kept = new WeakMap<Catalogue, ImagesOfCatalogue>()

  constructor(maximumBytes = 32 * 1024 * 1024) {
    this.#maximumBytes = maximumBytes
  }

  /** Who asks for the same one at the same time waits for one `load`. */
  read(catalogue: Catalogue, name: string, load: Load): Promise<KeptImage> {
    const kept = this.#kept.get(catalogue) ?? new ImagesOfCatalogue(this.#maximumBytes)
    this.#kept.set(catalogue, kept)
    return kept.read(name, load)
  }
}

class ImagesOfCatalogue {
  readonly #loaded: LRUCache<string, KeptImage>
  // Not in the cache, which would break off what is being loaded to make room.
  readonly #loading = new Map<string, Promise<KeptImage>>()

  constructor(maxSize: number) {
    this.#loaded = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes.byteLength + 1 })
  }

  async read(name: string, load: Load): Promise<KeptImage> {
    return this.#loaded.get(name) ?? this.#loading.get(name) ?? this.#load(name, load)
  }

  #load(name: string, load: Load): Promise<KeptImage> {
    const loading = load().then((image) => this.#keep(name, asSent(image)))
    this.#loading.set(name, loading)
    return loading.finally(() => this.#loading.delete(name))
  }

  #keep(name: string, image: KeptImage): KeptImage {
    this.#loaded.set(name, image)
    return image
  }
}

function asSent({ contentType, etag, base64 }: Image): KeptImage {
  return { contentType, etag, bytes: Buffer.from(base64, 'base64') }
}
