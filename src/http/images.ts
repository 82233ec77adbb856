import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../domain/cooperatives/catalogue.ts'
import {
  cooperativeImageKinds,
  type Image,
  type ImageKind,
  imageName,
} from '../domain/cooperatives/image.ts'
import { imageNotFound, readCatalogue, readImage } from '../usecases/cooperatives/catalogue.ts'
import type { Service } from '../usecases/service.ts'
import { sendCacheable } from './cacheable-response.ts'

/** These routes are public, so that web pages can show the images. */
export function imageRoutes(service: Service): H3Plugin {
  const kept = new ImageCache()
  const read = async (event: H3Event, kind: ImageKind): Promise<CachedImage> => {
    const place = { ownerId: (getRouterParam(event, 'id') ?? '').toLowerCase(), kind }
    const name = imageName(place)
    const catalogue = await readCatalogue(service)
    // Images of unpublished cooperatives are not public either.
    if (!catalogue.imageNames.has(name)) throw imageNotFound()
    return kept.read(catalogue, name, () => readImage(service, place))
  }
  return (app) => {
    app.get('/images/cooperatives/:id/:kind', async (event) =>
      answer(event, await read(event, readKind(event))),
    )
    app.get('/images/projects/:id', async (event) => answer(event, await read(event, 'project')))
  }
}

function readKind(event: H3Event) {
  const kind = cooperativeImageKinds.find((known) => known === getRouterParam(event, 'kind'))
  if (!kind) throw imageNotFound()
  return kind
}

/** An SVG that is opened directly could run scripts in our origin. */
export const imageContentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function answer(event: H3Event, image: CachedImage) {
  const headers = { 'content-security-policy': imageContentSecurityPolicy }
  return sendCacheable(event, { ...image, cacheControl: 'max-age=3600', headers })
}

/** An image that is ready to be sent. */
interface CachedImage extends Pick<Image, 'contentType' | 'etag'> {
  readonly bytes: Uint8Array
}

type Load = () => Promise<Image>

/**
 * Caches images until the catalogue changes. Images are public, so they may be requested very
 * often.
 */
export class ImageCache {
  readonly #maximumBytes: number
  readonly #cache = new WeakMap<Catalogue, ImagesOfCatalogue>()

  constructor(maximumBytes = 32 * 1024 * 1024) {
    this.#maximumBytes = maximumBytes
  }

  /** Concurrent requests for one image share one `load`. */
  read(catalogue: Catalogue, name: string, load: Load): Promise<CachedImage> {
    const kept = this.#cache.get(catalogue) ?? new ImagesOfCatalogue(this.#maximumBytes)
    this.#cache.set(catalogue, kept)
    return kept.read(name, load)
  }
}

class ImagesOfCatalogue {
  readonly #loaded: LRUCache<string, CachedImage>
  // Separate from the cache, which could evict an image while it loads.
  readonly #loading = new Map<string, Promise<CachedImage>>()

  constructor(maxSize: number) {
    this.#loaded = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes.byteLength + 1 })
  }

  async read(name: string, load: Load): Promise<CachedImage> {
    return this.#loaded.get(name) ?? this.#loading.get(name) ?? this.#load(name, load)
  }

  #load(name: string, load: Load): Promise<CachedImage> {
    const loading = load().then((image) => this.#keep(name, asSent(image)))
    this.#loading.set(name, loading)
    return loading.finally(() => this.#loading.delete(name))
  }

  #keep(name: string, image: CachedImage): CachedImage {
    this.#loaded.set(name, image)
    return image
  }
}

function asSent({ contentType, etag, base64 }: Image): CachedImage {
  return { contentType, etag, bytes: Buffer.from(base64, 'base64') }
}
