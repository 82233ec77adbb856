import type { Sealed, SealedPlace } from '../domain/sealed.ts'

/** Encryption at rest (AES-256-GCM). */
export interface Vault {
  seal(plain: string, place: SealedPlace): Sealed
  /** Throws when the text was altered, or sealed with another key or for another place. */
  open(sealed: Sealed, place: SealedPlace): string
}
