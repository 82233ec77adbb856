import type { H3Event } from 'h3'
import type { Caller, ClientKind } from '../domain/oauth/client.ts'
import type { Scope } from '../domain/oauth/scope.ts'
import type { Budget } from './token-buckets.ts'

/** What the middleware has found out about a request by the time its route runs. */
export interface Authentication extends Caller {
  readonly kind: ClientKind
  readonly tokenScopes: readonly Scope[]
  readonly grantedScopes: readonly Scope[]
}

declare module 'h3' {
  interface H3EventContext {
    requestId?: string
    startedMs?: number
    authentication?: Authentication
    /** Who has shown a secret at the token endpoint. */
    caller?: Caller
    /** What an operator asks for, by its name. */
    operation?: string
    /** Of the problem or the OAuth error that the answer is. */
    problemCode?: string
    budget?: Budget
    allowedMethods?: readonly string[]
    /** Of the body that an operator has signed; undefined where the request is not signed. */
    signedDigest?: string
    /** More of the body would come than anybody reads. */
    isCutOff?: boolean
  }
}

/** Only for routes below /v1, where the authentication middleware has run. */
export function authenticationOf(event: H3Event): Authentication {
  const { authentication } = event.context
  if (!authentication)
    throw new Error('This route stands outside the authenticated part of the API.')
  return authentication
}
