import { createHash } from 'node:crypto'

/** RFC 9110 8.8.3: a tag that differs whenever a byte does, quotes included. */
export function strongEtag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}
