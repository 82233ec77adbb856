export { CallError, type CallErrorName } from './client/call-error.ts'
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
} from './client/create-client.ts'
export {
  verifyWebhook,
  type WebhookFault,
  type WebhookToVerify,
  WebhookVerificationError,
} from './client/verify-webhook.ts'
export {
  isKnownWebhookEvent,
  type KnownWebhookEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
} from './client/webhook-event.ts'
