import type { Sealed } from '../domain/sealed.ts'

/** Encryption at rest (AES-256-GCM). */
export interface Vault {
  seal(plain: string): Sealed
  /** Throws if the text was altered or encrypted with another key. */
  open(sealed: Sealed): string
}
