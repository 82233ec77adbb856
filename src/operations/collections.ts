import { boolean, enums, object, optional } from 'superstruct'
import { collectionStates, messageIdOf } from '../domain/payments/debit-collection.ts'
import { attemptStates } from '../domain/payments/payment.ts'
import {
  cancelCollection,
  confirmCollection,
  exportCollection,
  type ListedCollection,
  listCollections,
  readCollection,
  type ShownCollection,
  type ShownDebit,
} from '../usecases/payments/collections.ts'
import {
  type CreatedCollections,
  createCollections,
  type LeftOut,
} from '../usecases/payments/create-collections.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import {
  amount,
  bool,
  count,
  date,
  dateOrNull,
  fieldsOf,
  id,
  ids,
  instant,
  instantOrNull,
  listOf,
  oneOf,
  text,
  textOrNull,
  unchanged,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'

const brief = view<ListedCollection>()('Collection', {
  collection_id: id('Id of the collection.', (it) => it.collection.collectionId),
  cooperative_id: id('Id of the cooperative.', (it) => it.collection.cooperativeId),
  cooperative_key: text('Key of the cooperative.', (it) => it.cooperativeKey),
  state: oneOf(collectionStates, 'State of the collection.', (it) => it.collection.state),
  due_date: date('Due date.', (it: ListedCollection) => it.collection.dueDate),
  count: count('Number of direct debits.', (it) => it.collection.count),
  total: amount('Sum of the direct debits.', (it) => it.collection.total),
  total_currency: text('Currency, ISO 4217.', (it) => it.collection.currency),
  message_id: text('Id of the message and of its batch.', (it) => messageIdOf(it.collection)),
})

export const listedCollection = view<ListedCollection>()('Listed collection', {
  ...brief.fields,
  is_complete: bool(
    'Whether the collection is complete; before that, it cannot be exported.',
    (it) => it.collection.isComplete,
  ),
  created_at: instant('Time of creation.', (it) => it.collection.createdAt),
  created_by: text('Operator who created it.', (it) => it.collection.createdBy),
  confirmed_by: textOrNull(
    'Operator who confirmed it; null if nobody has.',
    (it) => it.collection.confirmedBy,
  ),
  exported_at: instantOrNull(
    'Time of the first export; null before.',
    (it) => it.collection.exportedAt,
  ),
  file_digest: textOrNull(
    'SHA-256 of the exported file, in hexadecimal; null before the export.',
    (it) => it.collection.fileDigest,
  ),
  booked_on: dateOrNull(
    'Day on which the bank booked it; null before.',
    (it: ListedCollection) => it.collection.bookedOn,
  ),
})

export const directDebit = view<ShownDebit>()('Direct debit', {
  share_purchase_id: id('Share purchase that is paid.', (it) => it.debit.sharePurchaseId),
  end_to_end_id: text('End-to-end reference.', (it) => it.debit.endToEndId),
  amount: amount('Amount.', (it) => it.debit.amount),
  state: oneOf(attemptStates, 'State of the direct debit.', (it) => it.state),
})

const whole = view<ShownCollection>()('Whole collection', {
  ...fieldsOf(listedCollection, (it: ShownCollection) => it),
  payments: listOf(directDebit, 'Direct debits, in the order of the file.', (it) => it.debits),
  announced: ids('Share purchases whose investors got an e-mail about it.', (it) =>
    it.debits.flatMap(({ debit, isAnnounced }) => (isAnnounced ? debit.sharePurchaseId : [])),
  ),
  not_announced: ids('Share purchases whose investors the partner must notify.', (it) =>
    it.debits.flatMap(({ debit, isAnnounced }) => (isAnnounced ? [] : debit.sharePurchaseId)),
  ),
})

const leftOut = view<LeftOut>()('Payment left out', {
  share_purchase_id: id('Share purchase whose payment stays due.', (it) => it.sharePurchaseId),
  cooperative_key: text('Key of the cooperative.', (it) => it.cooperativeKey),
  reason: text('Why it was left out.', (it) => it.reason),
})

const created = view<CreatedCollections>()('Created collections', {
  collections: listOf(brief, 'Collections, one for each creditor.', (it) => it.collections),
  left_out: listOf(leftOut, 'Payments that stay due.', (it) => it.leftOut),
  shortened: ids(
    'Share purchases whose payer has a name of more than 70 characters, or an address that is too long: the file has the beginning.',
    (it) => it.shortened.map(({ sharePurchaseId }) => sharePurchaseId),
  ),
})

const filePart = unchanged<{ readonly text: string }>('Part of a file', {
  type: 'object',
  description: 'A part of the file. All parts, one after the other, are the file.',
  required: ['text'],
  properties: { text: schemas.text('Text.') },
})

const one = object({ collection_id: given.text() })
const changes = {
  role: 'operator',
  problems: ['COLLECTION_NOT_FOUND', 'COLLECTION_ILLEGAL_STATE'],
} as const

export const collectionOperations = {
  'collection.create': operation({
    role: 'operator',
    summary: 'Collect all due payments: one collection for each creditor.',
    note: 'Without `due`, the due date of each creditor is the first possible one. With `dry_run`, nothing is stored, and the ids exist only in the answer.',
    problems: ['COOPERATIVE_NOT_FOUND'],
    input: object({
      cooperative: optional(given.text()),
      due: optional(given.date()),
      limit: optional(given.limit()),
      dry_run: optional(boolean()),
    }),
    answer: created,
    run: (service, { dry_run: dryRun, ...input }) =>
      createCollections(service, { ...input, dryRun }),
  }),
  'collection.list': listOperation({
    role: 'viewer',
    summary: 'List collections, newest first.',
    problems: ['COOPERATIVE_NOT_FOUND'],
    input: object({
      cooperative: optional(given.text()),
      state: optional(enums(collectionStates)),
      since: optional(given.timestamp()),
      until: optional(given.timestamp()),
      after: optional(given.text()),
      limit: optional(given.limit()),
    }),
    row: listedCollection,
    batches: (service, input) => listCollections(service, { ...input, ...given.readRange(input) }),
  }),
  'collection.show': operation({
    role: 'viewer',
    summary: 'Show a collection with its direct debits.',
    problems: ['COLLECTION_NOT_FOUND'],
    input: one,
    answer: whole,
    run: (service, { collection_id }) => readCollection(service, collection_id),
  }),
  'collection.confirm': operation({
    ...changes,
    summary: 'Confirm a collection that another operator has created.',
    input: one,
    answer: listedCollection,
    run: (service, { collection_id }) => confirmCollection(service, collection_id),
  }),
  'collection.export': listOperation({
    ...changes,
    summary: 'Make the file for the bank (pain.008.001.08).',
    note: 'The file contains personal data: names and accounts. It has the same bytes each time.',
    input: one,
    row: filePart,
    batches: async function* (service, { collection_id }) {
      const { parts } = await exportCollection(service, collection_id)
      for (const part of parts) yield [{ text: part }]
    },
  }),
  'collection.cancel': operation({
    ...changes,
    summary: 'Cancel a collection, so that its payments are due again.',
    note: 'An exported one needs `not_taken`: the bank has not taken the file.',
    input: object({ collection_id: given.text(), not_taken: optional(boolean()) }),
    answer: listedCollection,
    run: (service, { collection_id, not_taken: isExported = false }) =>
      cancelCollection(service, collection_id, { isExported }),
  }),
}
