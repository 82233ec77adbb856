import { deriveId } from '../ids.ts'
import type { Timestamp } from '../timestamp.ts'

/** An event goes to each webhook endpoint of its organization, and to the investor as an e-mail. */
export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookEndpointId: string }
  | { readonly kind: 'mail' }

export type DeliveryKind = DeliveryTarget['kind']

export const deliveryKinds: readonly DeliveryKind[] = ['webhook', 'mail']

/**
 * A pending delivery is attempted at `nextAttemptAt`, unless an earlier one of its ordering key
 * is still pending.
 */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * What people and programs see. `waiting`: pending behind an earlier one of the same ordering key and receiver.
 * `written`: the e-mail was written to a file, and not sent to the investor.
 */
export const displayStates = ['waiting', ...deliveryStates, 'written'] as const
export type DisplayState = (typeof displayStates)[number]

/** Why the receiver did not accept a delivery. Faults on our side are not recorded as attempts. */
export type DeliveryFailure = WebhookFailure | MailFailure

export const webhookFailures = [
  'status',
  'redirect',
  'refused_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'broken_answer',
] as const
type WebhookFailure = (typeof webhookFailures)[number]

export const mailFailures = ['mail_refused'] as const
type MailFailure = (typeof mailFailures)[number]

/** The outcome of one attempt. */
export interface SendOutcome {
  /** The IP address that was dialled or refused; null if the attempt did not get that far. */
  readonly address: string | null
  /** HTTP status, or the reply code of the mail server. */
  readonly status: number | null
  /** null when it was delivered. */
  readonly failure: DeliveryFailure | null
  /** Explains `failure` to people. */
  readonly detail: string | null
  readonly firstByteMs: number | null
  readonly durationMs: number
  /** The e-mail was written to a file. Older attempts lack this field, and count as delivered. */
  readonly written?: boolean
}

export interface DeliveryAttempt extends SendOutcome {
  /** Sent as X-Service-Webhook-Id. Each attempt has a new one. */
  readonly attemptId: string
  readonly at: Timestamp
}

export const deadReasons = [
  'attempts_used_up',
  'endpoint_removed',
  'mail_refused',
  'mail_turned_off',
  'no_mail_address',
  'own_faults',
  'payment_cancelled',
] as const
export type DeadReason = (typeof deadReasons)[number]

export interface Delivery {
  readonly deliveryId: string
  readonly eventId: string
  readonly organizationId: string
  /**
   * The ordering key of the event. Deliveries with the same key reach a receiver in the order of
   * creation.
   */
  readonly orderingKey: string
  readonly target: DeliveryTarget
  readonly state: DeliveryState
  /** Attempts in the current round; a replay starts a new round. */
  readonly attemptsInRound: number
  /** null unless pending. */
  readonly nextAttemptAt: Timestamp | null
  /** null unless dead. */
  readonly deadBecause: DeadReason | null
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
  /** The first fault of ours that prevented the e-mail since the last attempt, or since the current round began. */
  readonly faultsSince?: Timestamp
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/**
 * The number of parts in which instances share the sending of e-mails. Stored deliveries name their
 * part, so a change of this number needs a migration.
 */
const mailShards = 8

export const mailReceivers: readonly string[] = Array.from(
  { length: mailShards },
  (_, part) => `mail-${part}`,
)

/**
 * The receiver: a webhook endpoint, or one part of all e-mails. One instance sends all deliveries
 * to a receiver, with a limit of concurrency, so that a slow receiver delays no other.
 */
export function receiverOf({
  target,
  orderingKey,
}: Pick<Delivery, 'target' | 'orderingKey'>): string {
  if (target.kind === 'webhook') return target.webhookEndpointId
  // Ids end in random characters.
  const end = orderingKey.length
  const sum = orderingKey.charCodeAt(end - 1) + orderingKey.charCodeAt(end - 2)
  return mailReceivers[sum % mailShards] ?? 'mail-0'
}

/** Derived from event and target, because there is one delivery for each pair. */
export function deriveDeliveryId(eventId: string, target: DeliveryTarget): string {
  const name = target.kind === 'mail' ? 'mail' : target.webhookEndpointId
  return deriveId('delivery', eventId, name)
}

export function isPending({ state }: Delivery): boolean {
  return state === 'pending'
}

/**
 * A written e-mail is stored as delivered, because the service has nothing left to do. Whether a
 * delivery is blocked depends on other deliveries.
 */
export function displayStateOf(
  { state, attempts }: Pick<Delivery, 'state' | 'attempts'>,
  isBlocked = false,
): DisplayState {
  if (isBlocked && state === 'pending') return 'waiting'
  return state === 'delivered' && attempts.at(-1)?.written ? 'written' : state
}

/** Whether the delivery has never been attempted, in any round. */
export function isFirstAttempt({ attempts }: Delivery): boolean {
  return attempts.length === 0
}
