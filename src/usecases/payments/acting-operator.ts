import { type ActingOperator, localAdministrator } from '../../domain/operators/operator.ts'
import type { Service } from '../service.ts'

/** Who runs the operation. A command that opens the store itself has no operator. */
export function actingOperator({ operator }: Pick<Service, 'operator'>): ActingOperator {
  return operator ?? localAdministrator
}
