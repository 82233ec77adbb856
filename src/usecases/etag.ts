import { createHash } from 'node:crypto'

/** A strong entity tag, including quotes (RFC 9110 8.8.3). */
export function strongEtag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}
