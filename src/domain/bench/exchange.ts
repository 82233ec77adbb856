import type { Timestamp } from '../timestamp.ts'

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
  /** An operation id of the contract, or `delivery`. */
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
  /** The problem code of the answer; null: the usual one of the status. */
  readonly code: string | null
  /** How often it still happens; null: until it is removed. */
  readonly timesLeft: number | null
  readonly happened: number
}

/** `partner`: a partner called the service. `delivery`: the service sent an event to a receiver. */
export type Direction = 'partner' | 'delivery'

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  /** Up to 64 kB of it, as it was sent. */
  readonly body: string
  readonly isCutOff: boolean
}

/** One request and its answer. Secrets and IBANs are still in it. */
export interface Exchange {
  /** Counts from 1; later exchanges have higher numbers. */
  readonly sequence: number
  readonly at: Timestamp
  readonly direction: Direction
  /** The operation id of the contract, or `delivery`; null if the contract does not have the path. */
  readonly operation: string | null
  readonly method: string
  /** With the query; for a delivery, the URL. */
  readonly path: string
  readonly request: Message
  /** null if there was no answer. */
  readonly status: number | null
  readonly response: Message
  /** The code of the problem or OAuth error. */
  readonly code: string | null
  readonly clientId: string | null
  readonly organizationId: string | null
  readonly requestId: string | null
  readonly webhookEndpointId: string | null
  readonly durationMs: number
  /** The fault that affected it. */
  readonly faultId: string | null
}

/** Exchanges that are kept. */
export const keptExchanges = 1000
export const keptBodyBytes = 64 * 1024
