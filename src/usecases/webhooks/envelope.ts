import type { Timestamp } from '../../domain/timestamp.ts'
import { type EventType, testEventType } from '../../domain/webhooks/event.ts'

export interface Envelope {
  readonly id: string
  readonly type: EventType | typeof testEventType
  readonly createdAt: Timestamp
  readonly data: Readonly<Record<string, unknown>>
}

/** What is sent of any event (spec: Envelope, in its field order). */
export function renderEnvelope({ id, type, createdAt: created_at, data }: Envelope): string {
  return JSON.stringify({ id, type, created_at, data })
}

/** Whether `text` may well have been rendered here: the same compact JSON comes of it once more, with the data that its type asks for. */
export function isRenderedEnvelope(text: string): boolean {
  try {
    const json = JSON.parse(text)
    return renderEnvelope({ ...json, createdAt: json.created_at }) === text && hasOwnData(json)
  } catch {
    return false
  }
}

function hasOwnData({ type, data }: Pick<Envelope, 'type' | 'data'>): boolean {
  return type === testEventType
    ? typeof data['webhook_endpoint_id'] === 'string'
    : type === `share_purchase.${data['status']}`
}
