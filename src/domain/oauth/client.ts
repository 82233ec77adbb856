import type { Timestamp } from '../timestamp.ts'
import type { Scope } from './scope.ts'

/** An `internal` client gets tokens but is not a partner: /v1 refuses it with 403 FORBIDDEN. */
export const clientKinds = ['partner', 'internal'] as const
export type ClientKind = (typeof clientKinds)[number]

export interface ClientSecret {
  readonly secretId: string
  /** SHA-256 in hex. The secret has 256 random bits, so a slow hash would add nothing. */
  readonly digest: string
  readonly createdAt: Timestamp
  /** Accurate to one minute: to record every use, each token would need a durable write. */
  readonly lastUsedAt: Timestamp | null
}

/** Two secrets suffice for a rotation without downtime (spec: Secret rotation). */
export const maximumSecrets = 2

export interface Client {
  readonly clientId: string
  readonly organizationId: string
  readonly name: string | null
  readonly kind: ClientKind
  readonly grantedScopes: readonly Scope[]
  /** One active secret, or two during a rotation. Revoked secrets are deleted. */
  readonly secrets: readonly ClientSecret[]
  readonly disabled: boolean
  /** Tokens of an earlier generation are refused. The number is 0 until tokens are ended for the first time. */
  readonly tokenGeneration: number
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The client that a bearer token authenticates. */
export interface Caller {
  readonly clientId: string
  readonly organizationId: string
}
