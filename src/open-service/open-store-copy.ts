import { openDirectorySource, openDirectoryTarget } from '../adapters/lowdb/copy.ts'
import { openDatabaseSource } from '../adapters/postgres/database-source.ts'
import { openDatabaseTarget } from '../adapters/postgres/database-target.ts'
import { systemClock } from '../adapters/system-clock.ts'
import type { StorePlace } from '../config/store-place.ts'
import type { CopySource, CopyTarget } from '../ports/store-copy.ts'
import type { StoreCopy } from '../usecases/store/copy-store.ts'

export interface StoreCopyPlaces {
  readonly from: StorePlace
  readonly to: StorePlace
  /** As it was given; a directory may have its own. */
  readonly encryptionKey: string | undefined
}

/** A store as it is, and the beginning of another one. */
export async function openStoreCopy(places: StoreCopyPlaces): Promise<StoreCopy> {
  const source = await openSource(places)
  try {
    return { source, target: await openTarget(places, source) }
  } catch (error) {
    await source.close()
    throw error
  }
}

function openSource({ from, encryptionKey }: StoreCopyPlaces): Promise<CopySource> {
  if ('database' in from) return openDatabaseSource({ ...from.database, encryptionKey })
  return openDirectorySource({ ...from, encryptionKey })
}

function openTarget({ to }: StoreCopyPlaces, { keyCheck }: CopySource): Promise<CopyTarget> {
  if ('database' in to) return openDatabaseTarget({ ...to.database, keyCheck })
  return openDirectoryTarget({ ...to, keyCheck, clock: systemClock })
}
