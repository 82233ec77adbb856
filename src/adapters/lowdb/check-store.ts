import { Problem } from '../../domain/problem.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { SealedValues, sealedCollections } from '../sealed-values.ts'
import { createVault } from '../vault.ts'
import { batchesInTurns } from './batches-of.ts'
import type { Collections } from './collections.ts'
import { countRecords } from './count-records.ts'
import { findContradictions } from './find-contradictions.ts'
import { loadStore } from './load-store.ts'
import { requireManifest } from './missing-store.ts'
import type { FileRange } from './read-lines.ts'
import { describeMissingEnd, readRecordedEnd } from './recorded-end.ts'
import { listFiles, selectStoreFiles } from './store-files.ts'
import { findStoreKey, type KeySource } from './store-key.ts'

/** Reads all of a store that nobody has open, and writes nothing. */
export async function checkStore(source: KeySource): Promise<StoreCheck> {
  const { directory } = source
  const manifest = await requireManifest(directory)
  const key = await findStoreKey(source, manifest)
  const known = { vault: key && createVault(key), moved: manifest.moved ?? null }
  return checkFiles(directory, { ...known, list: () => listFiles(directory) })
}

interface StoreToCheck {
  readonly list: () => Promise<readonly FileRange[]>
  /** What is sealed is looked at where there is one. */
  readonly vault: Vault | undefined
  readonly moved: StoreMove | null
}

export async function checkFiles(
  directory: string,
  { list, vault, moved }: StoreToCheck,
): Promise<StoreCheck> {
  const sealed = vault && new SealedValues(vault)
  try {
    // Before the files are listed: what is recorded later may be more than what they have now.
    const recorded = await readRecordedEnd(directory)
    const { collections, end } = await loadStore(selectStoreFiles(await list()))
    if (sealed) await openAll(collections, sealed)
    const contradictions = await listAll(findContradictions(collections))
    const missing = [describeMissingEnd(recorded, end) ?? []].flat()
    return {
      records: countRecords(collections),
      tornBytes: end.tornBytes,
      sealedValues: sealed?.opened ?? null,
      problems: [...missing, ...contradictions, ...(sealed?.problems ?? [])],
      moved,
      end: { journal: end.number, bytes: end.bytes },
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'STORE_NEWER') throw error
    const sealedValues = sealed?.opened ?? null
    return { records: {}, tornBytes: 0, sealedValues, problems: [error.message], moved }
  }
}

async function openAll(collections: Collections, sealed: SealedValues): Promise<void> {
  for (const name of sealedCollections) {
    for await (const records of batchesInTurns<object>(collections[name].values())) {
      sealed.open(name, records)
    }
  }
}

async function listAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
