import { createPrivateKey, type KeyObject } from 'node:crypto'
import { useFiles } from '../src/machine/files.ts'
import { useProcesses } from '../src/machine/processes.ts'
import { useRandomness } from '../src/machine/random.ts'
import { useSigning } from '../src/machine/signing.ts'
import { useTime } from '../src/machine/time.ts'
import type {
  DiskFile,
  FileState,
  Files,
  OpenFile,
  Randomness,
  Time,
  Timer,
} from '../src/ports/machine.ts'
import type { Dice } from './dice.ts'
import { type Disk, fault, Inode } from './disk.ts'
import keys from './keys.json' with { type: 'json' }
import type { Loop, Owner, Step } from './loop.ts'
import { signing } from './signing.ts'

/** The faults that the disk of a computer has at the moment. */
export interface DiskFaults {
  /** The number of the next syncs that fail. */
  failingSyncs: number
  isFull: boolean
  /** Each request takes long, so that much happens meanwhile. */
  isSlow: boolean
}

const firstPid = 1000
const startMs = Date.parse('2026-11-02T05:00:00Z')
const privateDirectory = 0o40_700

let keyObjects: KeyObject[] | undefined

function rsaKeys(): readonly KeyObject[] {
  keyObjects ??= keys.map((der) =>
    createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' }),
  )
  return keyObjects
}

/** The machine that the service runs on. Its disk outlives its processes. */
export class Computer {
  disk: Disk
  /** The number of calls that have failed because of `faults`. */
  failures = 0
  readonly faults: DiskFaults = { failingSyncs: 0, isFull: false, isSlow: false }
  /** How far somebody has moved the clock of the machine. */
  clockOffsetMs = 0
  readonly #loop: Loop
  readonly #dice: Dice
  readonly #waiting: (() => void)[] = []
  #pid = firstPid
  #keysDrawn = 0
  /** Of files and directories. */
  readonly #numbers = new WeakMap<object, number>()
  #lastNumber = 0

  constructor(loop: Loop, dice: Dice, disk: Disk) {
    this.#loop = loop
    this.#dice = dice
    this.disk = disk
  }

  heal(): void {
    Object.assign(this.faults, { failingSyncs: 0, isFull: false, isSlow: false })
  }

