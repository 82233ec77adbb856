/** RFC 6749 5.2, two that the token endpoint needs and borrows from 4.1.2.1, and one that it has no code for. */
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
