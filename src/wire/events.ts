import {
  type EventType,
  eventTypes,
  type Topic,
  testEventType,
  topicOf,
} from '../domain/webhooks/event.ts'
import type { EventEnvelope } from '../ports/webhook-sender.ts'
import { renameKeys } from './problems.ts'

/** spec: Envelope, in its field order. */
export function renderEvent({ id, type, createdAt, data }: EventEnvelope): string {
  return JSON.stringify({ id, type, created_at: createdAt, data: renameKeys(data) })
}

/**
 * Whether `text` looks like an event of ours: rendering it again gives the same JSON, and its
 * data fits its type.
 */
export function isRenderedEvent(text: string): boolean {
  try {
    const json = JSON.parse(text)
    return renderEvent({ ...json, createdAt: json.created_at }) === text && hasOwnData(json)
  } catch {
    return false
  }
}

function hasOwnData({ type, data }: Pick<EventEnvelope, 'type' | 'data'>): boolean {
  if (type === testEventType) return typeof data['webhook_endpoint_id'] === 'string'
  return eventTypes.includes(type) && hasDataOf[topicOf(type)](type, data)
}

type Data = EventEnvelope['data']

/** Whether data fits an event of the topic. */
const hasDataOf: Readonly<Record<Topic, (type: EventType, data: Data) => boolean>> = {
  share_purchase: (type, { status }) => type === `share_purchase.${status}`,
  // Partners do not get these events.
  payment: () => false,
}
