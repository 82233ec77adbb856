import type { JsonSchema } from '../../wire/json-schema.ts'
import { eventObjects } from './event-objects.ts'
import { partnerObjects } from './partner-objects.ts'
import { storeObjects } from './store-objects.ts'

/** Objects that operations answer and commands print. */
export const sharedObjects: Readonly<Record<string, JsonSchema>> = {
  ...partnerObjects,
  ...eventObjects,
  ...storeObjects,
}
