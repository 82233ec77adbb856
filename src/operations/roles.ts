import type { OwnAction } from '../domain/audit/audit-entry.ts'
import {
  type ActingOperator,
  hasRole,
  type OperatorRole,
  rolesFrom,
} from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import { describeOperation, type OperationName } from './operations.ts'

/** The lowest role that may run the operation. */
export function minimumRole(name: OperationName): OperatorRole {
  return describeOperation(name).role
}

/** The lowest role for a request that is not an operation, and how a refusal names that request. */
export const minimumRolesOfWork = {
  'store.backup': { what: 'A backup', least: 'administrator' },
  'store.copy': { what: 'store.copy', least: 'administrator' },
  'store.reopen': { what: 'store.reopen', least: 'administrator' },
  bench: { what: 'The bench', least: 'operator' },
} as const satisfies Readonly<Partial<Record<OwnAction, { what: string; least: OperatorRole }>>>

/** Whether an operation changes something, or hands out what is not for everybody. */
export function isPrivileged(name: OperationName): boolean {
  const { role, isNoted } = describeOperation(name)
  return role !== 'viewer' || isNoted === true
}

/** Refuses an operator whose role is lower than `least`. `what` names the request in the refusal. */
export function requireRole(operator: ActingOperator, what: string, least: OperatorRole): void {
  if (hasRole(operator, least)) return
  const roles = rolesFrom(least)
  const may = roles.length > 1 ? `the roles ${roles.join(' and ')}` : `the role ${roles[0]}`
  throw new Problem(
    'FORBIDDEN',
    `${what} is for ${may}; ${operator.name} has the role ${operator.role}. Ask an administrator.`,
  )
}
