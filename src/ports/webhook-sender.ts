import type { Timestamp } from '../domain/timestamp.ts'
import type { SendOutcome } from '../domain/webhooks/delivery.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte. */
  readonly body: Uint8Array
  /** Ends it before there is an outcome. */
  readonly signal?: AbortSignal | undefined
}

/** Where the name of a URL leads. */
export interface AddressInspection {
  /** Empty when `fault` is set. */
  readonly addresses: readonly string[]
  /** Those of them that are not public. */
  readonly notPublic: readonly string[]
  /** Why the name leads nowhere, as part of a sentence. */
  readonly fault: string | null
}

/** What a receiver shows of itself before anything is sent. */
export interface CertificateInspection {
  readonly issuer: string | null
  readonly validTo: Timestamp | null
  /** Why nothing would be sent there; null when the chain, the name and the time are good. */
  readonly fault: string | null
}

/** This machine has run out of something, or is cut off: what came of it says nothing about the receiver. */
export class OwnFault extends Error {
  readonly outcome: SendOutcome

  constructor(message: string, { outcome, cause }: OwnFaultMore) {
    super(message, { cause })
    this.name = 'OwnFault'
    this.outcome = outcome
  }
}

interface OwnFaultMore {
  readonly outcome: SendOutcome
  readonly cause: unknown
}

export interface WebhookSender {
  /** Whatever the receiver does is an outcome. What it throws is an `OwnFault`, or that of `signal`. */
  send(request: WebhookRequest): Promise<SendOutcome>
  /** Why nothing would be sent there, as part of a sentence; undefined when something would. */
  findAddressFault(url: string): Promise<string | undefined>
  inspectAddresses(url: string): Promise<AddressInspection>
  /** Of an https URL; connects only where `send` would. */
  inspectCertificate(url: string): Promise<CertificateInspection>
}
