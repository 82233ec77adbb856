import { type Encrypted, foldCase, isDistinctName } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'

/** In ascending order: each role may do what the previous ones may. */
export const operatorRoles = ['viewer', 'operator', 'administrator'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const operatorStates = ['active', 'disabled'] as const

/** A person who runs the platform, with their own token. */
export interface Operator {
  readonly operatorId: string
  /** Unique regardless of case. */
  readonly name: string
  readonly role: OperatorRole
  readonly state: (typeof operatorStates)[number]
  /** SHA-256 of the token, in hex. The token has 256 random bits, so the digest does not help to guess the token. */
  readonly tokenDigest: string
  /** The key that signs requests. The key is derived from the token, but does not reveal the token. */
  readonly encryptedSigningKey: Encrypted
  readonly tokenCreatedAt: Timestamp
  /**
   * Gets a later time whenever all sessions of the console are ended, whatever clocks say. A session contains the
   * value from its beginning, and is over when the value here differs. Absent until sessions are ended for the first
   * time.
   */
  readonly sessionsEndedAt?: Timestamp
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The operator from whom a request comes. */
export type ActingOperator = Pick<Operator, 'operatorId' | 'name' | 'role'>

/** Anyone who can read control.json, or open the store. */
export const localAdministrator: ActingOperator = {
  operatorId: 'local',
  name: 'local',
  role: 'administrator',
}

/** Names that differ only in case are the same name. */
export function foldOperatorName(name: string): string {
  return foldCase(name)
}

/** Names appear in the audit and in addresses of pages. @param name in the form NFC */
export function isOperatorName(name: string): boolean {
  const isReserved = foldOperatorName(name) === localAdministrator.name
  return (
    /^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,62}[\p{L}\p{N}]$|^[\p{L}\p{N}]$/u.test(name) &&
    isDistinctName(name) &&
    !isReserved
  )
}

export function hasRole({ role }: Pick<Operator, 'role'>, least: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
}

/** This role and all higher ones. */
export function rolesFrom(least: OperatorRole): readonly OperatorRole[] {
  return operatorRoles.slice(operatorRoles.indexOf(least))
}
