import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../service.ts'

export interface MintedSigningSecret {
  /** Shown once: it cannot be read back. */
  readonly signingSecret: string
  readonly sealedSigningSecret: WebhookEndpoint['sealedSigningSecret']
}

export interface MintedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly signingSecret: string
}

export function mintSigningSecret({ random, vault }: Service): MintedSigningSecret {
  const signingSecret = `whsec_${random.secret()}`
  return { signingSecret, sealedSigningSecret: vault.seal(signingSecret) }
}
