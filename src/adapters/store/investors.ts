// Investors of a partner, and their holdings.
import { type Holding, isListed } from '../../domain/holdings/holding.ts'
import type { StoredInvestor } from '../../domain/investors/investor.ts'
import type { Fate } from '../../domain/share-purchases/share-purchase.ts'
import type { HoldingReader, InvestorReader } from '../../ports/collections.ts'
import {
  type Collection,
  drawnId,
  keyOf,
  type ListIndex,
  listBy,
  scopedKey,
  uniqueBy,
} from './collection.ts'
import type { Lookup } from './lookup.ts'
import { listAfter, readPage, recordOf } from './read.ts'

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
  // A write only asks whether there is anyone, before it removes the organization, and references keep it if there is.
  proof: 'rows',
}

type InvestorRow = Omit<StoredInvestor, 'fate'> & { readonly fate: Fate | null }

export const investors: Collection<StoredInvestor> = {
  name: 'investors',
  key: scopedKey('organizationId', 'investorId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId'],
  references: { organizationId: 'organizations' },
  unique: [byReference, byInvestorId],
  lists: [byOrganization],
  row: {
    table: 'investors',
    columns: {
      organizationId: 'plain',
      investorId: 'plain',
      partnerCustomerRef: 'plain',
      sealedPersonalData: 'plain',
      fate: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    flatten: (investor) => ({ ...investor, fate: investor.fate ?? null }),
    // Left out, as a directory leaves it out: a copy has to be the same.
    build: ({ fate, ...investor }: InvestorRow) => ({ ...investor, ...(fate && { fate }) }),
  },
}

const byHoldingId = drawnId<Holding>('id', 'holdings_id')

const listedByInvestor: ListIndex<Holding> = {
  columns: ['organization_id', 'investor_id'],
  valuesOf: (holding) =>
    isListed(holding) ? [holding.organizationId, holding.investorId] : undefined,
  where: 't.shares + t.pending_shares > 0',
}

/** One for each investor and cooperative. Every order that is placed, ended or settled changes its holding. */
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

export function readInvestors(lookup: Lookup): InvestorReader {
  return {
    get: async (organizationId, investorId) =>
      recordOf(await lookup.get(investors, [organizationId, investorId])),
    findByPartnerCustomerRef: async (organizationId, reference) =>
      recordOf(await lookup.find(investors, byReference, [organizationId, reference])),
    listByOrganization: (organizationId, { after, limit } = {}) =>
      listAfter(
        lookup,
        [investors, byOrganization],
        after === undefined ? undefined : () => lookup.get(investors, [organizationId, after]),
        { values: [organizationId], limit },
      ),
  }
}

export function readHoldings(lookup: Lookup): HoldingReader {
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
