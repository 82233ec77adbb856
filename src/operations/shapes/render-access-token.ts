import type { AccessToken } from '../../domain/oauth/access-token.ts'

/** RFC 6749 5.1. */
export function renderAccessToken({ accessToken, expiresInSeconds, scopes }: AccessToken) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
  }
}
