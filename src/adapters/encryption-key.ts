import { Problem } from '../domain/problem.ts'
import type { Sealed } from '../domain/sealed.ts'
import type { Vault } from '../ports/vault.ts'
import { madeByNewer } from './store-refusals.ts'
import { createVault, isSealedByNewer, type StoreVault } from './vault.ts'

export const keyBytes = 32

/**
 * Creates the vault for a key in hexadecimal or base64 (either alphabet), the forms that an operator keeps in a file or
 * a variable.
 */
export function vaultOf(text: string): StoreVault {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : undefined
  if (key?.length === keyBytes) return createVault(key)
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'The encryption key must be 32 bytes, written as 64 hexadecimal digits or in base64. `openssl rand -hex 32` makes one.',
  )
}

const checkText = 'coopshare'

/** A known text that only the store's key opens. */
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

export const otherKey = 'This key is not the one that the store was created with.'
