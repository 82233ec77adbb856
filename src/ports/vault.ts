import type { Sealed } from '../domain/text.ts'

/** Encryption at rest (AES-256-GCM) with one key. */
export interface Cipher {
  seal(plain: string): Sealed
  /** Throws if the text was altered or encrypted with another key. */
  open(sealed: Sealed): string
}

/** The key of the store, and the keys that it protects: one for the personal data of each investor. */
export interface Vault extends Cipher {
  /** A new random key, encrypted with the key of the store. */
  createPersonalKey(): Sealed
  /**
   * Returns the cipher with this key, which also decrypts values that the key of the store has encrypted. If the
   * investor has no key yet, returns the cipher with the key of the store.
   */
  of(personalKey: Sealed | undefined): Cipher
  /**
   * Forgets all keys of persons that were kept in memory, so that nothing of an erased person remains. After
   * `store rekey`, a key may be there twice, and only one of the two is still known.
   */
  forget(): void
  /** A key that is derived from the key of the store, in base64. */
  derive(purpose: string): string
}
