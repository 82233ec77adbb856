import { Problem } from '../../domain/problem.ts'
import type { CopySource, CopyTarget } from '../../ports/store-copy.ts'
import { StoreDigest } from './store-digest.ts'

export interface StoreCopy {
  readonly source: CopySource
  readonly target: CopyTarget
}

export interface Copied {
  readonly records: Readonly<Record<string, number>>
  /** Of each collection; the same wherever the same records are kept. */
  readonly digests: Readonly<Record<string, string>>
}

/** All or nothing: what was written is read again, and kept only if it is the same. `onProgress` hears of each record twice. */
export async function copyStore(
  { source, target }: StoreCopy,
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
  } catch (error) {
    // Why there is no copy, the first error says.
    await target.discard().catch(() => undefined)
    throw error
  }
  await target.keep()
  return { records: read.counts(), digests: read.digests() }
}

function requireSame(read: StoreDigest, kept: StoreDigest): void {
  const [before, after] = [read.digests(), kept.digests()]
  const differing = Object.keys(before).filter((name) => before[name] !== after[name])
  if (differing.length === 0) return
  throw new Problem(
    'STORE_DAMAGED',
    `What was written is not what was read, in ${differing.join(', ')}. Nothing was kept.`,
  )
}
