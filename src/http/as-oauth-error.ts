import { OAuthError } from '../domain/oauth/oauth-error.ts'
import { Problem } from '../domain/problem.ts'

/** The token endpoint answers every error as RFC 6749 5.2 has it (spec: Token request). */
export function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  if (!(thrown instanceof Problem)) return fault()
  if (thrown.code === 'SERVICE_UNAVAILABLE') {
    const { retryAfterSeconds } = thrown.extra
    return new OAuthError('temporarily_unavailable', thrown.message, { retryAfterSeconds })
  }
  return new OAuthError('invalid_request', thrown.message)
}

function fault(): OAuthError {
  return new OAuthError('server_error', 'Something went wrong on our side.')
}
