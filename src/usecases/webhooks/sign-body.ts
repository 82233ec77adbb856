import { createHmac } from 'node:crypto'
import type { Timestamp } from '../../domain/timestamp.ts'

export interface ToSign {
  readonly secret: string
  readonly body: Uint8Array
  readonly at: Timestamp
}

/** The value of X-Service-Webhook-Signature (spec: Signature). */
export function signBody({ secret, body, at }: ToSign): string {
  const t = Math.floor(Date.parse(at) / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return `t=${t},v1=${v1}`
}
