import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Service } from '../service.ts'
import { changeCooperative } from './change-cooperative.ts'

/** Partners no longer see it and can order no more of it; what was ordered stays. */
export function unpublishCooperative(service: Service, idOrKey: string): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { published: false })
}
