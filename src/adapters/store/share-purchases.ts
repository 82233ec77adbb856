// Orders.
import type { Consent } from '../../domain/investors/profile.ts'
import { addMoney, zeroMoney } from '../../domain/money.ts'
import {
  canBeDependedOn,
  dependsOnOthers,
  isPending,
  maximumDependencies,
} from '../../domain/share-purchases/dependencies.ts'
import { endedStatuses, usesMandate } from '../../domain/share-purchases/mandate-lapse.ts'
import {
  deriveMandateReference,
  foldMandateReference,
  type OrderSum,
  type SharePurchase,
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import { nextInstant, type Timestamp } from '../../domain/timestamp.ts'
import type { SharePurchaseFilter, SharePurchaseReader } from '../../ports/collections.ts'
import {
  byIdEnd,
  byIdPrefix,
  type Collection,
  drawnId,
  type Key,
  type ListIndex,
  listBy,
  quoted,
  rankedBy,
  scopedKey,
  type Tally,
} from './collection.ts'
import { holdings } from './investors.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader, countEach } from './read-records.ts'

const byId = drawnId<SharePurchase>('sharePurchaseId', 'share_purchases_id')

const rank = { column: 'created_at', of: ({ createdAt }: SharePurchase) => createdAt }

const byInvestor: ListIndex<SharePurchase> = {
  ...listBy<SharePurchase>('organizationId', 'investorId'),
  // Every new order changes a holding, and the write that erases an investor reads the holding of each cooperative.
  proof: 'rows',
}

const idPrefixes = byIdPrefix<SharePurchase>('sharePurchaseId')

const idEnds = byIdEnd<SharePurchase>('sharePurchaseId')

const proposed: ListIndex<SharePurchase> = {
  ...rankedBy(rank),
  valuesOf: ({ proposal }) => (proposal ? [] : undefined),
  where: 't.proposal is not null',
}

/** A settled order never changes again. */
const settlement = {
  column: 'updated_at',
  of: ({ updatedAt }: SharePurchase) => updatedAt,
}

function settledBy(
  ...fields: readonly ('organizationId' | 'cooperativeId')[]
): ListIndex<SharePurchase> {
  const all = rankedBy<SharePurchase>(settlement, ...fields)
  return {
    ...all,
    valuesOf: (order) => (order.status === 'settled' ? all.valuesOf(order) : undefined),
    where: "t.status = 'settled'",
  }
}

const settled = settledBy()

const settledByOrganization = settledBy('organizationId')

const settledByCooperative = settledBy('cooperativeId')

const settledByBoth = settledBy('organizationId', 'cooperativeId')

// Lists of any status are merged.
const byStatus = rankedBy(rank, 'status')

const byOrganizationAndStatus = rankedBy(rank, 'organizationId', 'status')

const byCooperativeAndStatus = rankedBy(rank, 'cooperativeId', 'status')

const byBothAndStatus = rankedBy(rank, 'organizationId', 'cooperativeId', 'status')

/**
 * Lists of pending orders of a position. An order that joins or leaves a list also changes the
 * holding, which proves the list.
 */
const pendingOfPosition = {
  columns: ['organization_id', 'investor_id', 'cooperative_id'],
  proof: { collection: () => holdings, keyOf: (position: Key) => position },
}
const ofPending = `t.status in (${quoted(sharePurchaseStatuses.filter(isPending))})`

/** The list is short, because most orders of a position depend on its first one. */
const possibleDependencies: ListIndex<SharePurchase> = {
  ...pendingOfPosition,
  valuesOf: (order) => (canBeDependedOn(order) ? positionOf(order) : undefined),
  where: `${ofPending} and (t.rests_on is null or cardinality(t.rests_on) = 0 or t.entry_fee > 0)`,
}

/** Contains at most `maximumDependents` orders, if all of them were placed under the rules. */
const dependents: ListIndex<SharePurchase> = {
  ...pendingOfPosition,
  valuesOf: (order) => (dependsOnOthers(order) ? positionOf(order) : undefined),
  where: `${ofPending} and cardinality(t.rests_on) > 0`,
}

/** Only references that partners chose. Issued references contain the id of their order. */
const byMandate: ListIndex<SharePurchase> = {
  columns: ['organization_id', 'lower(t.mandate_reference collate "C")'],
  valuesOf: ({ organizationId, sharePurchaseId, sepaMandate: { reference } }) =>
    reference === deriveMandateReference(sharePurchaseId)
      ? undefined
      : [organizationId, foldMandateReference(reference)],
  where: "t.mandate_reference <> upper(replace(t.share_purchase_id, '-', ''))",
  // If two orders both find no reference, the database refuses one of them (share_purchases_first_of_reference).
  proof: 'rows',
}

/** The uses of references that partners chose, by their time, which fixture files also take from the past. */
const mandateUses: ListIndex<SharePurchase> = {
  ...byMandate,
  valuesOf: (order) => (usesMandate(order) ? byMandate.valuesOf(order) : undefined),
  rank,
  where: `${byMandate.where} and (t.status not in (${quoted(endedStatuses)}) or t.transitions @> '[{"to": "approved"}]')`,
}

const byFate: ListIndex<SharePurchase> = {
  columns: [],
  valuesOf: ({ fateDueAt }) => (fateDueAt === undefined ? undefined : []),
  rank: { column: 'fate_due_at', of: ({ fateDueAt }) => fateDueAt ?? '' },
  where: 't.fate_due_at is not null',
}

const placedByDay: Tally<SharePurchase> = {
  name: 'placed',
  period: 'day',
  of: ({ status, createdAt, total }) => ({ part: status, at: createdAt, amount: total }),
}

/** A settled order never changes again. */
const settledByDay: Tally<SharePurchase> = {
  name: 'settled',
  period: 'day',
  of: ({ status, updatedAt, total }) =>
    status === 'settled' ? { part: status, at: updatedAt, amount: total } : undefined,
}

export const sharePurchases: Collection<SharePurchase> = {
  name: 'sharePurchases',
  key: scopedKey('organizationId', 'sharePurchaseId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'investorId', 'cooperativeId'],
  references: { investorId: 'investors', cooperativeId: 'cooperatives' },
  unique: [byId],
  lists: [
    byInvestor,
    byStatus,
    byOrganizationAndStatus,
    byCooperativeAndStatus,
    byBothAndStatus,
    possibleDependencies,
    dependents,
    byMandate,
    mandateUses,
    byFate,
    idPrefixes,
    idEnds,
    proposed,
    settled,
    settledByOrganization,
    settledByCooperative,
    settledByBoth,
  ],
  tallies: [placedByDay, settledByDay],
  terms: { column: 'search_terms', of: ({ searchTerms }) => searchTerms },
  row: {
    table: 'share_purchases',
    columns: {
      organizationId: 'plain',
      sharePurchaseId: 'plain',
      investorId: 'plain',
      cooperativeId: 'plain',
      status: 'plain',
      shareCount: 'plain',
      applicantType: 'plain',
      pricePerShare: 'amount',
      entryFee: 'amount',
      total: 'amount',
      currency: 'plain',
      reason: 'plain',
      restsOn: 'texts',
      searchTerms: 'texts',
      fate: 'json',
      fateDueAt: 'timestamp',
      holdsUpFate: 'plain',
      proposal: 'json',
      transitions: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    optional: ['restsOn', 'fate', 'fateDueAt', 'holdsUpFate', 'proposal'],
    apart: {
      mandateReference: 'plain',
      isFirstOfReference: 'plain',
      mandateSignedAt: 'timestamp',
      encryptedDebtorIban: 'plain',
      debtorIbanMasked: 'plain',
      termsGivenAt: 'timestamp',
      privacyGivenAt: 'timestamp',
      statuteGivenAt: 'timestamp',
    },
    flatten,
    build,
  },
  audit: {
    idsOf: ({ sharePurchaseId, organizationId, investorId, cooperativeId }) => ({
      sharePurchaseId,
      organizationId,
      investorId,
      cooperativeId,
    }),
    fieldsOf: ({ status, shareCount, total, currency, proposal }) => ({
      status,
      shareCount,
      total,
      currency,
      proposal: proposal?.to ?? null,
    }),
  },
}

/** Adds the columns to a shallow copy. Removing the nested fields would need another copy. */
function flatten(sharePurchase: SharePurchase) {
  const { sepaMandate, consents } = sharePurchase
  return {
    mandateReference: sepaMandate.reference,
    ...sharePurchase,
    isFirstOfReference: sepaMandate.isFirstOfReference ?? null,
    mandateSignedAt: sepaMandate.signedAt,
    encryptedDebtorIban: sepaMandate.encryptedDebtorIban,
    debtorIbanMasked: sepaMandate.debtorIbanMasked,
    termsGivenAt: consents.terms.givenAt,
    privacyGivenAt: consents.privacy.givenAt,
    statuteGivenAt: consents.statute.givenAt,
  }
}

type Nested = Omit<ReturnType<typeof flatten>, keyof SharePurchase>

function build(
  fields: Omit<SharePurchase, 'sepaMandate' | 'consents'>,
  nested: Nested,
): SharePurchase {
  const { mandateReference, mandateSignedAt, encryptedDebtorIban, debtorIbanMasked } = nested
  const { termsGivenAt, privacyGivenAt, statuteGivenAt, isFirstOfReference } = nested
  return {
    sepaMandate: {
      reference: mandateReference,
      ...(isFirstOfReference && { isFirstOfReference }),
      signedAt: mandateSignedAt,
      encryptedDebtorIban,
      debtorIbanMasked,
    },
    consents: {
      terms: consentOf(termsGivenAt),
      privacy: consentOf(privacyGivenAt),
      statute: consentOf(statuteGivenAt),
    },
    ...fields,
  }
}

function consentOf(givenAt: Timestamp | null): Consent {
  return givenAt === null ? { given: false, givenAt } : { given: true, givenAt }
}

type Position = Pick<SharePurchase, 'organizationId' | 'investorId' | 'cooperativeId'>

function positionOf({ organizationId, investorId, cooperativeId }: Position): Key {
  return [organizationId, investorId, cooperativeId]
}

export function sharePurchaseReader(lookup: Lookup): SharePurchaseReader {
  const reader = new CollectionReader(lookup, sharePurchases)
  return {
    get: (organizationId, id) => reader.get(organizationId, id),
    find: (id) => reader.find(byId, id),
    search: (terms, limit) => reader.search(terms, limit),
    listByIdPrefix: (prefix, limit) => reader.listByPrefix(idPrefixes, prefix, limit),
    listByIdEnd: (end, limit) => reader.listByPrefix(idEnds, end, limit),
    pageByInvestor: (organizationId, investorId, page) =>
      reader.page(byInvestor, { values: [organizationId, investorId], isReversed: true }, page),
    findByMandateReference: (organizationId, reference) =>
      reader.first(byMandate, { values: [organizationId, foldMandateReference(reference)] }),
    findLastUseOfMandate: (organizationId, reference) =>
      reader.first(mandateUses, {
        values: [organizationId, foldMandateReference(reference)],
        isReversed: true,
      }),
    listOldestPossibleDependencies: (position) =>
      reader.list(possibleDependencies, {
        values: positionOf(position),
        limit: maximumDependencies,
      }),
    listPendingDependents: (position, part) =>
      reader.list(dependents, { values: positionOf(position), ...part }),
    list: (filter) => {
      const { after, since: from, until, isNewestFirst: isReversed, limit } = filter
      const [index, lists] = listsOf(filter)
      const find = (id: string) => lookup.find(sharePurchases, byId, [id])
      return reader.listAfter(index, find, { lists, after, from, until, isReversed, limit })
    },
    listByInvestors: async (organizationId, investorIds) => {
      const lists = investorIds.map((investorId) =>
        reader.list(byInvestor, { values: [organizationId, investorId] }),
      )
      return (await Promise.all(lists)).flat()
    },
    listByFate: ({ until, limit }) =>
      reader.list(byFate, { values: [], until: until && nextInstant(until), limit }),
    countByStatus: (limit, filter = {}) =>
      countEach<SharePurchaseStatus>(sharePurchaseStatuses, async (status) => {
        if (filter.among === 'settled' && status !== 'settled') return 0
        const [index, lists] = listsOf({ ...filter, status })
        const { since: from, until } = filter
        return reader.countLists(index, { lists, from, until, limit })
      }),
    countBefore: async (before, filter) => {
      const after = await lookup.find(sharePurchases, byId, [before])
      const { since: from, until, isNewestFirst, limit } = filter
      const [index, lists] = listsOf(filter)
      // What comes before it in this direction comes after it in the other one.
      const isReversed = !isNewestFirst
      return reader.countLists(index, { lists, after, from, until, isReversed, limit })
    },
    sumByStatus: async () => {
      const found = await lookup.tally(sharePurchases, placedByDay, {
        parts: sharePurchaseStatuses,
      })
      const none = { count: 0, total: zeroMoney }
      const sums = new Map(
        found.map(({ part, count, amount }) => [part, { count, total: amount }] as const),
      )
      return Object.fromEntries(
        sharePurchaseStatuses.map((status) => [status, sums.get(status) ?? none]),
      ) as Record<SharePurchaseStatus, OrderSum>
    },
    sumByDay: async (when, periods) => {
      const tally = when === 'placed' ? placedByDay : settledByDay
      const range = { parts: sharePurchaseStatuses, periods }
      const days = new Map<string, OrderSum>()
      for (const { period, count, amount } of await lookup.tally(sharePurchases, tally, range)) {
        const sum = days.get(period)
        days.set(period, {
          count: count + (sum?.count ?? 0),
          total: addMoney(amount, sum?.total ?? zeroMoney),
        })
      }
      return days
    },
  }
}

/** The lists of one index that together contain what the filter selects. */
function listsOf(filter: SharePurchaseFilter): [ListIndex<SharePurchase>, readonly Key[]] {
  const { organizationId, cooperativeId, status, among } = filter
  if (among === 'proposed') return [proposed, [[]]]
  const selected = [organizationId ?? [], cooperativeId ?? []].flat()
  const [ofAll, ofOrganization, ofCooperative, ofBoth] =
    among === 'settled'
      ? [settled, settledByOrganization, settledByCooperative, settledByBoth]
      : [byStatus, byOrganizationAndStatus, byCooperativeAndStatus, byBothAndStatus]
  const [withoutOrganization, withOrganization] =
    cooperativeId === undefined ? [ofAll, ofOrganization] : [ofCooperative, ofBoth]
  const index = organizationId === undefined ? withoutOrganization : withOrganization
  if (among === 'settled') return [index, [selected]]
  const statuses = status ? [status] : sharePurchaseStatuses
  return [index, statuses.map((one) => [...selected, one])]
}
