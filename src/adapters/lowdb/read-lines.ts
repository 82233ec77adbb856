import { type FileHandle, open } from 'node:fs/promises'

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
