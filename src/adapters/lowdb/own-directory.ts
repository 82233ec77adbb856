import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { unlessGone } from '../../machine/durable-files.ts'
import { open, stat } from '../../machine/files.ts'
import type { FileState, OpenFile } from '../../ports/machine.ts'
import type { Lock } from '../file-lock/lock.ts'
import type { JournalEnd } from './checksummed-lines.ts'
import { journalName, lockName } from './store-files.ts'

interface JournalInUse {
  readonly end: JournalEnd
  stat(): Promise<FileState>
}

/**
 * The directory of an open store. While it is open, somebody may remove, rename or replace it or its lock, or mount
 * another disk in its place. A path then leads to files of others or to none, and another process may have opened them.
 */
export class OwnDirectory {
  readonly #path: string
  readonly #lock: Lock
  /** While the directory is open, its inode number belongs to no other directory. */
  readonly #handle: OpenFile
  readonly #opened: FileState
  #loss: Problem | undefined

  private constructor(path: string, lock: Lock, handle: OpenFile, opened: FileState) {
    this.#path = path
    this.#lock = lock
    this.#handle = handle
    this.#opened = opened
  }

  static async open(path: string, lock: Lock): Promise<OwnDirectory> {
    const handle = await open(path)
    try {
      return new OwnDirectory(path, lock, handle, await handle.stat())
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /**
   * Call this before a name in the directory is changed. Throws if the directory or the lock was lost, and from then on
   * always.
   * @param journal the journal that is in use, which must be there, too
   */
  async require(journal?: JournalInUse): Promise<void> {
    // An error, for example of a disk that does not respond, does not show that anything was replaced.
    const loss = this.#loss ?? (await this.#findLoss(journal).catch(() => undefined))
    if (!loss) return
    this.#loss = loss
    throw loss
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async #findLoss(journal?: JournalInUse): Promise<Problem | undefined> {
    const what =
      (await this.#findLossOfDirectory()) ?? (journal && (await this.#findLossOfJournal(journal)))
    if (what === undefined) return undefined
    // If the directory went between two looks, its lock and its journal are missing too, but it is what was lost.
    return lost((await this.#findLossOfDirectory()) ?? what)
  }

  async #findLossOfDirectory(): Promise<string | undefined> {
    const there = await unlessGone(stat(this.#path))
    if (!there) return `The data directory ${this.#path} was removed or renamed`
    if (!isSame(this.#opened, there)) {
      return `Another directory has taken the place of the data directory ${this.#path}`
    }
    if (await this.#lock.isHeld()) return undefined
    return `The lock ${join(this.#path, lockName)} was removed or replaced`
  }

  async #findLossOfJournal(journal: JournalInUse): Promise<string | undefined> {
    const { number, bytes } = journal.end
    const path = join(this.#path, journalName(number))
    const own = await journal.stat()
    const there = await unlessGone(stat(path))
    // A compaction may have ended this journal meanwhile.
    if (journal.end.number !== number) return undefined
    if (there && isSame(own, there) && there.size >= bytes) return undefined
    return `The journal ${path} was removed, replaced or cut`
  }
}

function isSame(own: FileState, there: FileState): boolean {
  return own.ino === there.ino && own.dev === there.dev
}

function lost(what: string): Problem {
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `${what} while the store was open. This process writes nothing there any more. Put the right directory in its place, or restore a backup, and then restart the service.`,
  )
}
