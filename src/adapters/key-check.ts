import { Problem } from '../domain/problem.ts'
import type { Sealed, SealedPlace } from '../domain/sealed.ts'
import type { Vault } from '../ports/vault.ts'

const checkText = 'coopshare'
const place: SealedPlace = ['keyCheck']

/** A known text, sealed with a store's key: another key cannot open it. */
export function createKeyCheck(vault: Vault): Sealed {
  return vault.seal(checkText, place)
}

export function isKeyFor(keyCheck: Sealed, vault: Vault): boolean {
  try {
    return vault.open(keyCheck, place) === checkText
  } catch {
    return false
  }
}

export function refuseKey(what: string): never {
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    `${what} Give the store's key with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.`,
  )
}

export const otherKey = 'This key is not the one that the store was made with.'
