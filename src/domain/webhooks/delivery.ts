import { derivedId } from '../derived-id.ts'
import type { Timestamp } from '../timestamp.ts'

/** An event goes to each webhook endpoint of its organisation, and to the investor as a mail. */
export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookEndpointId: string }
  | { readonly kind: 'mail' }

export type DeliveryKind = DeliveryTarget['kind']

export const deliveryKinds: readonly DeliveryKind[] = ['webhook', 'mail']

/** `pending`: to be attempted at `nextAttemptAt`, or when what comes before it has been delivered or is dead. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * What people and programs see. `waiting`: pending behind an earlier one of the same ordering key and receiver.
 * `written`: the mail became a file, and nobody sent it to the investor.
 */
export const shownStates = ['waiting', ...deliveryStates, 'written'] as const
export type ShownState = (typeof shownStates)[number]

/** Why the receiver did not take it. Our own faults are no attempts and are not recorded here. */
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

/** What came of sending something once. */
export interface SendOutcome {
  /** The address that was dialled, or refused; null when it did not come to that. */
  readonly address: string | null
  /** HTTP status, or the reply code of the mail server. */
  readonly status: number | null
  /** null when it was delivered. */
  readonly failure: DeliveryFailure | null
  /** People's text beside `failure`. */
  readonly detail: string | null
  readonly firstByteMs: number | null
  readonly durationMs: number
  /** The mail became a file. Attempts from before this was recorded lack it, and count as delivered. */
  readonly written?: boolean
}

export interface DeliveryAttempt extends SendOutcome {
  /** Sent as X-Service-Webhook-Id: new at each attempt. */
  readonly attemptId: string
  readonly at: Timestamp
}

export type DeathCause =
  | 'attempts_used_up'
  | 'endpoint_removed'
  | 'mail_refused'
  | 'mail_turned_off'
  | 'no_mail_address'

export interface Delivery {
  readonly deliveryId: string
  readonly eventId: string
  readonly organizationId: string
  /** That of the event: what has the same one reaches a receiver in the order of creation. */
  readonly orderingKey: string
  readonly target: DeliveryTarget
  readonly state: DeliveryState
  /** Attempts in the present round; a replay begins a new one. */
  readonly attemptsInRound: number
  /** null unless pending. */
  readonly nextAttemptAt: Timestamp | null
  /** null unless dead. */
  readonly deadBecause: DeathCause | null
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[]
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** So that several instances can share the sending of mails. A stored delivery names its part: another number needs a migration. */
const mailParts = 8

export const mailReceivers: readonly string[] = Array.from(
  { length: mailParts },
  (_, part) => `mail-${part}`,
)

/**
 * Who gets it: a webhook endpoint, or one part of all mails. Deliveries to one receiver are sent by one instance, and share
 * a bound of concurrency, so that a slow receiver delays nobody else.
 */
export function receiverOf({
  target,
  orderingKey,
}: Pick<Delivery, 'target' | 'orderingKey'>): string {
  if (target.kind === 'webhook') return target.webhookEndpointId
  // Ids end at random. The migration to this form says the same in SQL.
  const end = orderingKey.length
  const sum = orderingKey.charCodeAt(end - 1) + orderingKey.charCodeAt(end - 2)
  return mailReceivers[sum % mailParts] ?? 'mail-0'
}

/** There is one delivery for an event and a target, and whoever knows both finds it. */
export function deliveryIdOf(eventId: string, target: DeliveryTarget): string {
  const name = target.kind === 'mail' ? 'mail' : target.webhookEndpointId
  return derivedId('delivery', eventId, name)
}

export function isUnfinished({ state }: Delivery): boolean {
  return state === 'pending'
}

/**
 * A written mail is stored as delivered, because nothing is left to do for the service. Whether one is blocked, its list
 * tells.
 */
export function shownStateOf(
  { state, attempts }: Pick<Delivery, 'state' | 'attempts'>,
  isBlocked = false,
): ShownState {
  if (isBlocked && state === 'pending') return 'waiting'
  return state === 'delivered' && attempts.at(-1)?.written ? 'written' : state
}

/** Never attempted, in no round. */
export function isFirstAttempt({ attempts }: Delivery): boolean {
  return attempts.length === 0
}
