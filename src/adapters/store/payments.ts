// Payments of orders, collections of direct debits, and what banks say about them.
import { zeroMoney } from '../../domain/money.ts'
import type { DebitCollection, DirectDebit } from '../../domain/payments/debit-collection.ts'
import { collectionStates } from '../../domain/payments/debit-collection.ts'
import { type Payment, type PaymentState, paymentStates } from '../../domain/payments/payment.ts'
import type { Statement, StatementEntry } from '../../domain/payments/statement.ts'
import {
  deriveMandateReference,
  foldMandateReference,
} from '../../domain/share-purchases/share-purchase.ts'
import type {
  DebitCollectionReader,
  DirectDebitReader,
  PaymentReader,
  PaymentSum,
  StatementEntryReader,
  StatementReader,
} from '../../ports/payment-records.ts'
import {
  type Collection,
  keyOf,
  type ListIndex,
  listBy,
  rankedBy,
  type Tally,
} from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'

// Works that change payments read them one by one. Lists only say which.
const proof = 'none'

// Lists of any state are merged.
const paymentsByState: ListIndex<Payment> = { ...listBy<Payment>('state'), proof }
const paymentsByCooperativeAndState: ListIndex<Payment> = {
  ...listBy<Payment>('cooperativeId', 'state'),
  proof,
}

const paymentsByCollection: ListIndex<Payment> = {
  columns: ['collection_id', 'state'],
  valuesOf: ({ collectionId, state }) =>
    collectionId === null ? undefined : [collectionId, state],
  where: 't.collection_id is not null',
  proof,
}

/** By the day of the approval. In PostgreSQL, `ofPayments` in `0002-tallies.ts` counts the same. */
const paymentSums: Tally<Payment> = {
  name: 'payments',
  period: 'day',
  of: ({ state, cooperativeId, createdAt, amount }) => ({
    part: partOf(state, cooperativeId),
    at: createdAt,
    amount,
  }),
}

const partOf = (state: PaymentState, cooperativeId: string) => `${state}/${cooperativeId}`

