import { foldCase } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'

/** A partner organization: the tenant. */
export interface Organization {
  readonly organizationId: string
  /** Unique regardless of case. */
  readonly name: string
  /** Whether investors get an e-mail for each transition of an order. */
  readonly investorMail: boolean
  /** Whether the partner may decide its own orders below `/sandbox`; in staging only. */
  readonly selfService: boolean
  /** Clients of a disabled organization get no tokens, its tokens are refused, and its webhooks wait. */
  readonly disabled: boolean
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Names that differ only in case are the same name. */
export function foldName(name: string): string {
  return foldCase(name)
}
