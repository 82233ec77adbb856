import type { Timestamp } from '../domain/timestamp.ts'
import type { SendOutcome } from '../domain/webhooks/delivery.ts'
import type { EventType, testEventType } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, which is sent unchanged. */
  readonly body: Uint8Array
  /** The registered endpoint; undefined if the address is not registered. */
  readonly endpoint?: Pick<WebhookEndpoint, 'webhookEndpointId' | 'organizationId'> | undefined
  /** Aborts the request; then `send` rejects. */
  readonly signal?: AbortSignal | undefined
}

/** The result of resolving the host name of a URL. */
export interface AddressInspection {
  /** In the sequence in which an attempt tries them. Empty when `fault` is set. */
  readonly addresses: readonly string[]
  /** The addresses that are not public. */
  readonly notPublic: readonly string[]
  /** A clause that says why the name cannot be resolved; null if it can. */
  readonly fault: string | null
}

/** The TLS certificate of a receiver. */
export interface CertificateInspection {
  readonly issuer: string | null
  readonly validTo: Timestamp | null
  /** Whether the receiver asks for a client certificate. It may go on without one. */
  readonly asksForCertificate: boolean
  /** Why the certificate is not accepted; null if chain, name and dates are valid. */
  readonly fault: string | null
}

/**
 * A fault on our side, such as no free sockets or no network. The fault says nothing about the receiver.
 */
export class LocalFault extends Error {
  readonly outcome: SendOutcome

  constructor(message: string, { outcome, cause }: LocalFaultOptions) {
    super(message, { cause })
    this.name = 'LocalFault'
    this.outcome = outcome
  }
}

interface LocalFaultOptions {
  readonly outcome: SendOutcome
  readonly cause: unknown
}

/** The owner of a name decides how many addresses it has, and could make us connect to many machines of others. */
export const maximumAddresses = 4

/** If there was no connection, `detail` of the outcome begins with this sentence. */
export const noConnection = 'No connection could be made.'

export interface WebhookSender {
  /**
   * Sends once. Every reaction of the receiver is an outcome. Throws a `LocalFault`, or the
   * reason of an aborted `signal`.
   */
  send(request: WebhookRequest): Promise<SendOutcome>
  /**
   * Resolves the host name. Returns a clause that says why nothing may be sent to the URL, or undefined if sending is
   * allowed.
   */
  findAddressError(url: string): Promise<string | undefined>
  inspectAddresses(url: string): Promise<AddressInspection>
  /** Connects to an https URL, under the same rules as `send`. */
  inspectCertificate(url: string): Promise<CertificateInspection>
}

/** The content of an event. The names in `data` are names of the domain. */
export interface EventEnvelope {
  readonly id: string
  readonly type: EventType | typeof testEventType
  readonly createdAt: Timestamp
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns the JSON to store and send, byte for byte (spec: Envelope). */
export type RenderEvent = (envelope: EventEnvelope) => string
