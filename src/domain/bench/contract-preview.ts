/** How answers and events differ from the published contract: by additions, or by a property that is gone. */
export type ContractPreview = 'additive' | { readonly removed: string }

/** A property that the published contract does not have. */
export const addedField = { preview_field: 'A later version may add fields.' } as const

/** A type of events that the published contract does not have. */
export const addedEventType = 'share_purchase.preview'
