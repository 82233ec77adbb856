/** The direct debits of a payment. */
export const attemptColumns = {
  COLLECTION: 'collection_id',
  REFERENCE: 'end_to_end_id',
  DUE: 'due_date',
  STATE: 'state',
  CODE: 'return_code',
} as const
