// Investors of a partner, and their holdings.
import { type Holding, isListed } from '../../domain/holdings/holding.ts'
import type { StoredInvestor } from '../../domain/investors/investor.ts'
import type { HoldingReader, InvestorReader } from '../../ports/collections.ts'
import {
  byIdEnd,
  byIdPrefix,
  type Collection,
  drawnId,
  keyOf,
  type ListIndex,
  listBy,
  rankedBy,
  scopedKey,
  uniqueBy,
} from './collection.ts'
import type { Lookup } from './lookup.ts'
import {
  listAfter,
  listByPrefix,
  listRecords,
  readPage,
  recordOf,
  searchRecords,
} from './read-records.ts'

const byReference = uniqueBy<StoredInvestor>(
  { name: 'partnerCustomerRef', constraint: 'investors_ref' },
  'organizationId',
  'partnerCustomerRef',
)

const byInvestorId = uniqueBy<StoredInvestor>(
  { name: 'id', constraint: 'investors_id' },
  'investorId',
)

const byOrganization: ListIndex<StoredInvestor> = {
  ...listBy<StoredInvestor>('organizationId'),
  // A write that removes an organization asks whether it has an investor. If an investor is added meanwhile, references
  // prevent the removal.
  proof: 'rows',
}

const idPrefixes = byIdPrefix<StoredInvestor>('investorId')

const idEnds = byIdEnd<StoredInvestor>('investorId')

const byTime = { column: 'created_at', of: ({ createdAt }: StoredInvestor) => createdAt }

const allByTime = rankedBy(byTime)

const ofOrganizationByTime = rankedBy(byTime, 'organizationId')

const erased: ListIndex<StoredInvestor> = {
  columns: [],
  valuesOf: ({ erasedAt }) => (erasedAt === undefined ? undefined : []),
  rank: { column: 'erased_at', of: ({ erasedAt }) => erasedAt ?? '' },
  where: 't.erased_at is not null',
}

const withoutKey: ListIndex<StoredInvestor> = {
  columns: [],
  valuesOf: ({ sealedKey, erasedAt }) =>
    sealedKey === undefined && erasedAt === undefined ? [] : undefined,
  where: 't.sealed_key is null and t.erased_at is null',
  // Each of these investors gets a key independently of the others.
  proof: 'rows',
}

export const investors: Collection<StoredInvestor> = {
  name: 'investors',
  key: scopedKey('organizationId', 'investorId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId'],
  references: { organizationId: 'organizations' },
  unique: [byReference, byInvestorId],
  lists: [byOrganization, idPrefixes, idEnds, allByTime, ofOrganizationByTime, erased, withoutKey],
  terms: { column: 'search_terms', of: ({ searchTerms }) => searchTerms },
  row: {
    table: 'investors',
    columns: {
      organizationId: 'plain',
      investorId: 'plain',
      partnerCustomerRef: 'plain',
      sealedPersonalData: 'plain',
      sealedKey: 'plain',
      searchTerms: 'texts',
      fate: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
      erasedAt: 'timestamp',
      erasedBecause: 'plain',
    },
    optional: ['fate', 'sealedKey', 'searchTerms', 'erasedAt', 'erasedBecause'],
  },
  audit: {
    idsOf: ({ investorId, organizationId }) => ({ investorId, organizationId }),
    fieldsOf: ({ updatedAt, erasedAt = null }) => ({ updatedAt, erasedAt }),
  },
}

const byHoldingId = drawnId<Holding>('id', 'holdings_id')

const listedByInvestor: ListIndex<Holding> = {
  columns: ['organization_id', 'investor_id'],
  valuesOf: (holding) =>
    isListed(holding) ? [holding.organizationId, holding.investorId] : undefined,
  where: 't.shares + t.pending_shares > 0',
}

/** A holding for each investor and cooperative. Every order that is placed, ended or settled changes its holding. */
export const holdings: Collection<Holding> = {
  name: 'holdings',
  key: keyOf('organizationId', 'investorId', 'cooperativeId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'investorId', 'cooperativeId'],
  references: { investorId: 'investors', cooperativeId: 'cooperatives' },
  unique: [byHoldingId],
  identity: { name: 'cooperativeId', of: ({ id }) => id },
  lists: [listedByInvestor],
  row: {
    table: 'holdings',
    columns: {
      organizationId: 'plain',
      investorId: 'plain',
      cooperativeId: 'plain',
      id: 'plain',
      shares: 'plain',
      pendingShares: 'plain',
      firstAcquiredAt: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
}

export function investorReader(lookup: Lookup): InvestorReader {
  const find = (investorId: string) => lookup.find(investors, byInvestorId, [investorId])
  return {
    get: async (organizationId, investorId) =>
      recordOf(await lookup.get(investors, [organizationId, investorId])),
    find: async (investorId) => recordOf(await find(investorId)),
    search: (terms, limit) => searchRecords(lookup, investors, { terms, limit }),
    listByIdPrefix: (prefix, limit) =>
      listByPrefix(lookup, [investors, idPrefixes], { prefix, limit }),
    listByIdEnd: (end, limit) => listByPrefix(lookup, [investors, idEnds], { prefix: end, limit }),
    list: ({ organizationId, since: from, until, isOldestFirst, after, limit }) => {
      const index = organizationId === undefined ? allByTime : ofOrganizationByTime
      const values = organizationId === undefined ? [] : [organizationId]
      const start = after === undefined ? undefined : () => find(after)
      const range = { lists: [values], from, until, isReversed: !isOldestFirst, limit }
      return listAfter(lookup, [investors, index], start, range)
    },
    listErased: ({ after, limit }) => {
      const start = after === undefined ? undefined : () => find(after)
      return listAfter(lookup, [investors, erased], start, { lists: [[]], isReversed: true, limit })
    },
    listWithoutKey: (limit) => listRecords(lookup, investors, withoutKey, { values: [], limit }),
    findByPartnerCustomerRef: async (organizationId, reference) =>
      recordOf(await lookup.find(investors, byReference, [organizationId, reference])),
    listByOrganization: (organizationId, { after, limit } = {}) =>
      listAfter(
        lookup,
        [investors, byOrganization],
        after === undefined ? undefined : () => lookup.get(investors, [organizationId, after]),
        { lists: [[organizationId]], limit },
      ),
  }
}

export function holdingReader(lookup: Lookup): HoldingReader {
  return {
    find: async (organizationId, investorId, cooperativeId) =>
      recordOf(await lookup.get(holdings, [organizationId, investorId, cooperativeId])),
    pageByInvestor: (organizationId, investorId, page) =>
      readPage(
        lookup,
        [holdings, listedByInvestor],
        { values: [organizationId, investorId] },
        page,
      ),
  }
}