  /** Resolves when a sync fails. */
  nextFailedSync(): Promise<void> {
    return new Promise((failed) => this.#waiting.push(failed))
  }

  get nowMs(): number {
    return startMs + Math.floor(this.#loop.nowMs) + this.clockOffsetMs
  }

  /** From now on, src/machine/ gets its time, randomness and files from the new process. */
  startProcess(): Process {
    this.#pid += 1
    const process: Process = { pid: this.#pid, isDead: false, startedMs: this.#loop.nowMs }
    useTime(this.#timeOf(process))
    useRandomness(this.#chanceOf(process))
    useFiles(this.#filesOf(process))
    useSigning(signing)
    const { pid } = process
    const identity = { pid, host: 'simulated', bootId: 'boot', pidNamespace: null }
    useProcesses({
      own: () => ({ ...identity, startedAt: null }),
      isAlive: (other) => other === pid && !process.isDead,
    })
    return process
  }

  #timeOf(process: Process): Time {
    const loop = this.#loop
    const timer = (step: Step): SimulatedTimer => {
      const made = { step, unref: () => made }
      return made
    }
    const clear = (timer: Timer | undefined) => {
      if (timer) (timer as SimulatedTimer).step.isCancelled = true
    }
    return {
      nowMs: () => this.nowMs,
      stopwatchMs: () => loop.nowMs - process.startedMs,
      setTimeout: (work, ms) => timer(loop.plan(Math.max(1, ms), work, process)),
      clearTimeout: clear,
      setInterval: (work, ms) => {
        const again = () => {
          made.step = loop.plan(ms, again, process)
          work()
        }
        const made = timer(loop.plan(ms, again, process))
        return made
      },
      clearInterval: clear,
      nextTurn: () => loop.reply(0, process, () => undefined),
      pause: (ms, signal) => pause(loop, process, { ms, signal }),
    }
  }

  #chanceOf(process: Process): Randomness {
    return {
      fill: (bytes) => this.#dice.fill(bytes),
      fraction: () => this.#dice.fraction(),
      generateRsaKey: () =>
        this.#loop.reply(60, process, () => {
          const all = rsaKeys()
          this.#keysDrawn += 1
          return all[this.#keysDrawn % all.length] as KeyObject
        }),
    }
  }

  #filesOf(process: Process): Files {
    const disk = () => this.disk
    const ask = <Answer>(run: () => Answer) => this.#ask(process, run)
    return {
      openDisk: (path, intent) =>
        ask(() => {
          if (intent === 'create') this.#requireRoom(path)
          const inode = intent === 'create' ? disk().create(path) : disk().file(path)
          return this.#diskFile(process, path, inode)
        }),
      open: (path) => ask(() => this.#openFile(process, path)),
      readFile: (path) => ask(() => Buffer.from(disk().file(path).content)),
      writeNew: (path, text) =>
        ask(() => {
          this.#requireRoom(path)
          disk().create(path).append(Buffer.from(text))
        }),
      readdir: (path) => ask(() => [...disk().directory(path).names.keys()].sort()),
      stat: (path) => ask(() => this.#stat(path)),
      // The disk of a simulation has no symbolic links.
      lstat: (path) => ask(() => this.#stat(path)),
      mkdir: (path) => ask(() => disk().makeDirectory(path)),
      mkdtemp: (prefix) =>
        ask(() => {
          const path = `${prefix}${this.#dice.word().toString(36)}`
          disk().makeDirectory(path)
          return path
        }),
      rename: (from, to) => ask(() => disk().rename(from, to)),
      link: (existing, path) => ask(() => disk().link(existing, path)),
      rm: (path, { force = false } = {}) =>
        ask(() => {
          if (!force || disk().exists(path)) disk().remove(path)
        }),
      rmdir: (path) => ask(() => disk().remove(path)),
      rewrite: async (path, from) => {
        await ask(() => disk().file(path).rewrite(from))
        const file = await ask(() => this.#diskFile(process, path, disk().file(path)))
        await file.sync()
      },
      chmod: () => ask(() => undefined),
    }
  }

  #stat(path: string) {
    const { disk } = this
    return this.#stateOf(disk.isDirectory(path) ? disk.directory(path) : disk.file(path))
  }

  #stateOf(entry: ReturnType<Disk['file' | 'directory']>): FileState {
    const isDirectory = !(entry instanceof Inode)
    return {
      size: isDirectory ? 0 : entry.size,
      mode: isDirectory ? privateDirectory : 0o100_600,
      dev: 0,
      ino: this.#numberOf(entry),
      uid: process.geteuid?.() ?? 0,
      isDirectory: () => isDirectory,
    }
  }

  #numberOf(entry: object): number {
    const number = this.#numbers.get(entry) ?? ++this.#lastNumber
    this.#numbers.set(entry, number)
    return number
  }

  #diskFile(process: Process, path: string, inode: Inode): DiskFile {
    return {
      append: (bytes) =>
        this.#ask(process, () => {
          if (!this.faults.isFull) {
            inode.append(bytes)
            this.#loop.note(bytes)
            return
          }
          this.failures += 1
          // A full disk stores only the beginning of the bytes.
          inode.append(bytes.subarray(0, this.#dice.between(0, bytes.length - 1)))
          throw fault('ENOSPC', path)
        }),
      sync: () => {
        const { size } = inode
        return this.#ask(process, () => {
          if (!this.#isFailing()) return inode.sync(size)
          inode.failSync()
          throw fault('EIO', path)
        })
      },
      truncate: (length) => this.#ask(process, () => inode.truncate(length)),
      stat: () => this.#ask(process, () => this.#stateOf(inode)),
      close: () => this.#ask(process, () => undefined),
    }
  }

  #openFile(process: Process, path: string): OpenFile {
    const isDirectory = this.disk.isDirectory(path)
    const inode = isDirectory ? undefined : this.disk.file(path)
    const { content } = inode ?? { content: Buffer.alloc(0) }
    const whole = () => inode?.content ?? content
    return {
      read: (buffer, offset, length, position) =>
        this.#ask(process, () => ({
          bytesRead: whole().copy(buffer, offset, position, position + length),
        })),
      chunks: (highWaterMark, end) => this.#chunks(process, { whole, highWaterMark, end }),
      sync: () => {
        const size = inode?.size ?? 0
        const syncNames = isDirectory ? this.disk.beginSyncNames(path) : undefined
        return this.#ask(process, () => {
          if (this.#isFailing()) throw fault('EIO', path)
          syncNames?.()
          inode?.sync(size)
        })
      },
      stat: () => this.#ask(process, () => this.#stat(path)),
      close: () => this.#ask(process, () => undefined),
    }
  }

  async *#chunks(process: Process, { whole, highWaterMark, end }: Chunks) {
    for (let at = 0; ; ) {
      const until = Math.min(whole().length, (end ?? Number.POSITIVE_INFINITY) + 1)
      if (at >= until) return
      const from = at
      at = Math.min(until, from + highWaterMark)
      yield await this.#ask(process, () => Buffer.from(whole().subarray(from, at)))
    }
  }

  #isFailing(): boolean {
    if (this.faults.failingSyncs === 0) return false
    this.faults.failingSyncs -= 1
    this.failures += 1
    for (const failed of this.#waiting.splice(0)) failed()
    return true
  }

  #requireRoom(path: string): void {
    if (!this.faults.isFull) return
    this.failures += 1
    throw fault('ENOSPC', path)
  }

  /** Some requests to the disk take a long time. */
  #ask<Answer>(process: Process, run: () => Answer): Promise<Answer> {
    const isSlow = this.#dice.chance(this.faults.isSlow ? 0.3 : 0.01)
    const ms = isSlow ? this.#dice.between(5, 400) : this.#dice.fraction()
    return this.#loop.reply(ms, process, run)
  }
}

interface Chunks {
  readonly whole: () => Buffer
  readonly highWaterMark: number
  readonly end: number | undefined
}

export interface Process extends Owner {
  readonly pid: number
  readonly startedMs: number
  isDead: boolean
}

interface SimulatedTimer extends Timer {
  step: Step
}

interface Pause {
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

function pause(loop: Loop, process: Process, { ms, signal }: Pause): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => Object.assign(new Error('The pause was aborted.'), { name: 'AbortError' })
    if (signal?.aborted) return reject(aborted())
    const over = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    const step = loop.plan(Math.max(1, ms), over, process)
    const onAbort = () => {
      step.isCancelled = true
      reject(aborted())
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
