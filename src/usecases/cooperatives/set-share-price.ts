import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Money } from '../../domain/money.ts'
import type { Service } from '../service.ts'
import { changeCooperative } from './change-cooperative.ts'

/** For orders placed from now on: the terms of those already placed are frozen (spec: What the service does). */
export function setSharePrice(
  service: Service,
  idOrKey: string,
  sharePrice: Money,
): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { sharePrice })
}
