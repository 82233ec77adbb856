import type { Collection, Key, ListIndex, UniqueIndex } from './collection.ts'

/** A record as it was found. */
export interface Found<Stored> {
  readonly record: Stored
  /** Its place in the order of creation, because ids (UUIDv5 from fixtures) do not sort by age. */
  readonly sequence: number
  /** Another one after each change; absent in an engine that runs one write at a time. */
  readonly version?: number
}

/** A part of a list. */
export interface Range<Stored> {
  readonly values: Key
  /** Those that come after this one. */
  readonly after?: Found<Stored> | undefined
  /** Those whose rank is this or later. */
  readonly from?: string | undefined
  /** Those whose rank is earlier. */
  readonly until?: string | undefined
  readonly matching?: Matching<Stored> | undefined
  readonly isReversed?: boolean | undefined
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** Looked for among those that the rest of the range finds. */
export interface Matching<Stored> {
  readonly field: keyof Stored & string
  readonly comparison: '=' | '>='
  readonly value: string
}

/** What an engine finds: all that the readers of records are made of. */
export interface Lookup {
  get<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
  ): Promise<Found<Stored> | undefined>
  find<Stored extends object>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    values: Key,
  ): Promise<Found<Stored> | undefined>
  list<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    range: Range<Stored>,
  ): Promise<readonly Found<Stored>[]>
  count<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    values: Key,
  ): Promise<number>
  /** The values that have a list with anything in it, found without going through the lists. For reads. */
  listed<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
  ): Promise<readonly Key[]>
  /** Another number after each change of a kept collection. */
  version<Stored extends object>(collection: Collection<Stored>): Promise<number>
}

export function isMatching<Stored>(
  { field, comparison, value }: Matching<Stored>,
  record: Stored,
): boolean {
  const found = record[field] as string
  return comparison === '=' ? found === value : found >= value
}

export type Order<Stored> = (left: Found<Stored>, right: Found<Stored>) => number

/** The order of a list. */
export function orderOf<Stored>({ rank }: ListIndex<Stored>): Order<Stored> {
  if (!rank) return bySequence
  return (left, right) => {
    const [first, second] = [rank.of(left.record), rank.of(right.record)]
    return first < second ? -1 : first > second ? 1 : bySequence(left, right)
  }
}

function bySequence(left: Found<unknown>, right: Found<unknown>): number {
  return left.sequence - right.sequence
}
