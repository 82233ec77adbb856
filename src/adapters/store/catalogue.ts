// Cooperatives and their images.
import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Image } from '../../domain/cooperatives/image.ts'
import type { CooperativeReader, ImageReader } from '../../ports/collections.ts'
import { type Collection, keyOf, listBy, uniqueBy } from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'

const byKey = uniqueBy<Cooperative>({ name: 'key', constraint: 'cooperatives_key' }, 'key')

const all = listBy<Cooperative>()

interface Place {
  readonly latitude: number | null
  readonly longitude: number | null
}

export const cooperatives: Collection<Cooperative> = {
  name: 'cooperatives',
  isCached: true,
  key: keyOf('id'),
  unique: [byKey],
  lists: [all],
  row: {
    table: 'cooperatives',
    columns: {
      id: 'plain',
      key: 'plain',
      published: 'plain',
      name: 'plain',
      description: 'plain',
      city: 'plain',
      postalCode: 'plain',
      websiteUrl: 'plain',
      energyCategory: 'plain',
      energyType: 'plain',
      sharePrice: 'amount',
      shareValue: 'amount',
      entryFee: 'amount',
      minimumShares: 'plain',
      dividendType: 'plain',
      dividendRatePercent: 'plain',
      bafaFunded: 'plain',
      affiliation: 'plain',
      projects: 'json',
      hasHeroImage: 'plain',
      hasCardImage: 'plain',
      hasLogoImage: 'plain',
      creditor: 'json',
      priceHistory: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    optional: ['creditor'],
    apart: { latitude: 'plain', longitude: 'plain' },
    flatten: ({ coordinates, ...cooperative }) => ({
      ...cooperative,
      latitude: coordinates?.latitude ?? null,
      longitude: coordinates?.longitude ?? null,
    }),
    build: (fields: Omit<Cooperative, 'coordinates'>, { latitude, longitude }: Place) => ({
      ...fields,
      coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
    }),
  },
  audit: {
    idsOf: ({ id }) => ({ cooperativeId: id }),
    fieldsOf: ({
      id: _id,
      description: _text,
      coordinates: _place,
      priceHistory: _history,
      projects,
      creditor,
      ...fields
    }) => ({
      ...fields,
      projects: projects.length,
      // The audit contains no IBAN.
      ...(creditor && { creditor: creditor.creditorId }),
    }),
  },
}

export const images: Collection<Image> = {
  name: 'images',
  key: keyOf('ownerId', 'kind'),
  row: {
    table: 'images',
    columns: {
      ownerId: 'plain',
      kind: 'plain',
      contentType: 'plain',
      etag: 'plain',
    },
    apart: { content: 'base64' },
    flatten: ({ base64: content, ...image }) => ({ ...image, content }),
    build: (fields: Omit<Image, 'base64'>, { content }: { readonly content: string }) => ({
      ...fields,
      base64: content,
    }),
  },
  audit: {
    idsOf: ({ ownerId }) => ({ ownerId }),
    fieldsOf: ({ kind, etag }) => ({ kind, etag }),
  },
}

export function cooperativeReader(lookup: Lookup): CooperativeReader {
  const reader = new CollectionReader(lookup, cooperatives)
  return {
    get: (id) => reader.get(id),
    findByKey: (key) => reader.find(byKey, key),
    list: () => reader.list(all, { values: [] }),
    version: () => lookup.version(cooperatives),
  }
}

export function imageReader(lookup: Lookup): ImageReader {
  const reader = new CollectionReader(lookup, images)
  return { get: (ownerId, kind) => reader.get(ownerId, kind) }
}
