import { Problem } from '../../domain/problem.ts'
import type { CopySource, CopyTarget, StoreMove } from '../../ports/store-copy.ts'
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

/**
 * All or nothing: what was written is read again, and kept only if it is the same. The source is marked as moved before the
 * copy becomes a store: wherever this ends, there are never two stores that take writes. `onProgress` hears of each record
 * twice.
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
    // Why there is no copy, the first error says.
    await target.discard().catch(() => undefined)
    throw error
  }
  await target.keep().catch((cause) => {
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
    `What was written is not what was read, in ${differing.join(', ')}. Nothing was kept.`,
  )
}

/** The mark stays: where a connection breaks at the end, nobody here knows whether the copy is a store by now. */
function notKept({ to }: StoreMove, cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `The store is marked as moved, but the last step of the copy into ${to} failed: ${reason} If there is a store in ${to}, use that one. If not, run \`coopshare store reopen --yes\` on the old store, and copy again.`,
    { cause },
  )
}
