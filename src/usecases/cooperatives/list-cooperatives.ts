import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Service } from '../service.ts'

/** For operators: all of them, in the order of their keys. */
export async function listCooperatives({ store }: Service): Promise<readonly Cooperative[]> {
  const cooperatives = await store.read((records) => records.cooperatives.list())
  return cooperatives.toSorted((left, right) => (left.key < right.key ? -1 : 1))
}
