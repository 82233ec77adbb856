import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { type CopySource, collectionNames } from '../../ports/store-copy.ts'
import { acquireLock } from '../file-lock/lock.ts'
import { requireNotMoved } from '../moved-store.ts'
import { batchesOf } from './batches-of.ts'
import type { Collections } from './collections.ts'
import { findContradictions } from './find-contradictions.ts'
import { loadStore } from './load-store.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { requireManifest } from './missing-store.ts'
import { readRecordedEnd, requireRecordedEnd } from './recorded-end.ts'
import { keyName, listFiles, lockName, selectStoreFiles } from './store-files.ts'
import { type KeySource, requireKey } from './store-key.ts'

/** The store in a directory, which nobody else has open as long as it is read. */
export async function openDirectorySource(source: KeySource): Promise<CopySource> {
  const { directory } = source
  await requireManifest(directory)
  const lock = await acquireLock({
    path: join(directory, lockName),
    subject: directory,
    code: 'STORE_LOCKED',
    advice: 'Stop that process first: the copy would lack what it takes meanwhile.',
  })
  try {
    const manifest = await requireManifest(directory)
    requireNotMoved(manifest.moved)
    return { ...(await load(source, manifest)), close: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function load(source: KeySource, manifest: Manifest): Promise<Omit<CopySource, 'close'>> {
  const { directory, encryptionKey } = source
  await requireKey(source, manifest)
  const recorded = await readRecordedEnd(directory)
  const { collections, end } = await loadStore(selectStoreFiles(await listFiles(directory)))
  requireRecordedEnd(directory, recorded, end)
  await requireSound(collections)
  return {
    keyCheck: manifest.keyCheck,
    count: Object.values(collections).reduce((sum, { size }) => sum + size, 0),
    keyFile: encryptionKey === undefined ? join(directory, keyName) : undefined,
    read: (onBatch) => readAll(collections, onBatch),
    markMoved: (moved) => writeManifest(directory, { ...manifest, moved }),
  }
}

async function requireSound(collections: Collections): Promise<void> {
  for await (const problem of findContradictions(collections)) {
    throw new Problem(
      'STORE_DAMAGED',
      `Nothing was copied, because the store is not sound: ${problem} \`coopshare store check\` tells all.`,
    )
  }
}

async function readAll(
  collections: Collections,
  onBatch: Parameters<CopySource['read']>[0],
): Promise<void> {
  for (const collection of collectionNames) {
    for (const records of batchesOf<object>(collections[collection].values())) {
      await onBatch({ collection, records })
    }
  }
}
