// The audit: who did what, and the seals that form its chain.
import type { AuditEntry, AuditSeal } from '../../domain/audit/audit-entry.ts'
import type { AuditEntryReader, AuditSealReader } from '../../ports/collections.ts'
import { type Collection, keyOf, type ListIndex, listBy } from './collection.ts'
import type { Lookup } from './lookup.ts'
import { listAfter, listRecords, recordOf } from './read.ts'

const rank = { column: 'at', of: ({ at }: AuditEntry) => at }

// A work that puts entries reads none, and seals are proven by their numbers.
const proof = 'none'

/** The order of the seals. */
const log: ListIndex<AuditEntry> = { ...listBy<AuditEntry>(), isLog: true, proof }

const byTime: ListIndex<AuditEntry> = { ...listBy<AuditEntry>(), rank, proof }

const byPurchase: ListIndex<AuditEntry> = {
  columns: ['share_purchase_id'],
  valuesOf: ({ sharePurchaseId }) => (sharePurchaseId === null ? undefined : [sharePurchaseId]),
  where: 't.share_purchase_id is not null',
  rank,
  proof,
}

const byOperator: ListIndex<AuditEntry> = {
  columns: ['actor_id'],
  valuesOf: ({ actorKind, actorId }) => (actorKind === 'operator' ? [actorId] : undefined),
  where: "t.actor_kind = 'operator'",
  rank,
  proof,
}

export const auditEntries: Collection<AuditEntry> = {
  name: 'auditEntries',
  key: keyOf('entryId'),
  sharedFields: ['actorKind', 'actorId', 'actorName', 'actorRole', 'via', 'operation', 'outcome'],
  lists: [log, byTime, byPurchase, byOperator],
  row: {
    table: 'audit_entries',
    columns: {
      entryId: 'plain',
      at: 'timestamp',
      actorKind: 'plain',
      actorId: 'plain',
      actorName: 'plain',
      actorRole: 'plain',
      via: 'plain',
      operation: 'plain',
      requestId: 'plain',
      sharePurchaseId: 'plain',
      subjects: 'plain',
      changes: 'plain',
      outcome: 'plain',
      code: 'plain',
    },
  },
}

const allSeals: ListIndex<AuditSeal> = { ...listBy<AuditSeal>(), proof: 'rows' }

export const auditSeals: Collection<AuditSeal> = {
  name: 'auditSeals',
  key: keyOf('number'),
  lists: [allSeals],
  row: {
    table: 'audit_seals',
    columns: {
      number: 'plain',
      position: 'plain',
      entryIds: 'texts',
      digests: 'texts',
      previousHash: 'plain',
      hash: 'plain',
      at: 'timestamp',
    },
  },
}

export function auditEntryReader(lookup: Lookup): AuditEntryReader {
  const find = (id: string) => lookup.get(auditEntries, [id])
  return {
    get: async (entryId) => recordOf(await find(entryId)),
    list: ({ sharePurchaseId, actorId, since, until, after, limit, isOldestFirst }) => {
      const start = after === undefined ? undefined : () => find(after)
      const range = { from: since, until, limit, isReversed: !isOldestFirst }
      if (sharePurchaseId !== undefined) {
        const matching =
          actorId === undefined
            ? undefined
            : ({ field: 'actorId', comparison: '=', value: actorId } as const)
        const lists = [[sharePurchaseId]]
        return listAfter(lookup, [auditEntries, byPurchase], start, { ...range, lists, matching })
      }
      const [index, values] = actorId === undefined ? [byTime, []] : [byOperator, [actorId]]
      return listAfter(lookup, [auditEntries, index], start, { ...range, lists: [values] })
    },
    listInOrder: ({ after, limit }) => {
      const start = after === undefined ? undefined : () => find(after)
      return listAfter(lookup, [auditEntries, log], start, { lists: [[]], limit })
    },
    count: () => lookup.count(auditEntries, byTime, { values: [] }),
  }
}

export function auditSealReader(lookup: Lookup): AuditSealReader {
  return {
    get: async (number) => recordOf(await lookup.get(auditSeals, [number])),
    last: async () => {
      const range = { values: [], isReversed: true, limit: 1 }
      return (await listRecords(lookup, auditSeals, allSeals, range))[0]
    },
    count: () => lookup.count(auditSeals, allSeals, { values: [] }),
  }
}
