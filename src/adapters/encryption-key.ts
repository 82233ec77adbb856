import { timingSafeEqual } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import { type Encrypted, readSecret } from '../domain/text.ts'
import type { Vault } from '../ports/vault.ts'
import { type EncryptedCollection, encryptedCollections, mapEncrypted } from './encrypted-fields.ts'
import type { Change } from './store/staged-changes.ts'
import { madeByNewer } from './store-refusals.ts'
import { createVault, firstOf, isEncryptedByNewer, type StoreVault } from './vault.ts'

export const keyBytes = 32

/**
 * Creates the vault for a key in hexadecimal or base64 (either alphabet), the forms that an operator keeps in a file or
 * a variable.
 */
export function vaultOf(text: string, what = 'The encryption key'): StoreVault {
  const secret = readSecret(text) ?? ''
  const key = /^[0-9a-f]{64}$/i.test(secret)
    ? Buffer.from(secret, 'hex')
    : /^[\w+/-]{43}=?$/.test(secret)
      ? Buffer.from(secret, 'base64')
      : undefined
  if (key?.length === keyBytes) return createVault(key)
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    `${what} must be 32 bytes, written as 64 hexadecimal digits or in base64. \`openssl rand -hex 32\` makes a new key, which cannot open an existing store: if the key of a store was damaged, take it from a backup.`,
  )
}

const checkText = 'coopshare'

/** A known text that only the store's key opens. */
export function createKeyCheck(vault: Vault): Encrypted {
  return vault.encrypt(checkText)
}

function isKeyFor(keyCheck: Encrypted, vault: Vault): boolean {
  if (isEncryptedByNewer(keyCheck)) throw madeByNewer('The encryption of this store')
  try {
    return vault.decrypt(keyCheck) === checkText
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

export const otherKey = 'This key is not the key of the store.'

/**
 * A change of the key of a store while the store is in use. Until it is finished, the store keeps each of the two keys,
 * encrypted with the other one, so a start with either key can decrypt everything.
 */
export interface KeyRotation {
  /** A known text that only the new key opens. */
  readonly keyCheck: Encrypted
  /** The new key, encrypted with the old one. */
  readonly newKey: Encrypted
  /** The old key, encrypted with the new one. */
  readonly oldKey: Encrypted
  /**
   * Whether instances encrypt with the new key. Until then, they only learn the key, so that each instance can decrypt
   * the values of the others.
   */
  readonly isActive: boolean
  /** Whether the store itself keeps the new key, in its directory. */
  readonly isOwn: boolean
}

/** The stored information about the key of a store. */
export interface KeyState {
  readonly keyCheck: Encrypted
  readonly rotation?: KeyRotation | null | undefined
}

/**
 * Returns the interrupted rotation of the store, or else a new one.
 * @param given the new key as text
 * @param choice with a function that makes the new key, if the store keeps its key itself
 */
export function chooseRotation(
  vault: StoreVault,
  { rotation }: Pick<KeyState, 'rotation'>,
  given: string | undefined,
  { isActive, makeKey }: Pick<KeyRotation, 'isActive'> & { readonly makeKey?: () => Buffer },
): KeyRotation {
  const key = given === undefined ? undefined : parseNewKey(vault, given)
  if (rotation) {
    if (key) requireSameKey(vault, rotation, key)
    return rotation
  }
  const newKey = key ?? makeKey?.()
  if (!newKey)
    throw new Problem(
      'ENCRYPTION_KEY_REFUSED',
      'This store does not keep its key itself. Give the new key with --new-encryption-key-file. `openssl rand -hex 32` makes a key.',
    )
  const next = createVault(newKey)
  return {
    keyCheck: createKeyCheck(next),
    newKey: vault.encrypt(newKey.toString('hex')),
    oldKey: next.encrypt(firstOf(vault.keys).toString('hex')),
    isActive,
    isOwn: key === undefined,
  }
}

/** Learns the other key of a rotation. Returns false if the store does not know the key of the vault. */
export function adoptKeys(vault: StoreVault, { keyCheck, rotation }: KeyState): boolean {
  if (rotation) {
    if (!isKeyFor(keyCheck, vault) && !isKeyFor(rotation.keyCheck, vault)) return false
    const [oldKey, newKey] = bothKeys(vault, rotation)
    vault.keys = rotation.isActive ? [newKey, oldKey] : [oldKey, newKey]
    return true
  }
  const present = vault.keys.find((key) => isKeyFor(keyCheck, createVault(key)))
  // The previous key stays, because works in progress may have read values that it encrypted.
  if (present) vault.keys = [present, ...vault.keys.filter((key) => key !== present)]
  return present !== undefined
}

export function requireKeys(vault: StoreVault, state: KeyState): void {
  if (!adoptKeys(vault, state)) refuseKey(otherKey)
}

function bothKeys(vault: StoreVault, { newKey, oldKey, keyCheck }: KeyRotation) {
  const known = vault.keys.find((key) => isKeyFor(keyCheck, createVault(key)))
  const next = known ?? openKey(vault, newKey)
  return [openKey(createVault(next), oldKey), next] as const
}

function openKey(vault: Vault, encrypted: Encrypted): Buffer {
  try {
    return keyOf(vault.decrypt(encrypted))
  } catch (cause) {
    throw new Problem(
      'STORE_DAMAGED',
      'The store is damaged: its record of an interrupted encryption key change was altered or damaged. Restore a backup: coopshare store restore.',
      { cause },
    )
  }
}

function keyOf(text: string): Buffer {
  return firstOf(vaultOf(text).keys)
}

/** An interrupted rotation can be finished only with its own new key. */
function requireSameKey(vault: StoreVault, rotation: KeyRotation, given: Buffer): void {
  const [, newKey] = bothKeys(vault, rotation)
  if (timingSafeEqual(newKey, given)) return
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'An encryption key change was interrupted. Finish it first: `coopshare store rekey` without a new key.',
  )
}

function parseNewKey(vault: StoreVault, text: string): Buffer {
  const key = keyOf(text)
  const isPresent = vault.keys.length === 1 && timingSafeEqual(key, firstOf(vault.keys))
  if (!isPresent) return key
  throw new Problem('ENCRYPTION_KEY_REFUSED', 'The store already has this encryption key.')
}

/** Refuses a copy during a rotation: it would contain values of both keys, but only one key check. */
export function requireNoRotation({ rotation }: Pick<KeyState, 'rotation'>): void {
  if (!rotation) return
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'An encryption key change was interrupted. Finish it first: `coopshare store rekey`.',
  )
}

/** Encrypts the values of a write that began before the rotation again, so that no write adds values of the old key. */
export function renewChanges(changes: readonly Change[], vault: StoreVault): readonly Change[] {
  if (vault.keys.length === 1) return changes
  return changes.map((change) => {
    const { collection, record } = change
    if (!record || !isEncryptedCollection(collection.name)) return change
    return { ...change, record: renewRecord(record, vault) }
  })
}

function isEncryptedCollection(name: string): name is EncryptedCollection {
  return encryptedCollections.some((one) => one === name)
}

/** Returns the given record itself if all of it is encrypted with the present key. */
export function renewRecord(record: object, vault: StoreVault): object {
  return mapEncrypted(record, (encrypted) => vault.renew(encrypted))
}
