import type { Timestamp } from '../domain/timestamp.ts'
import type { EventType, testEventType } from '../domain/webhooks/event.ts'

/** The content of an event. The names in `data` are those of the domain. */
export interface EventEnvelope {
  readonly id: string
  readonly type: EventType | typeof testEventType
  readonly createdAt: Timestamp
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns the JSON to store and send, byte for byte (spec: Envelope). */
export type RenderEvent = (envelope: EventEnvelope) => string
