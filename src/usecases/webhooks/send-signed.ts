import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { Service } from '../service.ts'
import { signBody } from './sign-body.ts'

export interface SendSigned {
  readonly url: string
  readonly secret: string
  readonly type: string
  readonly body: string
  readonly attemptId: string
  readonly signal?: AbortSignal | undefined
}

/** spec: Delivery headers. The signature is of this moment. */
export function sendSigned(
  { clock, webhookSender }: Pick<Service, 'clock' | 'webhookSender'>,
  { url, secret, type, body: text, attemptId, signal }: SendSigned,
): Promise<SendOutcome> {
  const body = Buffer.from(text)
  const headers = {
    'Content-Type': 'application/json',
    // Some firewalls turn away what does not say who it is.
    'User-Agent': 'coopshare',
    'X-Service-Webhook-Signature': signBody({ secret, body, at: clock.now() }),
    'X-Service-Webhook-Id': attemptId,
    'X-Service-Webhook-Event': type,
  }
  return webhookSender.send({ url, headers, body, signal })
}
