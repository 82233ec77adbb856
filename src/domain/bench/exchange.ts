import type { Timestamp } from '../timestamp.ts'

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
  /** With the query; of a delivery the URL. */
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
  /** The fault that happened to it. */
  readonly faultId: string | null
}

/** Exchanges that are kept. */
export const keptExchanges = 1000
export const keptBodyBytes = 64 * 1024
