import type { Money } from '../../domain/money.ts'
import type { Collection, Key, ListIndex, Tally, UniqueIndex } from './collection.ts'

/** A record as it was found. */
export interface Found<Stored> {
  readonly record: Stored
  /** The place in the order of creation. Ids do not sort by age, because fixtures use UUIDv5. */
  readonly sequence: number
  /** Changes with the record. Absent in an engine that runs one write at a time. */
  readonly version?: number
}

/** A part of a list. */
export interface Range<Stored> {
  readonly values: Key
  /** The part begins after this record. */
  readonly after?: Found<Stored> | undefined
  /** Records with this rank or a later one. */
  readonly from?: string | undefined
  /** Records with an earlier rank. */
  readonly until?: string | undefined
  readonly matching?: readonly Matching<Stored>[] | undefined
  readonly isReversed?: boolean | undefined
  /** Of a log, includes the records that `isLog` hides. */
  readonly withHidden?: boolean | undefined
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** A part of a list that can be counted without reading each record. */
export type Part<Stored> = Omit<Range<Stored>, 'matching' | 'offset'>

/** A condition on the records of a range. */
export interface Matching<Stored> {
  readonly field: keyof Stored & string
  readonly comparison: '=' | '>='
  readonly value: string
}

/** What to read of a tally. Without a limit of the periods, each part has one sum, of all periods. */
export interface TallyRange {
  readonly parts: Key
  readonly periods?: { readonly from: string; readonly until: string } | undefined
}

export interface TallySum {
  readonly part: string
  /** Empty for the sum of all periods. */
  readonly period: string
  readonly count: number
  readonly amount: Money
}

/** The queries that an engine answers. The readers use them. */
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
  /** The number of records in a part of a list. Counting stops at the limit, which limits its cost. */
  count<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    part: Part<Stored>,
  ): Promise<number>
  /** The sums of a tally, in no particular order, without those of no record. For reads only. */
  tally<Stored extends object>(
    collection: Collection<Stored>,
    tally: Tally<Stored>,
    range: TallyRange,
  ): Promise<readonly TallySum[]>
  /** The values of all lists that are not empty, found without reading the lists. For reads only. */
  listed<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
  ): Promise<readonly Key[]>
  /**
   * Records that have all these search terms, in no particular order, and their number up to
   * `maximumCounted`. For reads only.
   */
  search<Stored extends object>(
    collection: Collection<Stored>,
    terms: Key,
    limit: number,
  ): Promise<{ readonly found: readonly Found<Stored>[]; readonly count: number }>
  /** A version that changes with any record of a cached collection. */
  version<Stored extends object>(collection: Collection<Stored>): Promise<number>
}

export function isMatching<Stored>(
  conditions: readonly Matching<Stored>[] | undefined,
  record: Stored,
): boolean {
  return (conditions ?? []).every(({ field, comparison, value }) => {
    const found = record[field] as string
    return comparison === '=' ? found === value : found >= value
  })
}

export type Order<Stored> = (left: Found<Stored>, right: Found<Stored>) => number

/** The order of a list. */
export function orderOf<Stored>({ rank }: ListIndex<Stored>, isReversed = false): Order<Stored> {
  const order: Order<Stored> = (left, right) => {
    if (!rank) return left.sequence - right.sequence
    const [first, second] = [rank.of(left.record), rank.of(right.record)]
    return first < second ? -1 : first > second ? 1 : left.sequence - right.sequence
  }
  return isReversed ? (left, right) => order(right, left) : order
}
