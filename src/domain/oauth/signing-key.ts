import type { Sealed } from '../sealed.ts'
import type { Timestamp } from '../timestamp.ts'

export type SigningKeyState = 'published' | 'signing' | 'retiring' | 'retired' | 'revoked'

/** An RS256 key pair. It is published from `createdAt` until `retiredAt`; the newest one whose `signsFrom` has come signs. */
export interface SigningKey {
  readonly kid: string
  /** Public JWK members as the key set shows them: kty, n, e. */
  readonly publicJwk: Readonly<{ kty: 'RSA'; n: string; e: string }>
  /** The private JWK as JSON. */
  readonly sealedPrivateJwk: Sealed
  readonly createdAt: Timestamp
  readonly signsFrom: Timestamp
  /** When the last token that it may have signed has expired; null while no successor is there. See `revoked`. */
  readonly retiredAt: Timestamp | null
}

/** How long others may keep the key set; so long a new key is shown before it signs. */
export const keySetMaxAgeSeconds = 300

/** Retired in the moment in which it was made: good at no time, whatever the clock of an instance says. */
export function revoked(key: SigningKey): SigningKey {
  return { ...key, retiredAt: key.createdAt }
}

export function isRevoked({ retiredAt, createdAt }: SigningKey): boolean {
  return retiredAt === createdAt
}

export function isPublished(key: SigningKey, at: Timestamp): boolean {
  if (isRevoked(key)) return false
  return key.retiredAt === null || key.retiredAt > at
}

/** `keys` are oldest first. Where a clock was ahead when the first one was made, that one signs before its time. */
export function findSigner(keys: readonly SigningKey[], at: Timestamp): SigningKey | undefined {
  const candidates = keys.filter((key) => !isRevoked(key))
  return candidates.findLast((key) => key.signsFrom <= at) ?? candidates[0]
}

export function signingKeyState(
  key: SigningKey,
  keys: readonly SigningKey[],
  at: Timestamp,
): SigningKeyState {
  if (isRevoked(key)) return 'revoked'
  if (!isPublished(key, at)) return 'retired'
  if (key.kid === findSigner(keys, at)?.kid) return 'signing'
  return key.signsFrom > at ? 'published' : 'retiring'
}
