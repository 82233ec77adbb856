import { deriveId } from '../ids.ts'

/** How answers and events differ from the published contract: by additions, or by a missing property. */
export type ContractPreview = 'additive' | { readonly removed: string }

/** A property that the published contract does not have. */
export const addedField = { preview_field: 'A later version may add fields.' } as const

/** A type of events that the published contract does not have. */
const addedEventType = 'share_purchase.preview'

interface SentEvent {
  readonly type: string
  readonly body: string
}

interface PreviewedEvent {
  readonly body: string
  /** Events of a type that the published contract does not have; they are sent first. */
  readonly before: readonly SentEvent[]
}

/** An event as a later version of the contract could send it. */
export function previewEvent({ type, body }: SentEvent, preview: ContractPreview): PreviewedEvent {
  const { data, ...envelope } = JSON.parse(body)
  if (preview !== 'additive') {
    const { [preview.removed]: _removed, ...rest } = data
    return { body: JSON.stringify({ ...envelope, data: rest }), before: [] }
  }
  const added = { ...data, ...addedField }
  const later = { ...envelope, data: added, ...addedField }
  // One such event for each order is enough to show whether a receiver ignores unknown types.
  const isFirst = type === 'share_purchase.submitted'
  const id = deriveId('event', envelope.id, 'preview')
  const unknown = { ...later, id, type: addedEventType }
  return {
    body: JSON.stringify(later),
    before: isFirst ? [{ type: addedEventType, body: JSON.stringify(unknown) }] : [],
  }
}
