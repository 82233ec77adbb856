import { type Encrypted, parseUrl } from '../text.ts'
import { parseDuration, type Timestamp } from '../timestamp.ts'
import type { WebhookEventType } from './event.ts'

/** An address at which an organization receives events once the address is registered. */
export interface WebhookEndpoint {
  readonly webhookEndpointId: string
  readonly organizationId: string
  readonly url: string
  readonly encryptedSigningSecret: Encrypted
  /**
   * The secret before the last rotation, with which deliveries are also signed until a time; null
   * without an overlap.
   */
  readonly encryptedPreviousSecret: Encrypted | null
  readonly previousSecretUntil: Timestamp | null
  /** The types of events that it gets; null for all, including those that later versions add. */
  readonly eventTypes: readonly WebhookEventType[] | null
  /** The time since which deliveries wait; null if the endpoint is not paused. */
  readonly pausedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The defaults of an endpoint until an operator changes them. */
export const newEndpoint = {
  encryptedPreviousSecret: null,
  previousSecretUntil: null,
  eventTypes: null,
  pausedAt: null,
}

/** A week is enough for any partner to follow a rotation. */
const longestOverlapSeconds = 7 * 24 * 60 * 60

/** In seconds. */
export function parseOverlap(text: string): number | undefined {
  const seconds = (parseDuration(text) ?? 0) / 1000
  const isFit = Number.isInteger(seconds) && seconds > 0 && seconds <= longestOverlapSeconds
  return isFit ? seconds : undefined
}

/** The end of a sentence about a text that is not an overlap. */
export const overlapHint = 'must be a time from 1s to 7d, for example 24h'

/** Whether deliveries are still signed with the previous secret. */
export function hasPreviousSecret(
  { previousSecretUntil }: Pick<WebhookEndpoint, 'previousSecretUntil'>,
  now: Timestamp,
): boolean {
  return previousSecretUntil !== null && previousSecretUntil > now
}

// Spec gap: see docs/partners/details.md.
export const maximumEndpointsPerOrganization = 10

const maximumLength = 2048

/**
 * Returns why events cannot be sent to a URL, as the end of a sentence (spec: Events). The name
 * is not resolved.
 */
export function webhookUrlError(text: string, allowPrivate: boolean): string | undefined {
  const url = parseUrl(text)
  if (!url) return 'it is not a URL'
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) return 'it must begin with https'
  if (url.username !== '' || url.password !== '')
    return 'it must not contain a user name or password'
  if (url.hash !== '') return 'it must not have a fragment'
  if (url.href.length > maximumLength) return `it has more than ${maximumLength} characters`
  return webhookPortError(url.href, allowPrivate)
}

const firstUnreservedPort = 1024

/** Ports below 1024 belong to mail servers, name servers and the like. */
export function webhookPortError(url: string, allowPrivate: boolean): string | undefined {
  const port = Number(new URL(url).port || 443)
  if (allowPrivate || port === 443 || port >= firstUnreservedPort) return undefined
  return `its port must be 443, or ${firstUnreservedPort} or above`
}
