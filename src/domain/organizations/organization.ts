import { foldCase } from '../fold-text.ts'
import type { Timestamp } from '../timestamp.ts'

/** A partner organisation: the tenant. */
export interface Organization {
  readonly organizationId: string
  /** Unique, case-insensitively. */
  readonly name: string
  /** Whether investors are told of order transitions by mail. */
  readonly investorMail: boolean
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Two names that differ only in case are one name. */
export function foldName(name: string): string {
  return foldCase(name)
}
