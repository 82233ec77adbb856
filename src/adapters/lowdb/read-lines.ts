import { type FileHandle, open } from 'node:fs/promises'

const chunkBytes = 4 * 1024 * 1024
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

/** Lines go to a plain callback: awaiting each of a million would take longer than reading them. */
export async function readLines(file: FileRange, onLine: (line: Line) => void): Promise<void> {
  const handle = await open(file.path)
  try {
    const splitter = new LineSplitter(onLine)
    for await (const chunk of readChunks(handle, file)) splitter.add(chunk)
    splitter.finish()
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

class LineSplitter {
  readonly #onLine: (line: Line) => void
  #rest: Buffer = Buffer.alloc(0)
  #number = 0

  constructor(onLine: (line: Line) => void) {
    this.#onLine = onLine
  }

  add(chunk: Buffer): void {
    const text = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let start = 0
    let end = text.indexOf(lineEnd, this.#rest.length)
    while (end >= 0) {
      this.#onLine({ number: ++this.#number, bytes: text.subarray(start, end), isWhole: true })
      start = end + 1
      end = text.indexOf(lineEnd, start)
    }
    this.#rest = text.subarray(start)
  }

  finish(): void {
    if (this.#rest.length === 0) return
    this.#onLine({ number: ++this.#number, bytes: this.#rest, isWhole: false })
  }
}
