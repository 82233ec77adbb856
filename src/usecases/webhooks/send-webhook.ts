import { previewEvent } from '../../domain/bench/contract-preview.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { hasPreviousSecret, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import { LocalFault, type WebhookRequest } from '../../ports/webhook-sender.ts'
import type { Service } from '../service.ts'
import { createDeliveryHeaders, signWebhook } from './sign-webhook.ts'

export interface SendWebhook
  extends Omit<SendSigned, 'url' | 'secret' | 'previousSecret' | 'endpoint'> {
  readonly endpoint: WebhookEndpoint
  /** Overrides the secret of the endpoint, to test whether the receiver verifies signatures. */
  readonly secret?: string | undefined
}

/** Signs with the current secret of the endpoint, and with the previous one during an overlap. */
export async function sendWebhook(
  service: Service,
  { endpoint, secret, ...sending }: SendWebhook,
): Promise<SendOutcome> {
  const secrets = secret === undefined ? secretsOf(service, endpoint) : { secret }
  const toSend = { ...sending, endpoint, url: endpoint.url, ...secrets }
  const { contractPreview } = service.settings
  if (!contractPreview) return sendSigned(service, toSend)
  const preview = previewEvent(sending, contractPreview)
  for (const { type, body } of preview.before) {
    const attemptId = service.random.traceId()
    await localFaultAsOutcome(sendSigned(service, { ...toSend, type, body, attemptId }))
  }
  return sendSigned(service, { ...toSend, body: preview.body })
}

function secretsOf({ vault, clock }: Service, endpoint: WebhookEndpoint) {
  const { encryptedSigningSecret, encryptedPreviousSecret: previous } = endpoint
  const secret = vault.decrypt(encryptedSigningSecret)
  if (previous === null || !hasPreviousSecret(endpoint, clock.now())) return { secret }
  return { secret, previousSecret: vault.decrypt(previous) }
}

interface SendSigned {
  readonly url: string
  readonly secret: string
  /** Makes a second signature. */
  readonly previousSecret?: string | undefined
  readonly type: string
  readonly body: string
  readonly attemptId: string
  readonly signal?: AbortSignal | undefined
  readonly endpoint?: WebhookRequest['endpoint']
}

/** The signature has the current time. */
export function sendSigned(
  { clock, webhookSender }: Pick<Service, 'clock' | 'webhookSender'>,
  { url, secret, previousSecret, type, body: text, attemptId, signal, endpoint }: SendSigned,
): Promise<SendOutcome> {
  const body = Buffer.from(text)
  const signature = signWebhook({ secret, previousSecret, body, at: clock.webhookTime() })
  const headers = createDeliveryHeaders({ type, attemptId, signature })
  return webhookSender.send({ url, headers, body, signal, endpoint })
}

/**
 * Returns a local fault as an outcome. This is for tests of an endpoint, which count no attempts, so
 * it does not matter on which side the fault was.
 */
export async function localFaultAsOutcome(sending: Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof LocalFault) return error.outcome
    throw error
  }
}
