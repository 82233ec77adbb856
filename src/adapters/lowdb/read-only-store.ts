import { Low, Memory } from 'lowdb'
import { StoreFailedProblem } from '../../ports/store.ts'
import type { Rekeyed, StoreAdmin, StoreCheck } from '../../ports/store-admin.ts'
import type { Change } from '../store/staged-changes.ts'
import type { StoreVault } from '../vault.ts'
import { streamBackup } from './backup.ts'
import { checkStore } from './check-store.ts'
import { loadDirectory } from './load-store.ts'
import { LowdbStore, type StoreData } from './lowdb-store.ts'
import { type KeySource, readManifest, requireUnlocked, requireVault } from './store-directory.ts'

const unwritable: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM']

/** Whether the lock of a directory could not be acquired because this process can write no files there. */
export function isUnwritable(error: unknown): error is Error {
  return unwritable.includes((error as NodeJS.ErrnoException).code)
}

/**
 * Reads the store in a directory in which this process cannot write, for example on a read-only disk, so it cannot
 * acquire the lock. Refuses a store that another process holds.
 * @param cause why nothing can be written, for the refusal if there is no store
 */
export async function openReadOnlyStore(source: KeySource, cause: Error): Promise<ReadOnlyStore> {
  const { directory } = source
  await requireUnlocked(directory)
  const manifest = await readManifest(directory)
  if (!manifest) throw cause
  const vault = await requireVault(source, manifest)
  const { tables } = await loadDirectory(directory)
  for (const table of tables.all()) await table.buildLists()
  const low = new Low<StoreData>(new Memory<StoreData>(), { tables, changes: [] })
  return new ReadOnlyStore(low, source, { vault, cause })
}

/** A store that is only read. Its files do not change meanwhile, because nobody holds it. */
export class ReadOnlyStore extends LowdbStore implements StoreAdmin {
  /** Contains the key of the store. */
  readonly vault: StoreVault
  readonly lastRekey = undefined
  readonly #source: KeySource
  readonly #cause: Error

  constructor(low: Low<StoreData>, source: KeySource, { vault, cause }: ReadOnlyParts) {
    super(low)
    this.vault = vault
    this.#source = source
    this.#cause = cause
  }

  /** A dry run stages changes, too, but does not get here. */
  protected override prepare(changes: readonly Change[]): readonly Change[] {
    if (changes.length > 0) throw this.#refusal()
    return changes
  }

  async requireOwnFiles(): Promise<void> {}

  stats(): null {
    return null
  }

  check(): Promise<StoreCheck> {
    return checkStore(this.#source)
  }

  backup(): AsyncIterable<Uint8Array> {
    return streamBackup(this.#source.directory)
  }

  async compact(): Promise<never> {
    throw this.#refusal()
  }

  async rekey(): Promise<Rekeyed> {
    throw this.#refusal()
  }

  async resumeRekey(): Promise<undefined> {}

  #refusal(): StoreFailedProblem {
    return new StoreFailedProblem(this.#cause)
  }
}

interface ReadOnlyParts {
  readonly vault: StoreVault
  readonly cause: Error
}
