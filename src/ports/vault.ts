import type { Sealed } from '../domain/sealed.ts'

/** Encryption at rest (AES-256-GCM). */
export interface Vault {
  seal(plain: string): Sealed
  /** Throws when the text was altered or sealed with another key. */
  open(sealed: Sealed): string
}
