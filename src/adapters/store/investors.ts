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
import { CollectionReader } from './read-records.ts'

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

export const investors: Collection<StoredInvestor> = {
  name: 'investors',
  key: scopedKey('organizationId', 'investorId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId'],
  references: { organizationId: 'organizations' },
  unique: [byReference, byInvestorId],
  lists: [byOrganization, idPrefixes, idEnds, allByTime, ofOrganizationByTime, erased],
  terms: { column: 'search_terms', of: ({ searchTerms }) => searchTerms },
  row: {
    table: 'investors',
    columns: {
      organizationId: 'plain',
      investorId: 'plain',
      partnerCustomerRef: 'plain',
      encryptedPersonalData: 'plain',
      encryptedKey: 'plain',
      searchTerms: 'texts',
      fate: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
      erasedAt: 'timestamp',
      erasedBecause: 'plain',
      erasedAlthoughMember: 'plain',
    },
    optional: ['fate', 'encryptedKey', 'erasedAt', 'erasedBecause', 'erasedAlthoughMember'],
  },
  audit: {
    idsOf: ({ investorId, organizationId }) => ({ investorId, organizationId }),
    fieldsOf: ({ updatedAt, erasedAt = null, erasedAlthoughMember }) => ({
      updatedAt,
      erasedAt,
      ...(erasedAlthoughMember && { erasedAlthoughMember }),
    }),
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
      returnedPayments: 'plain',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    optional: ['returnedPayments'],
  },
}

export function investorReader(lookup: Lookup): InvestorReader {
  const reader = new CollectionReader(lookup, investors)
  const findById = (investorId: string) => lookup.find(investors, byInvestorId, [investorId])
  return {
    get: (organizationId, investorId) => reader.get(organizationId, investorId),
    find: (investorId) => reader.find(byInvestorId, investorId),
    search: (terms, limit) => reader.search(terms, limit),
    listByIdPrefix: (prefix, limit) => reader.listByPrefix(idPrefixes, prefix, limit),
    listByIdEnd: (end, limit) => reader.listByPrefix(idEnds, end, limit),
    list: ({ organizationId, since: from, until, isOldestFirst, after, limit }) => {
      const index = organizationId === undefined ? allByTime : ofOrganizationByTime
      const lists = [organizationId === undefined ? [] : [organizationId]]
      const range = { lists, after, from, until, isReversed: !isOldestFirst, limit }
      return reader.listAfter(index, findById, range)
    },
    listErased: (page) =>
      reader.listAfter(erased, findById, { lists: [[]], isReversed: true, ...page }),
    findByPartnerCustomerRef: (organizationId, reference) =>
      reader.find(byReference, organizationId, reference),
    listByOrganization: (organizationId, page) => {
      const find = (investorId: string) => lookup.get(investors, [organizationId, investorId])
      return reader.listAfter(byOrganization, find, { lists: [[organizationId]], ...page })
    },
  }
}

export function holdingReader(lookup: Lookup): HoldingReader {
  const reader = new CollectionReader(lookup, holdings)
  return {
    find: (organizationId, investorId, cooperativeId) =>
      reader.get(organizationId, investorId, cooperativeId),
    pageByInvestor: (organizationId, investorId, page) =>
      reader.page(listedByInvestor, { values: [organizationId, investorId] }, page),
  }
}
