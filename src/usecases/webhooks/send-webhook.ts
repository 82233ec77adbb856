import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../service.ts'
import { type SendSigned, sendSigned } from './send-signed.ts'

export interface SendWebhook extends Omit<SendSigned, 'url' | 'secret'> {
  readonly endpoint: WebhookEndpoint
  /** Instead of the endpoint's own, to see whether it looks. */
  readonly secret?: string | undefined
}

/** With the secret of this moment. */
export function sendWebhook(
  service: Service,
  { endpoint, secret = service.vault.open(endpoint.sealedSigningSecret), ...sending }: SendWebhook,
): Promise<SendOutcome> {
  return sendSigned(service, { ...sending, url: endpoint.url, secret })
}
