import type { Encrypted } from '../domain/text.ts'

/** Encryption at rest (AES-256-GCM) with one key. */
export interface Cipher {
  encrypt(plain: string): Encrypted
  /** Throws if the text was altered or encrypted with another key. */
  decrypt(encrypted: Encrypted): string
}

/** The cipher of an investor. While the key of the investor is being replaced, it also decrypts with the former key. */
export interface PersonalCipher extends Cipher {
  /** Whether values may still be encrypted with a former key. */
  readonly hasFormerKey: boolean
  /** Returns the given text itself if it is encrypted with the present key. Throws if no key decrypts it. */
  renew(encrypted: Encrypted): Encrypted
}

/** The key of the store, and the keys that it protects: one for the personal data of each investor. */
export interface Vault extends Cipher {
  /** Decrypts only what the present key has encrypted. For texts that come from outside the store. */
  decryptPresent(encrypted: Encrypted): string
  /** A new random key, encrypted with the key of the store. */
  createKey(): Encrypted
  /** A new key of an investor. The former key stays beside it until `dropFormerKey`. */
  replacePersonalKey(former: Encrypted): Encrypted
  dropFormerKey(personalKey: Encrypted): Encrypted
  /**
   * Returns the cipher with this key. Without a key, it returns the cipher of the store, which encrypts what is left of
   * an erased person.
   */
  of(personalKey: Encrypted | undefined): PersonalCipher
  /** The same for work on many persons, whose keys would push those of the persons who use the service out of memory. */
  once(personalKey: Encrypted | undefined): PersonalCipher
  /**
   * Forgets all keys of persons that were kept in memory, so that nothing of an erased person remains. After
   * `store rekey`, a key may be there twice, and only one of the two is still known.
   */
  forget(): void
}
