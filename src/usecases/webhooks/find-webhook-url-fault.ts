import { webhookUrlFault } from '../../domain/webhooks/webhook-url.ts'
import type { Service } from '../service.ts'

/** Why no event may go there, as part of a sentence; asks where the name leads. */
export async function findWebhookUrlFault(
  { settings, webhookSender }: Service,
  url: string,
): Promise<string | undefined> {
  return (
    webhookUrlFault(url, settings.allowPrivateWebhooks) ??
    (await webhookSender.findAddressFault(url))
  )
}
