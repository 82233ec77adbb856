import type { CollectionName } from '../../ports/store-copy.ts'
import type { Change } from './staged.ts'

/** Raised when an older program could not read what this one writes. */
export const formatVersion = 1

export const journalFormat = 'coopshare-journal'
export const snapshotFormat = 'coopshare-snapshot'

export interface JournalHeader {
  readonly format: string
  readonly version: number
  readonly number: number
}

export interface SnapshotHeader {
  readonly format: string
  readonly version: number
  /** The first journal that is not in it, and the end of the chain before that. */
  readonly journal: number
  readonly previous: string
}

/** Its absence shows that a snapshot was cut. */
export interface SnapshotFooter {
  readonly counts: Readonly<Record<string, number>>
}

export type JournalChange =
  | readonly [collection: CollectionName, record: object]
  | readonly [collection: CollectionName, record: null, key: string]

/** 1 for the first line of a batch, which was begun when the one before was durable; else 0. */
export type BatchMark = 0 | 1

export function journalHeader(number: number): string {
  const header: JournalHeader = { format: journalFormat, version: formatVersion, number }
  return JSON.stringify(header)
}

export function journalBody(changes: readonly Change[], mark: BatchMark): string {
  return `${mark},[${changes.map(changeText).join(',')}]`
}

function changeText({ collection, key, json }: Change): string {
  return json === undefined
    ? `["${collection}",null,${JSON.stringify(key)}]`
    : `["${collection}",${json}]`
}

export function snapshotBody(collection: string, records: readonly string[]): string {
  return `"${collection}",[${records.join(',')}]`
}
