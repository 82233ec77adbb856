import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Problem } from '../../domain/problem.ts'
import { madeByNewer } from '../newer-form.ts'

/** Raised when an older program could not read what this one writes. */
export const formatVersion = 1

const checksumLength = 16
/** Stands before the first line of a chain. */
export const chainStart = 'A'.repeat(checksumLength)

/** Where the first value after the checksum begins. */
export const bodyAt = '["'.length + checksumLength + '",'.length

/**
 * A JSON array whose first element is a checksum over the line itself with the previous line's checksum in its place.
 * So a line that was altered, removed, added or moved shows in the chain, and any JSON tool can still read the file.
 * `body` is the rest of the array's elements as JSON.
 */
export function sealLine(previous: string, body: string): { line: string; checksum: string } {
  const checksum = checksumOf(`["${previous}",${body}]`)
  return { line: `["${checksum}",${body}]\n`, checksum }
}

/** undefined when the line is not what was written after `previous`. `line` is without its end; one that is opened is written over. */
export function openLine(
  previous: string,
  line: Buffer,
): { elements: readonly unknown[]; checksum: string } | undefined {
  if (line.length < bodyAt) return undefined
  const checksum = line.toString('latin1', 2, 2 + checksumLength)
  line.write(previous, 2, 'latin1')
  if (checksumOf(line) !== checksum) {
    line.write(checksum, 2, 'latin1')
    return undefined
  }
  return { elements: JSON.parse(line.toString('utf8')).slice(1), checksum }
}

// 96 bits of SHA-256: far beyond accidents, and short beside a record.
function checksumOf(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, checksumLength)
}

const chunkBytes = 1024 * 1024
const lineBufferBytes = 1024 * 1024
const lineEnd = 10

/** A file, or a part of one: a backup holds several files in one. */
export interface FileRange {
  readonly name: string
  readonly path: string
  readonly offset: number
  readonly bytes: number
}

export interface Line {
  readonly number: number
  readonly bytes: Buffer
  /** Whether the line's end is there; only the last one's may be missing. */
  readonly isWhole: boolean
}

/**
 * Lines go to a plain callback, because awaiting each of a million would take longer than reading them. Their bytes
 * are written over when it returns.
 */
export async function readLines(file: FileRange, onLine: (line: Line) => void): Promise<void> {
  const handle = await open(file.path)
  try {
    const reader = new LineReader(onLine)
    let done = 0
    while (done < file.bytes) {
      const room = reader.room(file.bytes - done)
      const { bytesRead } = await handle.read(room, 0, room.length, file.offset + done)
      if (bytesRead === 0) break
      done += bytesRead
      reader.take(bytesRead)
    }
    reader.finish()
  } finally {
    await handle.close()
  }
}

export async function* readChunks(
  handle: FileHandle,
  { offset, bytes }: Pick<FileRange, 'offset' | 'bytes'>,
): AsyncGenerator<Buffer> {
  let done = 0
  while (done < bytes) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes - done))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset + done)
    if (bytesRead === 0) return
    done += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

/** Uses one buffer again and again: fresh memory costs more than what is done with it. */
class LineReader {
  readonly #onLine: (line: Line) => void
  #buffer = Buffer.allocUnsafe(lineBufferBytes)
  #filled = 0
  #number = 0

  constructor(onLine: (line: Line) => void) {
    this.#onLine = onLine
  }

  /** Where to read to, `wanted` bytes at most. */
  room(wanted: number): Buffer {
    if (this.#filled === this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], this.#buffer.length * 2)
    }
    return this.#buffer.subarray(this.#filled, this.#filled + wanted)
  }

  take(bytesRead: number): void {
    const searchFrom = this.#filled
    this.#filled += bytesRead
    const text = this.#buffer.subarray(0, this.#filled)
    let start = 0
    let end = text.indexOf(lineEnd, searchFrom)
    while (end >= 0) {
      this.#onLine({ number: ++this.#number, bytes: text.subarray(start, end), isWhole: true })
      start = end + 1
      end = text.indexOf(lineEnd, start)
    }
    text.copyWithin(0, start)
    this.#filled -= start
  }

  finish(): void {
    if (this.#filled === 0) return
    const bytes = this.#buffer.subarray(0, this.#filled)
    this.#onLine({ number: ++this.#number, bytes, isWhole: false })
  }
}

export function unknownKind(file: string, line: number, kind: string): Problem {
  return madeByNewer(`A record of the kind ${kind} in ${file}, line ${line},`)
}

const header = /^(.*"format":"coopshare-(?:journal|snapshot)","version":)(\d+)/

/**
 * Of the first line of a file that does not fit its checksum: a newer form may have another kind of checksum. A line that
 * fits with our own number in its place was damaged in that number.
 */
export function requireOwnForm(name: string, { number, bytes }: Line, previous: string): void {
  if (number !== 1) return
  const text = bytes.toString('utf8')
  const found = header.exec(text)
  if (!found || Number(found[2]) <= formatVersion) return
  const own = Buffer.from(text.replace(header, `$1${formatVersion}`))
  if (!openLine(previous, own)) throw madeByNewer(name)
}
