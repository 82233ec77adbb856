import { Problem } from '../../domain/problem.ts'
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
import { listFiles, selectStoreFiles } from './store-files.ts'
import { findStoreKey, type KeySource } from './store-key.ts'

/** Reads all of a store that nobody has open, and writes nothing. */
export async function checkStore(source: KeySource): Promise<StoreCheck> {
  const { directory } = source
  const manifest = await requireManifest(directory)
  const key = await findStoreKey(source, manifest)
  return checkFiles(await listFiles(directory), key && createVault(key))
}

/** @param vault what is sealed is looked at where there is one */
export async function checkFiles(
  files: readonly FileRange[],
  vault: Vault | undefined,
): Promise<StoreCheck> {
  const sealed = vault && new SealedValues(vault)
  try {
    const { collections, end } = await loadStore(selectStoreFiles(files))
    if (sealed) await openAll(collections, sealed)
    const contradictions = await listAll(findContradictions(collections))
    return {
      records: countRecords(collections),
      tornBytes: end.tornBytes,
      sealedValues: sealed?.opened ?? null,
      problems: [...contradictions, ...(sealed?.problems ?? [])],
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const sealedValues = sealed?.opened ?? null
    return { records: {}, tornBytes: 0, sealedValues, problems: [error.message] }
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
