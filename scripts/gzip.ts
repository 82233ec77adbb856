import { gzipSync } from 'node:zlib'

/** The same bytes on every system: byte 9 would name the one that it was made on. */
export function gzip(text: string): Buffer {
  const gzipped = gzipSync(text, { level: 9 })
  gzipped[9] = 255
  return gzipped
}
