import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Service } from '../service.ts'
import { changeCooperative } from './change-cooperative.ts'

export function publishCooperative(service: Service, idOrKey: string): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { published: true })
}
