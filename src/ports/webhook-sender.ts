import type { SendOutcome } from '../domain/webhooks/delivery.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte. */
  readonly body: Uint8Array
  /** Ends it before there is an outcome. */
  readonly signal?: AbortSignal | undefined
}

export interface WebhookSender {
  /** Whatever the receiver does is an outcome. What it throws is our own fault, or that of `signal`. */
  send(request: WebhookRequest): Promise<SendOutcome>
  /** Why nothing would be sent there, as part of a sentence; undefined when something would. */
  findAddressFault(url: string): Promise<string | undefined>
}
