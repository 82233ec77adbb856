import type { Collections } from './collections.ts'

export function countRecords(collections: Collections): Record<string, number> {
  return Object.fromEntries(
    Object.values(collections).map((collection) => [collection.name, collection.size]),
  )
}
