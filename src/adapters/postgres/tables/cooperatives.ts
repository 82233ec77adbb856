import type { Cooperative } from '../../../domain/cooperatives/cooperative.ts'
import type { Image } from '../../../domain/cooperatives/image.ts'
import { Table } from '../table.ts'

type CooperativeRow = Omit<Cooperative, 'coordinates'> & {
  readonly latitude: number | null
  readonly longitude: number | null
}

export const cooperativeTable = new Table<Cooperative, CooperativeRow>({
  name: 'cooperatives',
  key: ['id'],
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
    latitude: 'plain',
    longitude: 'plain',
    projects: 'json',
    hasHeroImage: 'plain',
    hasCardImage: 'plain',
    hasLogoImage: 'plain',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten: ({ coordinates, ...cooperative }) => ({
    ...cooperative,
    latitude: coordinates?.latitude ?? null,
    longitude: coordinates?.longitude ?? null,
  }),
  build: ({ latitude, longitude, ...cooperative }) => ({
    ...cooperative,
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
  }),
})

type ImageRow = Omit<Image, 'base64'> & { readonly content: string }

export const imageTable = new Table<Image, ImageRow>({
  name: 'images',
  key: ['ownerId', 'kind'],
  columns: {
    ownerId: 'plain',
    kind: 'plain',
    contentType: 'plain',
    content: 'base64',
    etag: 'plain',
  },
  flatten: ({ base64: content, ...image }) => ({ ...image, content }),
  build: ({ content: base64, ...image }) => ({ ...image, base64 }),
})
