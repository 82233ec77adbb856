import type { components } from '../../contract/types.ts'

type Schemas = components['schemas']

/** The events of the contract. */
export type KnownWebhookEvent =
  | Schemas['SharePurchaseSubmitted']
  | Schemas['SharePurchaseApproved']
  | Schemas['SharePurchaseSettled']
  | Schemas['SharePurchaseRejected']
  | Schemas['SharePurchaseCancelled']
  | Schemas['WebhookTest']

declare const unknownType: unique symbol

/** An event of a later version of the contract. Acknowledge it with 2xx. */
export interface UnknownWebhookEvent {
  readonly id: string
  /** Any other type. No literal has this type, so `switch (event.type)` finds each known event exactly. */
  readonly type: string & { readonly [unknownType]: never }
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent
