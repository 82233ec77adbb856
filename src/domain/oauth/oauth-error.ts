/** RFC 6749 5.2, and two that the token endpoint needs and borrows from 4.1.2.1. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'server_error'

export interface OAuthErrorExtra {
  readonly retryAfterSeconds?: number
}

/** A token request that is refused. `description` is shown to the client. */
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
