import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../service.ts'
import { signBody } from './sign-body.ts'

export interface SendWebhook {
  readonly endpoint: WebhookEndpoint
  readonly type: string
  readonly body: string
  readonly attemptId: string
  /** Instead of the endpoint's own, to see whether it looks. */
  readonly secret?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** spec: Delivery headers. The signature is of this moment, with the secret of this moment. */
export function sendWebhook(
  { vault, clock, webhookSender }: Service,
  { endpoint, type, body: text, attemptId, signal, ...given }: SendWebhook,
): Promise<SendOutcome> {
  const secret = given.secret ?? vault.open(endpoint.sealedSigningSecret)
  const body = Buffer.from(text)
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Webhook-Signature': signBody({ secret, body, at: clock.now() }),
    'X-Service-Webhook-Id': attemptId,
    'X-Service-Webhook-Event': type,
  }
  return webhookSender.send({ url: endpoint.url, headers, body, signal })
}
