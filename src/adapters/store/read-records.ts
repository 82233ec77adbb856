import { maximumCounted, type Page, type PageRequest } from '../../domain/page.ts'
import type { SearchResult } from '../../ports/collections.ts'
import type { Collection, Key, ListIndex, UniqueIndex } from './collection.ts'
import { type Found, type Lookup, orderOf, type Part, type Range } from './lookup.ts'

/** A part of several lists, which are merged in the order of the index. */
interface Lists<Stored> extends Omit<Range<Stored>, 'values' | 'after' | 'offset'> {
  readonly lists: readonly Key[]
  /** The id of the record after which the part begins. */
  readonly after?: string | undefined
}

/** Asks for the records of one collection. */
export class CollectionReader<Stored extends object> {
  readonly #lookup: Lookup
  readonly #collection: Collection<Stored>

  constructor(lookup: Lookup, collection: Collection<Stored>) {
    this.#lookup = lookup
    this.#collection = collection
  }

  async get(...key: Key): Promise<Stored | undefined> {
    const found = await this.#lookup.get(this.#collection, key)
    return found?.record
  }

  async find(index: UniqueIndex<Stored>, ...values: Key): Promise<Stored | undefined> {
    const found = await this.#lookup.find(this.#collection, index, values)
    return found?.record
  }

  async list(index: ListIndex<Stored>, range: Range<Stored>): Promise<readonly Stored[]> {
    const found = await this.#lookup.list(this.#collection, index, range)
    return found.map(({ record }) => record)
  }

  async first(
    index: ListIndex<Stored>,
    range: Omit<Range<Stored>, 'limit'>,
  ): Promise<Stored | undefined> {
    const [first] = await this.list(index, { limit: 1, ...range })
    return first
  }

  /**
   * Empty if there is no record with the id `after`.
   * @param find finds the record with an id
   */
  async listAfter(
    index: ListIndex<Stored>,
    find: (id: string) => Promise<Found<Stored> | undefined>,
    { lists, after: id, ...range }: Lists<Stored>,
  ): Promise<readonly Stored[]> {
    const after = id === undefined ? undefined : await find(id)
    if (id !== undefined && !after) return []
    const found = await Promise.all(
      lists.map((values) =>
        this.#lookup.list(this.#collection, index, { values, after, ...range }),
      ),
    )
    const merged = found.flat()
    if (lists.length > 1) merged.sort(orderOf(index, range.isReversed))
    return merged.slice(0, range.limit).map(({ record }) => record)
  }

  async search(terms: Key, limit: number): Promise<SearchResult<Stored>> {
    const { found, count } = await this.#lookup.search(this.#collection, terms, limit)
    return { records: found.map(({ record }) => record), count }
  }

  /** The records whose id begins with the prefix. */
  listByPrefix(
    index: ListIndex<Stored>,
    prefix: string,
    limit: number,
  ): Promise<readonly Stored[]> {
    // Ids have hexadecimal digits and hyphens, which sort before this letter.
    return this.list(index, { values: [], from: prefix, until: `${prefix}g`, limit })
  }

  count(index: ListIndex<Stored>, part: Part<Stored>): Promise<number> {
    return this.#lookup.count(this.#collection, index, part)
  }

  /** The number of records in several lists of one index. */
  async countLists(
    index: ListIndex<Stored>,
    { lists, limit, ...part }: Omit<Part<Stored>, 'values'> & { readonly lists: readonly Key[] },
  ): Promise<number> {
    const counted = lists.map((values) => this.count(index, { values, limit, ...part }))
    const total = (await Promise.all(counted)).reduce((sum, count) => sum + count, 0)
    return Math.min(total, limit ?? total)
  }

  /**
   * Asks for both at once, so that the answers are consistent. Counts a long list only in a second step, because a
   * database then answers the first one together with the questions of others.
   */
  async page(
    index: ListIndex<Stored>,
    range: { readonly values: Key; readonly isReversed?: boolean },
    { page, size }: PageRequest,
  ): Promise<Page<Stored>> {
    const read = async (limit?: number) => {
      const [items, totalItems] = await Promise.all([
        this.list(index, { offset: (page - 1) * size, limit: size, ...range }),
        this.count(index, { values: range.values, limit }),
      ])
      return { items, totalItems }
    }
    const found = await read(maximumCounted)
    return found.totalItems < maximumCounted ? found : read()
  }
}

/** The number of records for each name. */
export async function countEach<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => Promise<number>,
): Promise<Record<Name, number>> {
  const counted = names.map(async (name) => [name, await count(name)] as const)
  return Object.fromEntries(await Promise.all(counted)) as Record<Name, number>
}
