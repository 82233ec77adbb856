import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { Problem } from '../../domain/problem.ts'
import {
  type CollectionName,
  collectionNames,
  unorderedCollections,
} from '../../ports/collections.ts'
import type { CopySource, CopyTarget, RecordBatch, StoreMove } from '../../ports/store-admin.ts'

export interface StoreCopy {
  readonly source: CopySource
  readonly target: CopyTarget
}

export interface Copied {
  readonly records: Readonly<Record<string, number>>
  /** Digests by collection. Equal digests mean equal records. */
  readonly digests: Readonly<Record<string, string>>
}

/**
 * Copies everything or nothing: the copy is read back and kept only if its digests match. The
 * source is marked as moved before the copy becomes a store, so two stores never accept writes at
 * the same time. `onProgress` is called twice for each record.
 */
export async function copyStore(
  { source, target }: StoreCopy,
  move: StoreMove,
  onProgress: (records: number) => void,
): Promise<Copied> {
  const [read, kept] = [new StoreDigest(), new StoreDigest()]
  try {
    await source.read(async (batch) => {
      read.add(batch)
      await target.put(batch)
      onProgress(batch.records.length)
    })
    await target.readBack((batch) => {
      kept.add(batch)
      onProgress(batch.records.length)
    })
    requireSame(read, kept)
    await source.markMoved(move)
  } catch (error) {
    // The first error explains why there is no copy.
    await target.discard().catch(() => undefined)
    throw error
  }
  await target.commit().catch((cause) => {
    throw notKept(move, cause)
  })
  return { records: read.counts(), digests: read.digests() }
}

function requireSame(read: StoreDigest, kept: StoreDigest): void {
  const [before, after] = [read.digests(), kept.digests()]
  const differing = Object.keys(before).filter((name) => before[name] !== after[name])
  if (differing.length === 0) return
  throw new Problem(
    'STORE_DAMAGED',
    `The copy differs from the source in ${differing.join(', ')}. Nothing was kept.`,
  )
}

/**
 * The mark stays, because after a lost connection it is unknown whether the copy has become a
 * store.
 */
function notKept({ to }: StoreMove, cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `The store is marked as moved, but the last step of the copy into ${to} failed: ${reason} If there is a store in ${to}, use it. If not, run \`coopshare store reopen --yes\` on the old store and copy again.`,
    { cause },
  )
}

const digestBits = 256

interface Sum {
  count: number
  digest: bigint
}

/**
 * Digests of collections, independent of the engine. Digests of records are added up, because
 * some collections have no order; in the others, the position is part of a record's digest.
 */
class StoreDigest {
  readonly #sums = new Map(collectionNames.map((name): [CollectionName, Sum] => [name, emptySum()]))

  add({ collection, records }: RecordBatch): void {
    const sum = this.#sums.get(collection)
    if (!sum) throw new Error(`There is no collection ${collection}.`)
    const isOrdered = !unorderedCollections.has(collection)
    for (const record of records) {
      const place = isOrdered ? sum.count : ''
      sum.count += 1
      sum.digest += BigInt(`0x${hash('sha256', `${place} ${stringify(record)}`)}`)
    }
  }

  counts(): Record<string, number> {
    return this.#map(({ count }) => count)
  }

  digests(): Record<string, string> {
    return this.#map(({ digest }) => {
      const bounded = BigInt.asUintN(digestBits, digest)
      return bounded.toString(16).padStart(digestBits / 4, '0')
    })
  }

  #map<Value>(of: (sum: Sum) => Value): Record<string, Value> {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, of(sum)]))
  }
}

function emptySum(): Sum {
  return { count: 0, digest: 0n }
}
