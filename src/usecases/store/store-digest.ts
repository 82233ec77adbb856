import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import {
  type CollectionName,
  collectionNames,
  unorderedCollections,
} from '../../ports/collections.ts'
import type { RecordBatch } from '../../ports/store-copy.ts'

const digestBits = 256

interface Sum {
  count: number
  digest: bigint
}

/**
 * Digests of collections, independent of the engine. Digests of records are added up, because
 * some collections have no order; in the others, the position is part of a record's digest.
 */
export class StoreDigest {
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
