import { createHash, hash } from 'node:crypto'
import { open } from '../../machine/files.ts'
import { nextTurn } from '../../machine/time.ts'
import type { FileFormat } from '../store-refusals.ts'

/** Raise this version when a program that knows the present one cannot read what is written from then on. */
export const formatVersion = 1

const checksumLength = 16
/** The checksum before the first line of a chain. */
export const chainStart = 'A'.repeat(checksumLength)

/** The position of the first value after the checksum. */
export const bodyAt = '["'.length + checksumLength + '",'.length

/**
 * Returns a JSON array whose first element is a checksum over the line, with the checksum of the previous line in
 * its place. A changed, removed, added or moved line breaks the chain, and any JSON tool can read the file. `body` is
 * the other elements as JSON.
 */
export function chainLine(previous: string, body: string): { line: string; checksum: string } {
  const checksum = checksumOf(`["${previous}",${body}]`)
  return { line: `["${checksum}",${body}]\n`, checksum }
}

/** The same bytes as `chainLine`, for a body that is long and comes in pieces. Others have their turn after each. */
export async function chainPieces(
  previous: string,
  pieces: Iterable<string>,
): Promise<{ line: readonly Buffer[]; checksum: string }> {
  const checked = createHash('sha256').update(`["${previous}",`)
  const body: Buffer[] = []
  for (const piece of pieces) {
    const bytes = Buffer.from(piece)
    checked.update(bytes)
    body.push(bytes)
    await nextTurn()
  }
  const checksum = checked.update(']').digest('base64url').slice(0, checksumLength)
  return { line: [Buffer.from(`["${checksum}",`), ...body, Buffer.from(']\n')], checksum }
}

/** Returns undefined if the line does not continue the chain after `previous`. Overwrites bytes of `line`. */
export function verifyLine(
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

// 96 bits of SHA-256 detect any accident, and they are short in comparison with a record.
function checksumOf(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, checksumLength)
}

// A service that checks its store takes a few milliseconds for the lines of one buffer.
const lineBufferBytes = 256 * 1024
const lineEnd = 10

/** The part of a file that is read. The file may grow meanwhile. */
export interface FileRange {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

export interface Line {
  readonly number: number
  readonly bytes: Buffer
  /** Whether the line ends with a line break. Only the last line may lack it. */
  readonly isWhole: boolean
}

/**
 * Calls a plain callback, because awaiting each of a million lines would take longer than reading them. All lines share
 * one buffer, because new memory costs more than the work on a line. Their bytes are overwritten when the callback
 * returns.
 */
export async function readLines(file: FileRange, onLine: (line: Line) => void): Promise<void> {
  const handle = await open(file.path)
  try {
    let buffer = Buffer.allocUnsafe(lineBufferBytes)
    let [filled, done, number] = [0, 0, 0]
    while (done < file.bytes) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
      const room = Math.min(buffer.length - filled, file.bytes - done)
      const { bytesRead } = await handle.read(buffer, filled, room, done)
      if (bytesRead === 0) break
      const text = buffer.subarray(0, filled + bytesRead)
      let start = 0
      for (let end = text.indexOf(lineEnd, filled); end >= 0; end = text.indexOf(lineEnd, start)) {
        number += 1
        onLine({ number, bytes: text.subarray(start, end), isWhole: true })
        start = end + 1
      }
      text.copyWithin(0, start)
      filled = text.length - start
      done += bytesRead
    }
    if (filled === 0) return
    onLine({ number: number + 1, bytes: buffer.subarray(0, filled), isWhole: false })
  } finally {
    await handle.close()
  }
}

/** The first line of a file. */
export interface FileHeader extends Required<FileFormat> {
  /** The number of a journal. */
  readonly number?: number
  /** In a snapshot: the first journal that it does not cover, and the end of the chain before that journal. */
  readonly journal?: number
  readonly previous?: string
}

/** A change as it is stored in a line. */
export type JournalChange =
  | readonly [collection: string, record: object, key?: undefined]
  | readonly [collection: string, record: null, key: string]

/** The end of a journal, which the next line continues. */
export interface JournalEnd {
  readonly number: number
  readonly checksum: string
  /** The number of changes in the journal. */
  readonly changes: number
  /** The size of the journal up to its last intact line. */
  readonly bytes: number
}
