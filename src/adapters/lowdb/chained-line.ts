import { hash } from 'node:crypto'

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
