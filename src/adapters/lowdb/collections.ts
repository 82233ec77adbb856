import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { ImageKind } from '../../domain/cooperatives/image.ts'
import { countsAs } from '../../domain/holdings/change-holding.ts'
import { type Holding, isListed } from '../../domain/holdings/holding.ts'
import type { StoredInvestor } from '../../domain/investors/investor.ts'
import { foldName, type Organization } from '../../domain/organizations/organization.ts'
import {
  foldMandateReference,
  issueMandateReference,
} from '../../domain/share-purchases/mandate-reference.ts'
import type {
  IdempotencyRecord,
  SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import type { CollectionName, StoredRecords } from '../../ports/store-copy.ts'
import { Collection, type GroupIndex, type Schema, type UniqueIndex } from './collection.ts'
import { joinKey } from './join-key.ts'
import { deliverySchema, eventSchema, webhookEndpointSchema } from './webhook-collections.ts'

export type Collections = { readonly [Name in CollectionName]: Collection<StoredRecords[Name]> }

export const settingsKey = 'settings'

export function imageKey(ownerId: string, kind: ImageKind): string {
  return joinKey(ownerId, kind)
}

export const organizationByName: UniqueIndex<Organization> = {
  name: 'name',
  valueOf: (organization) => foldName(organization.name),
}

export const cooperativeByKey: UniqueIndex<Cooperative> = {
  name: 'key',
  valueOf: (cooperative) => cooperative.key,
}

export const investorByRef: UniqueIndex<StoredInvestor> = {
  name: 'partnerCustomerRef',
  valueOf: (investor) => joinKey(investor.organizationId, investor.partnerCustomerRef),
}

export const investorsByOrganization: GroupIndex<StoredInvestor> = {
  valueOf: (investor) => investor.organizationId,
}

export const everything = ''

/** To be read from any place on. */
export const allSharePurchases: GroupIndex<SharePurchase> = { valueOf: () => everything }

export const sharePurchasesByInvestor: GroupIndex<SharePurchase> = {
  valueOf: (purchase) => joinKey(purchase.organizationId, purchase.investorId),
}

export const sharePurchasesByOrganization: GroupIndex<SharePurchase> = {
  valueOf: (purchase) => purchase.organizationId,
}

export const sharePurchasesByStatus: GroupIndex<SharePurchase> = {
  valueOf: (purchase) => purchase.status,
}

export const sharePurchasesByOrganizationAndStatus: GroupIndex<SharePurchase> = {
  valueOf: (purchase) => joinKey(purchase.organizationId, purchase.status),
}

/** Only references that partners chose: the others tell which order they are of. */
export const sharePurchasesByMandate: GroupIndex<SharePurchase> = {
  valueOf: ({ organizationId, sharePurchaseId, sepaMandate: { reference } }) =>
    reference === issueMandateReference(sharePurchaseId)
      ? undefined
      : joinKey(organizationId, foldMandateReference(reference)),
}

export const pendingSharePurchases: GroupIndex<SharePurchase> = {
  valueOf: (purchase) =>
    countsAs[purchase.status] === 'pendingShares'
      ? joinKey(purchase.organizationId, purchase.investorId, purchase.cooperativeId)
      : undefined,
}

export const holdingByCooperative: UniqueIndex<Holding> = {
  name: 'cooperativeId',
  valueOf: (holding) => joinKey(holding.organizationId, holding.investorId, holding.cooperativeId),
}

export const listedHoldingsByInvestor: GroupIndex<Holding> = {
  valueOf: (holding) =>
    isListed(holding) ? joinKey(holding.organizationId, holding.investorId) : undefined,
}

/** Ids of organizations and of clients are never the same. */
export function idempotencyKeyOf(
  record: Pick<IdempotencyRecord, 'organizationId' | 'clientId' | 'key'>,
): string {
  return joinKey(record.clientId ?? record.organizationId, record.key)
}

export const idempotencyRecordsByExpiry: GroupIndex<IdempotencyRecord> = {
  valueOf: () => everything,
  rankOf: (record) => record.expiresAt,
}

const schemas: { readonly [Name in CollectionName]: Schema<StoredRecords[Name]> } = {
  settings: { keyOf: () => settingsKey },
  organizations: { keyOf: (record) => record.organizationId, unique: [organizationByName] },
  clients: { keyOf: (record) => record.clientId, ownerOf: (record) => record.organizationId },
  signingKeys: { keyOf: (record) => record.kid },
  cooperatives: { keyOf: (record) => record.id, unique: [cooperativeByKey] },
  images: { keyOf: (record) => imageKey(record.ownerId, record.kind) },
  investors: {
    keyOf: (record) => record.investorId,
    ownerOf: (record) => record.organizationId,
    sharedFields: ['organizationId'],
    unique: [investorByRef],
    groups: [investorsByOrganization],
  },
  sharePurchases: {
    keyOf: (record) => record.sharePurchaseId,
    ownerOf: (record) => record.organizationId,
    sharedFields: ['organizationId', 'investorId', 'cooperativeId'],
    groups: [
      allSharePurchases,
      sharePurchasesByInvestor,
      sharePurchasesByOrganization,
      sharePurchasesByStatus,
      sharePurchasesByOrganizationAndStatus,
      pendingSharePurchases,
      sharePurchasesByMandate,
    ],
  },
  holdings: {
    keyOf: (record) => record.id,
    ownerOf: (record) => record.organizationId,
    sharedFields: ['organizationId', 'investorId', 'cooperativeId'],
    unique: [holdingByCooperative],
    groups: [listedHoldingsByInvestor],
  },
  idempotencyRecords: {
    keyOf: idempotencyKeyOf,
    sharedFields: ['clientId', 'organizationId'],
    groups: [idempotencyRecordsByExpiry],
  },
  webhookEndpoints: webhookEndpointSchema,
  events: eventSchema,
  deliveries: deliverySchema,
}

export function createCollections(): Collections {
  return {
    settings: new Collection('settings', schemas.settings),
    organizations: new Collection('organizations', schemas.organizations),
    clients: new Collection('clients', schemas.clients),
    signingKeys: new Collection('signingKeys', schemas.signingKeys),
    cooperatives: new Collection('cooperatives', schemas.cooperatives),
    images: new Collection('images', schemas.images),
    investors: new Collection('investors', schemas.investors),
    sharePurchases: new Collection('sharePurchases', schemas.sharePurchases),
    holdings: new Collection('holdings', schemas.holdings),
    idempotencyRecords: new Collection('idempotencyRecords', schemas.idempotencyRecords),
    webhookEndpoints: new Collection('webhookEndpoints', schemas.webhookEndpoints),
    events: new Collection('events', schemas.events),
    deliveries: new Collection('deliveries', schemas.deliveries),
  }
}
