import { basename, dirname } from 'node:path'
import type { Dice } from './dice.ts'

const sectorBytes = 512

/** The bytes of a file, both as a process reads them and as a power loss leaves them. */
export class Inode {
  #bytes: Buffer = Buffer.alloc(1024)
  size = 0
  #syncedSize = 0
  /** The durable bytes, if a truncation has made the current bytes differ from them. */
  #durable: Buffer | undefined
  /** Ranges of bytes that a failed sync has dropped. A later sync succeeds without writing them. */
  #dropped: (readonly [number, number])[] = []

  get content(): Buffer {
    return this.#bytes.subarray(0, this.size)
  }

  append(bytes: Uint8Array): void {
    const size = this.size + bytes.length
    if (size > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.content], Math.max(size, 2 * this.#bytes.length))
    }
    this.#bytes.set(bytes, this.size)
    this.size = size
  }

  truncate(length: number): void {
    if (length >= this.size) return
    this.#durable ??= Buffer.from(this.#bytes.subarray(0, this.#syncedSize))
    this.size = length
    const left = this.#dropped.map(([from, to]) => [from, Math.min(to, length)] as const)
    this.#dropped = left.filter(([from, to]) => from < to)
  }

  /** @param length of the file when the sync began: later bytes are not synced */
  sync(length: number): void {
    const end = Math.min(length, this.size)
    for (const [from, to] of this.#dropped) this.#bytes.fill(0, from, Math.min(to, this.size))
    this.#dropped = []
    this.#syncedSize = this.#durable ? end : Math.max(this.#syncedSize, end)
    this.#durable = undefined
  }

  /** The bytes from this position on are written again, so the next sync makes them durable. */
  rewrite(from: number): void {
    const left = this.#dropped.map(([first, last]) => [first, Math.min(last, from)] as const)
    this.#dropped = left.filter(([first, last]) => first < last)
  }

  failSync(): void {
    if (this.size > this.#syncedSize) this.#dropped.push([this.#syncedSize, this.size])
  }

  /**
   * Leaves what a power loss leaves: the synced bytes, and of later bytes none, a beginning, or
   * some sectors.
   */
  crash(dice: Dice): void {
    this.#become(this.#leftAfterCrash(dice))
  }

  #leftAfterCrash(dice: Dice): Buffer {
    const durable = this.#durable ?? this.#bytes.subarray(0, this.#syncedSize)
    if (this.#durable && dice.chance(0.5)) return Buffer.from(durable)
    const from = this.#durable ? Math.min(this.size, durable.length) : this.#syncedSize
    const rest = this.size - from
    if (rest <= 0) return Buffer.from(this.#durable ? this.content : durable)
    const kept = dice.weigh({ nothing: 3, all: 2, beginning: 3, sectors: 3 })
    const start = Buffer.from(this.#bytes.subarray(0, from))
    if (kept === 'nothing') return start
    const length = kept === 'beginning' ? dice.between(0, rest) : rest
    const after = Buffer.from(this.#bytes.subarray(from, from + length))
    if (kept === 'sectors') loseSectors(dice, after, from)
    for (const [first, last] of this.#dropped) {
      after.fill(0, Math.max(0, first - from), Math.max(0, Math.min(last - from, length)))
    }
    return Buffer.concat([start, after])
  }

  /** Flips a bit. Returns the position of its byte, and a function that flips the bit back. */
  flip(dice: Dice): { readonly at: number; readonly undo: () => void } {
    const at = dice.below(this.size)
    const bit = 1 << dice.below(8)
    const flip = () => {
      this.#bytes[at] = (this.#bytes[at] ?? 0) ^ bit
    }
    flip()
    return { at, undo: flip }
  }

  /** Replaces the content, as if another program had written the file. */
  replace(bytes: Uint8Array): void {
    this.#become(Buffer.from(bytes))
  }

  copy(): Inode {
    const copy = new Inode()
    copy.#become(Buffer.from(this.content))
    return copy
  }

  #become(bytes: Buffer): void {
    this.#bytes = bytes
    this.size = bytes.length
    this.#syncedSize = bytes.length
    this.#durable = undefined
    this.#dropped = []
  }
}

/** Keeps the length of the file and clears the sectors that have never reached the disk. */
function loseSectors(dice: Dice, bytes: Buffer, offset: number): void {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + sectorBytes - ((offset + at) % sectorBytes))
    if (dice.chance(0.5)) bytes.fill(0, dice.chance(0.2) ? dice.between(at, end) : at, end)
    at = end
  }
}

type Entry = Inode | 'directory'

/**
 * A change of names that is not durable yet. A rename is one change, which happens completely or
 * not at all.
 */
type NameChange = readonly (readonly [name: string, entry: Entry | undefined])[]

interface Directory {
  readonly names: Map<string, Entry>
  durable: ReadonlyMap<string, Entry>
  changes: NameChange[]
  /** The number of changes that are durable. */
  synced: number
}

function newDirectory(): Directory {
  return { names: new Map(), durable: new Map(), changes: [], synced: 0 }
}

/**
 * A file system in which bytes and names become durable only when they are synced. The bytes of a
 * file and the names in a directory have separate syncs.
 */
export class Disk {
  #directories = new Map<string, Directory>([['/', newDirectory()]])
  readonly #waiting: { readonly below: string; readonly changed: () => void }[] = []

  /** Resolves when a name in this directory changes. */
  nextChange(below: string): Promise<void> {
    return new Promise((changed) => this.#waiting.push({ below, changed }))
  }

  directory(path: string): Directory {
    const found = this.#directories.get(path)
    if (!found) throw fault(this.#entry(path) ? 'ENOTDIR' : 'ENOENT', path)
    return found
  }

  isDirectory(path: string): boolean {
    return this.#directories.has(path)
  }

  file(path: string): Inode {
    const entry = this.#entry(path)
    if (entry === 'directory') throw fault('EISDIR', path)
    if (!entry) throw fault('ENOENT', path)
    return entry
  }

  exists(path: string): boolean {
    return this.isDirectory(path) || this.#entry(path) !== undefined
  }

  create(path: string): Inode {
    if (this.exists(path)) throw fault('EEXIST', path)
    const inode = new Inode()
    this.#change(dirname(path), [[basename(path), inode]])
    return inode
  }

  makeDirectory(path: string): void {
    if (this.exists(path)) throw fault('EEXIST', path)
    this.#change(dirname(path), [[basename(path), 'directory']])
    this.#directories.set(path, newDirectory())
  }

  rename(from: string, to: string): void {
    const entry = this.file(from)
    if (dirname(from) !== dirname(to)) throw fault('EXDEV', to)
    this.#change(dirname(to), [
      [basename(to), entry],
      [basename(from), undefined],
    ])
  }

  link(existing: string, path: string): void {
    if (this.exists(path)) throw fault('EEXIST', path)
    this.#change(dirname(path), [[basename(path), this.file(existing)]])
  }

  remove(path: string): void {
    if (this.isDirectory(path)) {
      for (const name of [...this.directory(path).names.keys()]) this.remove(`${path}/${name}`)
      this.#directories.delete(path)
    } else this.file(path)
    this.#change(dirname(path), [[basename(path), undefined]])
  }

  /**
   * Begins a sync of the names. The function that it returns ends the sync, and then the names from
   * its beginning are durable.
   */
  beginSyncNames(path: string): () => void {
    const directory = this.directory(path)
    const names = new Map(directory.names)
    const synced = directory.synced + directory.changes.length
    return () => {
      if (synced < directory.synced) return
      directory.changes = directory.changes.slice(synced - directory.synced)
      Object.assign(directory, { durable: names, synced })
    }
  }

  syncNames(path: string): void {
    this.beginSyncNames(path)()
  }

  /**
   * Loses some of the changes that were not synced: an early change can be lost while a later one
   * stays.
   */
  crash(dice: Dice): void {
    const kept = new Map<string, Directory>()
    const visit = (path: string, directory: Directory) => {
      const names = new Map(directory.durable)
      const way = dice.weigh({ nothing: 2, all: 2, beginning: 2, any: 6 })
      const lost = dice.fraction()
      const { changes } = directory
      const end = way === 'beginning' ? dice.between(0, changes.length) : changes.length
      for (const change of way === 'nothing' ? [] : changes.slice(0, end)) {
        if (way === 'any' && dice.chance(lost)) continue
        for (const [name, entry] of change) {
          if (entry) names.set(name, entry)
          else names.delete(name)
        }
      }
      kept.set(path, { names, durable: new Map(names), changes: [], synced: 0 })
      for (const [name, entry] of names) {
        const below = path === '/' ? `/${name}` : `${path}/${name}`
        if (entry === 'directory') visit(below, this.#directories.get(below) ?? newDirectory())
      }
    }
    visit('/', this.directory('/'))
    this.#directories = kept
    const crashed = new Set<Inode>()
    for (const { names } of kept.values()) {
      for (const entry of names.values()) if (entry !== 'directory') crashed.add(entry)
    }
    for (const inode of crashed) inode.crash(dice)
  }

  copy(): Disk {
    const copy = new Disk()
    const inodes = new Map<Inode, Inode>()
    for (const [path, { names }] of this.#directories) {
      const copied = new Map<string, Entry>()
      for (const [name, entry] of names) {
        if (entry === 'directory') copied.set(name, entry)
        else {
          const inode = inodes.get(entry) ?? entry.copy()
          inodes.set(entry, inode)
          copied.set(name, inode)
        }
      }
      copy.#directories.set(path, {
        names: copied,
        durable: new Map(copied),
        changes: [],
        synced: 0,
      })
    }
    return copy
  }

  /** All files with their paths. */
  *files(): Generator<readonly [string, Inode]> {
    for (const [path, { names }] of this.#directories) {
      for (const [name, entry] of names) {
        if (entry !== 'directory') yield [path === '/' ? `/${name}` : `${path}/${name}`, entry]
      }
    }
  }

  #entry(path: string): Entry | undefined {
    return this.#directories.get(dirname(path))?.names.get(basename(path))
  }

  #change(path: string, change: NameChange): void {
    const directory = this.directory(path)
    for (const [name, entry] of change) {
      if (entry) directory.names.set(name, entry)
      else directory.names.delete(name)
    }
    directory.changes.push(change)
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.below === path) waiting.changed()
      else this.#waiting.push(waiting)
    }
  }
}

export function fault(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: simulated, '${path}'`), { code, path })
}
