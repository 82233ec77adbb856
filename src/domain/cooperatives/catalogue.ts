import { toMinorUnits } from '../money.ts'
import { Problem } from '../problem.ts'
import { foldText } from '../text.ts'
import type { Cooperative } from './cooperative.ts'
import { imageNames } from './image.ts'

/** spec: GET /v1/cooperatives. The first is the default. */
export const catalogueSorts = [
  'created_at_desc',
  'created_at_asc',
  'name_asc',
  'name_desc',
  'share_price_asc',
  'share_price_desc',
] as const
export type CatalogueSort = (typeof catalogueSorts)[number]

/** A cooperative with its search and sort keys, computed once. */
export interface CatalogueEntry {
  readonly cooperative: Cooperative
  readonly foldedName: string
  readonly foldedCity: string
  readonly searchText: string
  readonly sharePrice: bigint
}

/** A snapshot of the published cooperatives. */
export interface Catalogue {
  readonly sorted: Readonly<Record<CatalogueSort, readonly CatalogueEntry[]>>
  readonly byId: ReadonlyMap<string, Cooperative>
  /** The names of all images of these cooperatives and their projects. */
  readonly imageNames: ReadonlySet<string>
}

export function createCatalogue(cooperatives: readonly Cooperative[]): Catalogue {
  const published = cooperatives.filter((cooperative) => cooperative.published)
  const entries = published.map(createEntry)
  return {
    sorted: {
      created_at_desc: entries.toSorted(by(createdAt, -1)),
      created_at_asc: entries.toSorted(by(createdAt, 1)),
      name_asc: entries.toSorted(by(foldedName, 1)),
      name_desc: entries.toSorted(by(foldedName, -1)),
      share_price_asc: entries.toSorted(by(sharePrice, 1)),
      share_price_desc: entries.toSorted(by(sharePrice, -1)),
    },
    byId: new Map(published.map((cooperative) => [cooperative.id, cooperative])),
    imageNames: new Set(published.flatMap(imageNames)),
  }
}

function createEntry(cooperative: Cooperative): CatalogueEntry {
  const { name, city, description } = cooperative
  return {
    cooperative,
    foldedName: foldText(name),
    foldedCity: foldText(city ?? ''),
    searchText: [name, city ?? '', description ?? ''].map(foldText).join('\n'),
    sharePrice: toMinorUnits(cooperative.sharePrice),
  }
}

const createdAt = (entry: CatalogueEntry) => entry.cooperative.createdAt
const foldedName = (entry: CatalogueEntry) => entry.foldedName
const sharePrice = (entry: CatalogueEntry) => entry.sharePrice

/** Breaks ties by id, so that all requests see the same order. */
function by<Key extends string | bigint>(key: (entry: CatalogueEntry) => Key, direction: 1 | -1) {
  return (left: CatalogueEntry, right: CatalogueEntry) =>
    direction * compare(key(left), key(right)) || compare(left.cooperative.id, right.cooperative.id)
}

function compare<Key extends string | bigint>(left: Key, right: Key): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Throws COOPERATIVE_NOT_FOUND for an unknown and for an unpublished id alike (spec: Errors). */
export function requirePublishedCooperative(catalogue: Catalogue, id: string): Cooperative {
  const cooperative = catalogue.byId.get(id.toLowerCase())
  if (!cooperative) {
    throw new Problem('COOPERATIVE_NOT_FOUND', 'No published cooperative has this id.')
  }
  return cooperative
}
