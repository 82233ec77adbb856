import { type Catalogue, createCatalogue } from '../../domain/cooperatives/catalogue.ts'
import type { Store } from '../../ports/store.ts'
import type { Service } from '../service.ts'

interface Made {
  readonly version: number
  readonly catalogue: Catalogue
}

// By store and not by service, because what is sorted and folded here is the store's; it goes when the store does.
const latest = new WeakMap<Store, Made>()

/** The same object as long as no cooperative changes, so what is made from it can be kept with it. */
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
