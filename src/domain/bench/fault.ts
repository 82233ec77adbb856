export const resets = ['before', 'after-commit', 'mid-body'] as const

/**
 * When the connection is cut: before the request is processed, after it was processed, or in the
 * middle of the answer.
 */
export type Reset = (typeof resets)[number]

/** Targets of faults besides the operations of the contract. */
export const deliveryOperation = 'delivery'

/** Something that goes wrong on command (`serve --bench`). */
export interface Fault {
  readonly faultId: string
  /** An operation id of the contract that partners call, or `delivery`. */
  readonly operation: string
  /** null: every client. */
  readonly clientId: string | null
  /** For deliveries: the webhook endpoint; null for all. */
  readonly webhookEndpointId: string | null
  readonly delayMs: number | null
  readonly reset: Reset | null
  /** Answers with this status instead of processing the request. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  /** The problem code of the answer; null for an answer without one. */
  readonly code: string | null
  /** The number of times that the fault still occurs; null: until it is removed. */
  readonly timesLeft: number | null
  readonly happened: number
}
