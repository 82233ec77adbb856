import {
  type ActingOperator,
  hasRole,
  type OperatorRole,
  rolesFrom,
} from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import type { OperationName } from './operations.ts'

/**
 * The lowest role for each operation. Operations that only read are for viewers, unless they return
 * secrets or everything.
 */
export const minimumRoles: Readonly<Record<OperationName, OperatorRole>> = {
  'operator.create': 'administrator',
  'operator.list': 'viewer',
  'operator.rotate_token': 'administrator',
  'operator.set_role': 'administrator',
  'operator.disable': 'administrator',
  'operator.enable': 'administrator',
  'organization.create': 'administrator',
  'organization.list': 'viewer',
  'organization.show': 'viewer',
  'organization.update': 'administrator',
  'organization.rename': 'administrator',
  'organization.disable': 'administrator',
  'organization.enable': 'administrator',
  'organization.delete': 'administrator',
  'client.create': 'administrator',
  'client.list': 'viewer',
  'client.show': 'viewer',
  'client.set_scopes': 'administrator',
  'client.rotate_secret': 'administrator',
  'client.revoke_secret': 'administrator',
  'client.disable': 'administrator',
  'client.enable': 'administrator',
  'token.issue': 'administrator',
  'key.list': 'viewer',
  'key.rotate': 'administrator',
  'key.revoke': 'administrator',
  'cooperative.import': 'operator',
  'cooperative.export': 'viewer',
  'cooperative.create': 'operator',
  'cooperative.update': 'operator',
  'cooperative.price_history': 'viewer',
  'cooperative.list': 'viewer',
  'cooperative.show': 'viewer',
  'cooperative.publish': 'operator',
  'cooperative.unpublish': 'operator',
  'cooperative.set_price': 'operator',
  'purchase.list': 'viewer',
  'purchase.preview': 'viewer',
  'purchase.show': 'viewer',
  'purchase.approve': 'operator',
  'purchase.settle': 'operator',
  'purchase.cancel': 'operator',
  'purchase.reject': 'operator',
  'purchase.confirm': 'operator',
  find: 'viewer',
  'investor.list': 'viewer',
  'investor.show': 'viewer',
  'investor.export': 'operator',
  'investor.erase': 'administrator',
  'webhook.register': 'operator',
  'webhook.list': 'viewer',
  'webhook.remove': 'operator',
  'webhook.pause': 'operator',
  'webhook.resume': 'operator',
  'webhook.rotate_secret': 'administrator',
  'webhook.test': 'operator',
  'webhook.doctor': 'operator',
  'event.list': 'viewer',
  'event.show': 'viewer',
  'event.count': 'viewer',
  'event.follow': 'viewer',
  'event.follow_from_now': 'viewer',
  'event.replay': 'operator',
  'event.send_now': 'operator',
  'event.purge': 'administrator',
  'fixtures.apply': 'administrator',
  'fixtures.export': 'administrator',
  'audit.list': 'viewer',
  'audit.export': 'administrator',
  'audit.verify': 'viewer',
  'store.check': 'administrator',
  'store.compact': 'administrator',
  'store.rekey': 'administrator',
}

/** The lowest role for a request that is not an operation, and how a refusal names that request. */
export const minimumRolesOfWork = {
  'store.backup': { what: 'A backup', least: 'administrator' },
  'store.copy': { what: 'store.copy', least: 'administrator' },
  'store.reopen': { what: 'store.reopen', least: 'administrator' },
  bench: { what: 'The bench', least: 'operator' },
} as const satisfies Readonly<Record<string, { what: string; least: OperatorRole }>>

/** Whether an operation changes something, or hands out what is not for everybody. */
export function isPrivileged(name: OperationName): boolean {
  return minimumRoles[name] !== 'viewer'
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
