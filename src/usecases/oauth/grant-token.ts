import type { AccessToken } from '../../domain/oauth/access-token.ts'
import type { Client } from '../../domain/oauth/client.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { requestedScopes } from '../../domain/oauth/requested-scopes.ts'
import type { Service } from '../service.ts'
import { issueToken } from './issue-token.ts'

export interface TokenRequest {
  readonly client: Client
  readonly grantType: string | undefined
  /** Space-delimited. */
  readonly scope: string | undefined
}

export const supportedGrantType = 'client_credentials'

/** spec: Token request, once the client has proved who it is. */
export async function grantToken(service: Service, request: TokenRequest): Promise<AccessToken> {
  const { client, grantType, scope } = request
  if (grantType !== supportedGrantType) {
    throw new OAuthError('unsupported_grant_type', `grant_type has to be ${supportedGrantType}.`)
  }
  return issueToken(service, { client, scopes: requestedScopes(scope, client.grantedScopes) })
}
