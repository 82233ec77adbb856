import type { Page, PageRequest } from '../../domain/page.ts'
import { maximumCounted, type SearchResult } from '../../ports/collections.ts'
import type { Collection, Key, ListIndex } from './collection.ts'
import { type Found, type Lookup, orderOf, type Range } from './lookup.ts'

export function recordOf<Stored>(found: Found<Stored> | undefined): Stored | undefined {
  return found?.record
}

export async function listRecords<Stored extends object>(
  lookup: Lookup,
  collection: Collection<Stored>,
  index: ListIndex<Stored>,
  range: Range<Stored>,
): Promise<readonly Stored[]> {
  const found = await lookup.list(collection, index, range)
  return found.map(({ record }) => record)
}

interface Lists<Stored> extends Omit<Range<Stored>, 'values' | 'after' | 'offset'> {
  /** Several lists are merged, in the order of the index. */
  readonly lists: readonly Key[]
}

/** The part of lists after a record. Empty if there is no such record. */
export async function listAfter<Stored extends object>(
  lookup: Lookup,
  [collection, index]: readonly [Collection<Stored>, ListIndex<Stored>],
  find: (() => Promise<Found<Stored> | undefined>) | undefined,
  { lists, ...range }: Lists<Stored>,
): Promise<readonly Stored[]> {
  const after = find && (await find())
  if (find && !after) return []
  const found = await Promise.all(
    lists.map((values) => lookup.list(collection, index, { values, after, ...range })),
  )
  const merged = found.flat()
  if (lists.length > 1) merged.sort(orderOf(index, range.isReversed))
  return merged.slice(0, range.limit).map(({ record }) => record)
}

export async function searchRecords<Stored extends object>(
  lookup: Lookup,
  collection: Collection<Stored>,
  { terms, limit }: { readonly terms: Key; readonly limit: number },
): Promise<SearchResult<Stored>> {
  const { found, count } = await lookup.search(collection, terms, limit)
  return { records: found.map(({ record }) => record), count }
}

/** The records whose id begins with the prefix. */
export function listByPrefix<Stored extends object>(
  lookup: Lookup,
  [collection, index]: readonly [Collection<Stored>, ListIndex<Stored>],
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<readonly Stored[]> {
  // Ids have hexadecimal digits and hyphens, which sort before this letter.
  return listRecords(lookup, collection, index, {
    values: [],
    from: prefix,
    until: `${prefix}g`,
    limit,
  })
}

/** The number of records in several lists of one index. */
export async function countLists<Stored extends object>(
  lookup: Lookup,
  [collection, index]: readonly [Collection<Stored>, ListIndex<Stored>],
  { lists, limit = Number.POSITIVE_INFINITY, ...part }: Lists<Stored>,
): Promise<number> {
  const counted = lists.map((values) => lookup.count(collection, index, { values, limit, ...part }))
  const total = (await Promise.all(counted)).reduce((sum, count) => sum + count, 0)
  return Math.min(total, limit)
}

/**
 * Asks for both at once, so that the answers are consistent. Counts a long list only in a second step, because a
 * database then answers the first one together with the questions of others.
 */
export async function readPage<Stored extends object>(
  lookup: Lookup,
  [collection, index]: readonly [Collection<Stored>, ListIndex<Stored>],
  range: { readonly values: Key; readonly isReversed?: boolean },
  { page, size }: PageRequest,
): Promise<Page<Stored>> {
  const read = async (limit?: number) => {
    const [items, totalItems] = await Promise.all([
      listRecords(lookup, collection, index, { offset: (page - 1) * size, limit: size, ...range }),
      lookup.count(collection, index, { values: range.values, limit }),
    ])
    return { items, totalItems }
  }
  const found = await read(maximumCounted)
  return found.totalItems < maximumCounted ? found : read()
}

/** The number of records for each name. */
export async function countEach<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => Promise<number>,
): Promise<Record<Name, number>> {
  const counted = names.map(async (name) => [name, await count(name)] as const)
  return Object.fromEntries(await Promise.all(counted)) as Record<Name, number>
}