/** The audit has the operations that change payments; a collection can change 50,000 of them. */
export const payments: Collection<Payment> = {
  name: 'payments',
  key: keyOf('sharePurchaseId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'investorId', 'cooperativeId', 'collectionId'],
  references: { sharePurchaseId: 'sharePurchases', cooperativeId: 'cooperatives' },
  lists: [paymentsByState, paymentsByCooperativeAndState, paymentsByCollection],
  tallies: [paymentSums],
  row: {
    table: 'payments',
    columns: {
      sharePurchaseId: 'plain',
      organizationId: 'plain',
      investorId: 'plain',
      cooperativeId: 'plain',
      state: 'plain',
      amount: 'amount',
      currency: 'plain',
      collectionId: 'plain',
      attempts: 'json',
      paidOn: 'plain',
      paidBy: 'plain',
      transferReference: 'plain',
      returnedOn: 'plain',
      returnCode: 'plain',
      charges: 'amount',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
}

export function paymentReader(lookup: Lookup): PaymentReader {
  const reader = new CollectionReader(lookup, payments)
  const find = (sharePurchaseId: string) => lookup.get(payments, [sharePurchaseId])
  return {
    get: (sharePurchaseId) => reader.get(sharePurchaseId),
    list: ({ cooperativeId, state, after, isNewestFirst: isReversed, limit }) => {
      const states = state ? [state] : paymentStates
      if (cooperativeId === undefined) {
        const lists = states.map((one) => [one])
        return reader.listAfter(paymentsByState, find, { lists, after, isReversed, limit })
      }
      const lists = states.map((one) => [cooperativeId, one])
      const page = { lists, after, isReversed, limit }
      return reader.listAfter(paymentsByCooperativeAndState, find, page)
    },
    listByCollection: ({ collectionId, state, after, limit }) =>
      reader.listAfter(paymentsByCollection, find, {
        lists: [[collectionId, state]],
        after,
        limit,
      }),
    sumByState: async (cooperativeIds, states) => {
      const parts = cooperativeIds.flatMap((id) => states.map((one) => partOf(one, id)))
      const found = parts.length === 0 ? [] : await lookup.tally(payments, paymentSums, { parts })
      return new Map(
        cooperativeIds.map((id) => {
          const sums = states.map((one) => {
            const sum = found.find(({ part }) => part === partOf(one, id))
            return [one, { count: sum?.count ?? 0, total: sum?.amount ?? zeroMoney }] as const
          })
          return [id, Object.fromEntries(sums) as Record<PaymentState, PaymentSum>] as const
        }),
      )
    },
  }
}

const collectionRank = {
  column: 'created_at',
  of: ({ createdAt }: DebitCollection) => createdAt,
}
// Lists of any state are merged.
const collectionsByState = { ...rankedBy<DebitCollection>(collectionRank, 'state'), proof } as const
const collectionsByCooperativeAndState = {
  ...rankedBy<DebitCollection>(collectionRank, 'cooperativeId', 'state'),
  proof,
} as const

export const debitCollections: Collection<DebitCollection> = {
  name: 'debitCollections',
  key: keyOf('collectionId'),
  references: { cooperativeId: 'cooperatives' },
  lists: [collectionsByState, collectionsByCooperativeAndState],
  row: {
    table: 'debit_collections',
    columns: {
      collectionId: 'plain',
      cooperativeId: 'plain',
      state: 'plain',
      creditor: 'json',
      dueDate: 'plain',
      isOpen: 'plain',
      isComplete: 'plain',
      count: 'plain',
      total: 'amount',
      currency: 'plain',
      refusedCount: 'plain',
      refusedTotal: 'amount',
      announcedCount: 'plain',
      createdBy: 'plain',
      createdById: 'plain',
      createdAt: 'timestamp',
      confirmedBy: 'plain',
      exportedAt: 'timestamp',
      fileDigest: 'plain',
      bookedOn: 'plain',
      updatedAt: 'timestamp',
    },
  },
  audit: {
    idsOf: ({ collectionId, cooperativeId }) => ({ collectionId, cooperativeId }),
    // The creditor is left out, because the audit contains no IBAN.
    fieldsOf: ({
      state,
      dueDate,
      isComplete,
      count,
      total,
      confirmedBy,
      fileDigest,
      bookedOn,
    }) => ({
      state,
      dueDate,
      isComplete,
      count,
      total,
      confirmedBy,
      fileDigest,
      bookedOn,
    }),
  },
}

export function debitCollectionReader(lookup: Lookup): DebitCollectionReader {
  const reader = new CollectionReader(lookup, debitCollections)
  const find = (collectionId: string) => lookup.get(debitCollections, [collectionId])
  return {
    get: (collectionId) => reader.get(collectionId),
    list: ({ cooperativeId, state, after, since: from, until, limit }) => {
      const states = state ? [state] : collectionStates
      const index =
        cooperativeId === undefined ? collectionsByState : collectionsByCooperativeAndState
      const lists = states.map((one) =>
        cooperativeId === undefined ? [one] : [cooperativeId, one],
      )
      const range = { lists, after, from, until, isReversed: true, limit }
      return reader.listAfter(index, find, range)
    },
  }
}

const debitsByCollection = { ...listBy<DirectDebit>('collectionId'), proof } as const
/** Only references that partners chose. Issued references contain the id of their order. Banks ignore case in references. */
const debitsByMandate: ListIndex<DirectDebit> = {
  columns: ['cooperative_id', 'lower(t.mandate_reference collate "C")'],
  valuesOf: ({ cooperativeId, mandateReference, sharePurchaseId }) =>
    mandateReference === deriveMandateReference(sharePurchaseId)
      ? undefined
      : [cooperativeId, foldMandateReference(mandateReference)],
  where: "t.mandate_reference <> upper(replace(t.share_purchase_id, '-', ''))",
  proof,
}

export const directDebits: Collection<DirectDebit> = {
  name: 'directDebits',
  key: keyOf('endToEndId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['collectionId', 'organizationId', 'investorId', 'cooperativeId'],
  references: { collectionId: 'debitCollections', sharePurchaseId: 'sharePurchases' },
  lists: [debitsByCollection, debitsByMandate],
  row: {
    table: 'direct_debits',
    columns: {
      endToEndId: 'plain',
      collectionId: 'plain',
      sharePurchaseId: 'plain',
      organizationId: 'plain',
      investorId: 'plain',
      cooperativeId: 'plain',
      amount: 'amount',
      mandateReference: 'plain',
      mandateSignedOn: 'plain',
      isAnnounced: 'plain',
      encryptedDebtor: 'plain',
      createdAt: 'timestamp',
    },
  },
}

export function directDebitReader(lookup: Lookup): DirectDebitReader {
  const reader = new CollectionReader(lookup, directDebits)
  const find = (endToEndId: string) => lookup.get(directDebits, [endToEndId])
  return {
    get: (endToEndId) => reader.get(endToEndId),
    listByCollection: ({ collectionId, after, limit }) =>
      reader.listAfter(debitsByCollection, find, { lists: [[collectionId]], after, limit }),
    listByMandate: (cooperativeId, reference, limit) =>
      reader.list(debitsByMandate, {
        values: [cooperativeId, foldMandateReference(reference)],
        isReversed: true,
        limit,
      }),
  }
}

const allStatements = { ...listBy<Statement>(), proof } as const
const unfinishedStatements: ListIndex<Statement> = {
  columns: [],
  valuesOf: ({ isComplete }) => (isComplete ? undefined : []),
  where: 'not t.is_complete',
  proof,
}

export const statements: Collection<Statement> = {
  name: 'statements',
  key: keyOf('statementId'),
  lists: [allStatements, unfinishedStatements],
  row: {
    table: 'statements',
    columns: {
      statementId: 'plain',
      file: 'plain',
      fileDigest: 'plain',
      format: 'plain',
      accountIban: 'plain',
      from: 'plain',
      to: 'plain',
      entryCount: 'plain',
      isComplete: 'plain',
      counts: 'json',
      importedBy: 'plain',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
  audit: {
    idsOf: ({ statementId }) => ({ statementId }),
    fieldsOf: ({ fileDigest, format, entryCount, counts }) => ({
      fileDigest,
      format,
      entryCount,
      ...counts,
    }),
  },
}

export function statementReader(lookup: Lookup): StatementReader {
  const reader = new CollectionReader(lookup, statements)
  const find = (statementId: string) => lookup.get(statements, [statementId])
  return {
    get: (statementId) => reader.get(statementId),
    list: ({ after, limit }) =>
      reader.listAfter(allStatements, find, { lists: [[]], after, isReversed: true, limit }),
    listUnfinished: (limit) => reader.list(unfinishedStatements, { values: [], limit }),
  }
}

/** Of several entries with the same identity, only the first counts. */
const countingIdentity: ListIndex<StatementEntry> = {
  columns: ['identity'],
  valuesOf: ({ identity, outcome }) =>
    outcome === null || outcome === 'repeated' ? undefined : [identity],
  where: "t.outcome is not null and t.outcome <> 'repeated'",
  // A write about all statements finds an entry before another one with its identity counts.
  proof: 'rows',
}
/** Of several entries that say the same, only the first counts. */
const countingFact: ListIndex<StatementEntry> = {
  columns: ['fact'],
  valuesOf: ({ fact, outcome }) =>
    fact === null || outcome === null || outcome === 'repeated' ? undefined : [fact],
  where: "t.fact is not null and t.outcome is not null and t.outcome <> 'repeated'",
  proof: 'rows',
}
const entriesByStatement: ListIndex<StatementEntry> = {
  ...listBy<StatementEntry>('statementId'),
  proof,
}
const entriesByOrder: ListIndex<StatementEntry> = {
  columns: ['share_purchase_id'],
  valuesOf: ({ sharePurchaseId }) => (sharePurchaseId === null ? undefined : [sharePurchaseId]),
  where: 't.share_purchase_id is not null',
  proof,
}
const unappliedEntries: ListIndex<StatementEntry> = {
  ...entriesByStatement,
  valuesOf: ({ statementId, outcome }) => (outcome === null ? [statementId] : undefined),
  where: 't.outcome is null',
}
const unmatchedEntries: ListIndex<StatementEntry> = {
  columns: [],
  valuesOf: ({ outcome }) => (outcome === 'unmatched' ? [] : undefined),
  where: "t.outcome = 'unmatched'",
  proof,
}

export const statementEntries: Collection<StatementEntry> = {
  name: 'statementEntries',
  key: keyOf('entryId'),
  sharedFields: ['statementId', 'kind', 'messageId', 'batchId', 'collectionId'],
  references: { statementId: 'statements' },
  lists: [
    countingIdentity,
    countingFact,
    entriesByStatement,
    entriesByOrder,
    unappliedEntries,
    unmatchedEntries,
  ],
  row: {
    table: 'statement_entries',
    columns: {
      entryId: 'plain',
      statementId: 'plain',
      identity: 'plain',
      fact: 'plain',
      kind: 'plain',
      isCredit: 'plain',
      outcome: 'plain',
      amount: 'amount',
      currency: 'plain',
      charges: 'amount',
      bookedOn: 'plain',
      messageId: 'plain',
      batchId: 'plain',
      endToEndId: 'plain',
      mandateReference: 'plain',
      returnCode: 'plain',
      encryptedText: 'plain',
      sharePurchaseId: 'plain',
      collectionId: 'plain',
      matchedBy: 'plain',
      createdAt: 'timestamp',
    },
  },
}

export function statementEntryReader(lookup: Lookup): StatementEntryReader {
  const reader = new CollectionReader(lookup, statementEntries)
  const find = (entryId: string) => lookup.get(statementEntries, [entryId])
  return {
    get: (entryId) => reader.get(entryId),
    findByIdentity: (identity) => reader.first(countingIdentity, { values: [identity] }),
    findByFact: (fact) => reader.first(countingFact, { values: [fact] }),
    listByStatement: ({ statementId, after, limit }) =>
      reader.listAfter(entriesByStatement, find, { lists: [[statementId]], after, limit }),
    listByOrder: (sharePurchaseId) => reader.list(entriesByOrder, { values: [sharePurchaseId] }),
    listUnapplied: (statementId, limit) =>
      reader.list(unappliedEntries, { values: [statementId], limit }),
    listUnmatched: ({ after, limit }) =>
      reader.listAfter(unmatchedEntries, find, { lists: [[]], after, limit }),
  }
}
