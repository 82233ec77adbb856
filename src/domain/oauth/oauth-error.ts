/**
 * RFC 6749 5.2, two codes from 4.1.2.1 that the token endpoint also needs, and
 * `too_many_requests`, which no RFC defines.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'too_many_requests'
  | 'server_error'

export interface OAuthErrorExtra {
  readonly retryAfterSeconds?: number | undefined
}

/** A refused token request. The client sees the description. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly extra: OAuthErrorExtra

  constructor(code: OAuthErrorCode, description: string, extra: OAuthErrorExtra = {}) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.extra = extra
  }
}
