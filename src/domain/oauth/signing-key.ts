import type { Encrypted } from '../text.ts'
import { addSeconds, type Timestamp } from '../timestamp.ts'
import type { Scope } from './scope.ts'

/** How long a token is valid (spec: Limits). */
export const accessTokenSeconds = 900

/** spec: Token properties, `aud` names the service's clients. */
export const accessTokenAudience = 'coopshare-clients'

export interface AccessToken {
  readonly accessToken: string
  readonly expiresInSeconds: typeof accessTokenSeconds
  readonly scopes: readonly Scope[]
}

export type SigningKeyState = 'published' | 'signing' | 'retiring' | 'retired' | 'revoked'

/**
 * An RS256 key pair, published from `createdAt` until `retiredAt`. The signer is the newest key whose
 * `signsFrom` has passed.
 */
export interface SigningKey {
  readonly kid: string
  /** The public JWK (RFC 7517). */
  readonly publicJwk: Readonly<{ kty: 'RSA'; n: string; e: string }>
  /** The private JWK as JSON. */
  readonly encryptedPrivateJwk: Encrypted
  readonly createdAt: Timestamp
  readonly signsFrom: Timestamp
  /**
   * The time when the last token of the key has expired; null until the key has a successor. A revoked key has the
   * value of `createdAt`.
   */
  readonly retiredAt: Timestamp | null
}

/** How long clients may cache the key set. A new key is published this long before it signs. */
export const keySetMaxAgeSeconds = 300

/**
 * Signs until its successor does, even if an earlier rotation planned otherwise, and is published
 * until its last token has expired.
 */
export function retireKey(signer: SigningKey, { signsFrom }: SigningKey): SigningKey {
  return { ...signer, retiredAt: addSeconds(signsFrom, accessTokenSeconds) }
}

/** A key that is retired at its creation is never valid by any clock. */
export function revokeKey(key: SigningKey): SigningKey {
  return { ...key, retiredAt: key.createdAt }
}

export function isRevoked({ retiredAt, createdAt }: SigningKey): boolean {
  return retiredAt === createdAt
}

export function isPublished(key: SigningKey, at: Timestamp): boolean {
  if (isRevoked(key)) return false
  return key.retiredAt === null || key.retiredAt > at
}

/**
 * Returns the key that signs at this time. If no key may sign yet because a clock was ahead, the
 * oldest one signs. @param keys oldest first
 */
export function findSigningKey(keys: readonly SigningKey[], at: Timestamp): SigningKey | undefined {
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
  if (key.kid === findSigningKey(keys, at)?.kid) return 'signing'
  return key.signsFrom > at ? 'published' : 'retiring'
}
