import type { OAuthError } from '../domain/oauth/oauth-error.ts'
import { type Scope, scopes, sortScopes } from '../domain/oauth/scope.ts'
import type { AccessToken, SigningKey } from '../domain/oauth/signing-key.ts'
import { supportedGrantType } from '../usecases/oauth/issue-token.ts'

export const tokenPath = '/oauth2/token'

const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 503,
  too_many_requests: 429,
  server_error: 500,
} as const satisfies Record<OAuthError['code'], number>

export function oauthStatusOf({ code }: OAuthError): number {
  return statuses[code]
}

/** RFC 6749 5.2. */
export function renderOAuthError({ code, message }: OAuthError) {
  const error = code === 'too_many_requests' ? 'temporarily_unavailable' : code
  return { error, error_description: message }
}

/** RFC 6749 5.1. */
export function renderAccessToken({ accessToken, expiresInSeconds, scopes }: AccessToken) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
  }
}

/** RFC 7517. */
export function renderKeySet(keys: readonly SigningKey[]) {
  return {
    keys: keys.map(({ kid, publicJwk: { kty, n, e } }) => ({
      kty,
      n,
      e,
      kid,
      alg: 'RS256' as const,
      use: 'sig' as const,
    })),
  }
}

/** RFC 8414. There is no authorization endpoint, so there are no response types. */
export function renderDiscovery(baseUrl: string) {
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${tokenPath}`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: [],
    grant_types_supported: [supportedGrantType] as const,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] as const,
  }
}

interface ClientInfo {
  readonly clientId: string
  readonly organizationId: string
  readonly tokenScopes: readonly Scope[]
  readonly grantedScopes: readonly Scope[]
}

/** spec: Client info. */
export function renderClientInfo(caller: ClientInfo) {
  return {
    client_id: caller.clientId,
    organization_id: caller.organizationId,
    token_scopes: caller.tokenScopes,
    granted_scopes: sortScopes(caller.grantedScopes),
  }
}
