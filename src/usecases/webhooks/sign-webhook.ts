import { createHmac } from 'node:crypto'

interface ToSign {
  readonly secret: string
  readonly previousSecret?: string | undefined
  readonly body: Uint8Array
  /** The instant that the signature contains, in ISO 8601. */
  readonly at: string
}

/** The value of X-Service-Webhook-Signature (spec: Signature). */
export function signWebhook({ secret, previousSecret, body, at }: ToSign): string {
  const t = Math.floor(Date.parse(at) / 1000)
  const sign = (key: string) =>
    `v1=${createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')}`
  return [`t=${t}`, ...[secret, previousSecret ?? []].flat().map(sign)].join(',')
}

interface DeliveryHeaders {
  readonly type: string
  readonly attemptId: string
  /** Absent only to test whether the receiver needs one. */
  readonly signature: string | undefined
}

/** spec: Delivery headers. */
export function createDeliveryHeaders({ type, attemptId, signature }: DeliveryHeaders) {
  return {
    'Content-Type': 'application/json',
    // Some firewalls refuse requests without a user agent.
    'User-Agent': 'coopshare',
    ...(signature !== undefined && { 'X-Service-Webhook-Signature': signature }),
    'X-Service-Webhook-Id': attemptId,
    'X-Service-Webhook-Event': type,
  }
}
