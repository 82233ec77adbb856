import { derivedId } from '../derived-id.ts'
import type { Timestamp } from '../timestamp.ts'

/** An event goes to each webhook endpoint of its organisation, and to the investor as a mail. */
export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookEndpointId: string }
  | { readonly kind: 'mail' }

export type DeliveryKind = DeliveryTarget['kind']

/**
 * `waiting`: an earlier event of the same order has still to reach the same target.
 * `pending`: to be attempted at `nextAttemptAt`.
 */
export const deliveryStates = ['waiting', 'pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** What people and programs see. `written`: the mail became a file, and nobody sent it to the investor. */
export const shownStates = [...deliveryStates, 'written'] as const
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
  readonly sharePurchaseId: string
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

/** Deliveries of one lane share a bound of concurrency, so that a slow receiver delays nobody else. */
export function laneOf(target: DeliveryTarget): string {
  return target.kind === 'mail' ? 'mail' : target.webhookEndpointId
}

/** There is one delivery for an event and a lane, and whoever knows both finds it. */
export function deliveryIdOf(eventId: string, lane: string): string {
  return derivedId('delivery', eventId, lane)
}

export function isUnfinished({ state }: Delivery): boolean {
  return state === 'waiting' || state === 'pending'
}

/** A written mail is stored as delivered, because nothing is left to do for the service. */
export function shownStateOf({
  state,
  attempts,
}: Pick<Delivery, 'state' | 'attempts'>): ShownState {
  return state === 'delivered' && attempts.at(-1)?.written ? 'written' : state
}

/** Never attempted, in no round. */
export function isFirstAttempt({ attempts }: Delivery): boolean {
  return attempts.length === 0
}
