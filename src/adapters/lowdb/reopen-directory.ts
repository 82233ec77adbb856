import { join } from 'node:path'
import type { StoreMove } from '../../ports/store-copy.ts'
import { acquireLock } from '../file-lock/lock.ts'
import { writeManifest } from './manifest.ts'
import { requireManifest } from './missing-store.ts'
import { lockName } from './store-files.ts'

/**
 * Returns where the store had been moved to; null when it was not, and nothing was changed.
 * @param isWanted asked before the mark is removed
 */
export async function reopenDirectory(
  directory: string,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<StoreMove | null> {
  await requireManifest(directory)
  const path = join(directory, lockName)
  const lock = await acquireLock({ path, subject: directory, code: 'STORE_LOCKED' })
  try {
    const { moved, ...manifest } = await requireManifest(directory)
    if (!moved || !(await isWanted(moved))) return null
    await writeManifest(directory, manifest)
    return moved
  } finally {
    await lock.release()
  }
}
