import { Problem } from '../domain/problem.ts'
import type { Sealed } from '../domain/sealed.ts'
import type { Vault } from '../ports/vault.ts'
import { madeByNewer } from './newer-form.ts'
import { isSealedByNewer } from './vault.ts'

const checkText = 'coopshare'

/** A known text, sealed with a store's key: another key cannot open it. */
export function createKeyCheck(vault: Vault): Sealed {
  return vault.seal(checkText)
}

export function isKeyFor(keyCheck: Sealed, vault: Vault): boolean {
  if (isSealedByNewer(keyCheck)) throw madeByNewer('The encryption of this store')
  try {
    return vault.open(keyCheck) === checkText
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
