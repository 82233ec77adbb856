import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Service } from '../service.ts'
import { requireCooperative } from './require-cooperative.ts'

/** For operators, published or not; partners read the catalogue. */
export function readCooperative({ store }: Service, idOrKey: string): Promise<Cooperative> {
  return store.read((records) => requireCooperative(records, idOrKey))
}
