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

/** An event of a later version of the contract. Acknowledge it with 2xx. */
export interface UnknownWebhookEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

const knownTypes: Readonly<Record<KnownWebhookEvent['type'], true>> = {
  'share_purchase.submitted': true,
  'share_purchase.approved': true,
  'share_purchase.settled': true,
  'share_purchase.rejected': true,
  'share_purchase.cancelled': true,
  'webhook.test': true,
}

/** Whether the contract of this client has the event. Then `event.type` says what `event.data` contains. */
export function isKnownWebhookEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return Object.hasOwn(knownTypes, event.type)
}
