/** What an operator can do to the store as a whole, whatever is in it. */
export interface StoreUpkeep {
  stats(): Promise<StoreStats>
  /** Reads everything that is stored and compares it with its checksums, indexes and references. Changes nothing. */
  check(): Promise<StoreReport>
  compact(): Promise<StoreStats>
  /** One self-checking stream that `restore` takes. */
  backup(): AsyncIterable<Uint8Array>
}

export interface StoreStats {
  readonly journalBytes: number
  readonly snapshotBytes: number
  /** How long the last write waited for the disk; null before the first one. */
  readonly lastSyncSeconds: number | null
  readonly records: Readonly<Record<string, number>>
}

export interface StoreReport {
  readonly records: Readonly<Record<string, number>>
  /** People's text, one for each thing that is wrong. */
  readonly problems: readonly string[]
}
