// The audit: who did what, and the seals that form its chain.
import { type AuditEntry, type AuditSeal, actorKinds } from '../../domain/audit/audit-entry.ts'
import type {
  AuditEntryFilter,
  AuditEntryReader,
  AuditSealReader,
} from '../../ports/collections.ts'
import { type Collection, type Key, keyOf, type ListIndex, listBy, rankedBy } from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'

const rank = { column: 'at', of: ({ at }: AuditEntry) => at }

// A work that puts entries reads none, and seals are proven by their numbers.
const proof = 'none'

/** The order of the seals. */
const log: ListIndex<AuditEntry> = { ...listBy<AuditEntry>(), isLog: true, proof }

function listOfSome(
  isIn: (entry: AuditEntry) => boolean,
  where: string,
  ...fields: readonly (keyof AuditEntry)[]
): ListIndex<AuditEntry> {
  const all = rankedBy<AuditEntry>(rank, ...fields)
  const valuesOf = (entry: AuditEntry) => (isIn(entry) ? all.valuesOf(entry) : undefined)
  return { ...all, valuesOf, where: `t.${where}`, proof }
}

const byPurchase = listOfSome(
  ({ sharePurchaseId }) => sharePurchaseId !== null,
  'share_purchase_id is not null',
  'sharePurchaseId',
)
const byOperator = listOfSome(
  ({ actorKind }) => actorKind === 'operator',
  "actor_kind = 'operator'",
  'actorId',
)
/** Entries of any kind are merged. */
const byKind: ListIndex<AuditEntry> = { ...rankedBy<AuditEntry>(rank, 'actorKind'), proof }
const refusals = listOfSome(({ outcome }) => outcome === 'refused', "outcome = 'refused'")

export const auditEntries: Collection<AuditEntry> = {
  name: 'auditEntries',
  key: keyOf('entryId'),
  sharedFields: ['actorKind', 'actorId', 'actorName', 'actorRole', 'via', 'operation', 'outcome'],
  lists: [log, byPurchase, byOperator, byKind, refusals],
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

// A write also proves that there is no seal with the next number.
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
  const reader = new CollectionReader(lookup, auditEntries)
  const findById = (id: string) => lookup.get(auditEntries, [id])
  return {
    get: (entryId) => reader.get(entryId),
    list: ({ since: from, until, after, limit, isOldestFirst, ...filter }) => {
      const [index, lists] = listsOf(filter)
      const matching = (['actorId', 'actorKind', 'outcome'] as const).flatMap((field) => {
        const value = filter[field]
        return value === undefined ? [] : [{ field, comparison: '=' as const, value }]
      })
      const range = { lists, after, from, until, limit, isReversed: !isOldestFirst, matching }
      return reader.listAfter(index, findById, range)
    },
    listInOrder: (page) => reader.listAfter(log, findById, { lists: [[]], ...page }),
    count: () => reader.countLists(byKind, { lists: allKinds }),
    async countUpTo(entryId) {
      const after = await findById(entryId)
      const before = { values: [], after, isReversed: true, withHidden: true }
      return after ? (await reader.count(log, before)) + 1 : 0
    },
  }
}

const allKinds = actorKinds.map((kind) => [kind])

/** The shortest lists that contain all entries of a filter. */
function listsOf(filter: AuditEntryFilter): [ListIndex<AuditEntry>, readonly Key[]] {
  const { sharePurchaseId, actorId, actorKind, outcome } = filter
  if (sharePurchaseId !== undefined) return [byPurchase, [[sharePurchaseId]]]
  if (outcome !== undefined) return [refusals, [[]]]
  if (actorId !== undefined) return [byOperator, [[actorId]]]
  return [byKind, actorKind === undefined ? allKinds : [[actorKind]]]
}

export function auditSealReader(lookup: Lookup): AuditSealReader {
  const reader = new CollectionReader(lookup, auditSeals)
  return {
    get: (number) => reader.get(number),
    last: () => reader.first(allSeals, { values: [], isReversed: true }),
    count: () => reader.count(allSeals, { values: [] }),
  }
}
