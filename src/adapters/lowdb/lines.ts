import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Form } from '../store-refusals.ts'

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

const lineBufferBytes = 1024 * 1024
const lineEnd = 10

/** A file up to a certain size: it may grow meanwhile. */
export interface FileRange {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

export interface Line {
  readonly number: number
  readonly bytes: Buffer
  /** Whether the line's end is there; only the last one's may be missing. */
  readonly isWhole: boolean
}

/**
 * Lines go to a plain callback, because awaiting each of a million would take longer than reading them. All share one
 * buffer, because fresh memory costs more than what is done with it: their bytes are written over when it returns.
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
export interface FileHeader extends Required<Form> {
  /** Of a journal. */
  readonly number?: number
  /** Of a snapshot: the first journal that is not in it, and the end of the chain before that. */
  readonly journal?: number
  readonly previous?: string
}

/** One change as a line has it. */
export type JournalChange =
  | readonly [collection: string, record: object, key?: undefined]
  | readonly [collection: string, record: null, key: string]

/** Where a journal ends, and what the next line goes on from. */
export interface JournalEnd {
  readonly number: number
  readonly checksum: string
  /** How many changes are in the journal. */
  readonly changes: number
  /** Up to the end of the last good line. */
  readonly bytes: number
}
