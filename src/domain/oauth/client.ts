import type { Timestamp } from '../timestamp.ts'
import type { Scope } from './scope.ts'

/** An `internal` client gets tokens but is not a partner: /v1 answers it 403 FORBIDDEN. */
export type ClientKind = 'partner' | 'internal'

export interface ClientSecret {
  readonly secretId: string
  /** SHA-256 of the secret, hex. The secret itself is 256 random bits, so a slow hash would add nothing. */
  readonly digest: string
  readonly createdAt: Timestamp
  /** To the minute: noting each use exactly would cost a durable write per token. */
  readonly lastUsedAt: Timestamp | null
}

/** One that is used, and one that takes its place (spec: Secret rotation). */
export const maximumSecrets = 2

export interface Client {
  readonly clientId: string
  readonly organizationId: string
  readonly name: string | null
  readonly kind: ClientKind
  readonly grantedScopes: readonly Scope[]
  /** The active secrets: one, or two during a rotation. A revoked secret is gone. */
  readonly secrets: readonly ClientSecret[]
  readonly disabled: boolean
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Who a bearer token speaks for. */
export interface Caller {
  readonly clientId: string
  readonly organizationId: string
}
