import { type Catalogue, createCatalogue } from '../../domain/cooperatives/catalogue.ts'
import type { Image, ImagePlace } from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { Service } from '../service.ts'

interface Made {
  readonly version: number
  readonly catalogue: Catalogue
}

// Keyed by store, because the catalogue depends on the store alone and should be collected with
// it.
const latest = new WeakMap<Store, Made>()

/**
 * Returns the same object until a cooperative changes, so that it can be used as the key of
 * caches.
 */
export async function readCatalogue({ store }: Service): Promise<Catalogue> {
  const made = await store.read(async ({ cooperatives }) => {
    const version = await cooperatives.version()
    const kept = latest.get(store)
    if (kept?.version === version) return kept
    return { version, catalogue: createCatalogue(await cooperatives.list()) }
  })
  latest.set(store, made)
  return made.catalogue
}

export async function readImage({ store }: Service, { ownerId, kind }: ImagePlace): Promise<Image> {
  const image = await store.read(({ images }) => images.get(ownerId, kind))
  // The image may have been removed since the catalogue was read.
  if (!image) throw imageNotFound()
  return image
}

export function imageNotFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no such image.')
}
