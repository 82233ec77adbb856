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
export function readCatalogue({ store }: Service): Promise<Catalogue> {
  return store.read(async ({ cooperatives }) => {
    const version = await cooperatives.version()
    const made = latest.get(store)
    if (made?.version === version) return made.catalogue
    const catalogue = createCatalogue(await cooperatives.list())
    latest.set(store, { version, catalogue })
    return catalogue
  })
}
