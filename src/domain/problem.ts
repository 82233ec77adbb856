import type { Scope } from './oauth/scope.ts'

/**
 * Every way in which a request, from a partner or from an operator, can be refused.
 * Callers branch on these codes and never on wording. INVALID_PARAMETER is what partners see as
 * `VALIDATION_ERROR` with status 400; the name differs because the rules for the two differ (spec: Errors).
 */
export type ProblemCode =
  | 'INVALID_PARAMETER'
  | 'MALFORMED_REQUEST_BODY'
  | 'UNAUTHENTICATED'
  | 'INSUFFICIENT_SCOPE'
  | 'FORBIDDEN'
  | 'COOPERATIVE_NOT_FOUND'
  | 'MANAGED_INVESTOR_NOT_FOUND'
  | 'SHARE_PURCHASE_NOT_FOUND'
  | 'INVESTOR_PROFILE_INCOMPLETE'
  | 'PURCHASE_DEFAULTS_UNAVAILABLE'
  | 'SHARE_PURCHASE_ILLEGAL_STATE'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'MANAGED_INVESTOR_PROFILE_CONFLICT'
  | 'VALIDATION_ERROR'
  | 'REPRESENTATION_CONSENT_REQUIRES_COMPANY'
  | 'RATE_LIMITED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PAYLOAD_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  // Only operators meet the ones below.
  | 'ORGANIZATION_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'CLIENT_SECRET_NOT_FOUND'
  | 'SIGNING_KEY_NOT_FOUND'
  | 'NAME_TAKEN'
  | 'SECRET_LIMIT_REACHED'
  | 'LAST_SECRET'
  | 'CLIENT_DISABLED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_URL_REFUSED'
  | 'ENDPOINT_LIMIT_REACHED'
  | 'EVENT_NOT_FOUND'
  | 'ENVIRONMENT_MISMATCH'
  | 'TESTING_AID_IN_PRODUCTION'
  | 'STORE_NOT_EMPTY'
  | 'STORE_DAMAGED'
  | 'STORE_NEWER'
  | 'STORE_LOCKED'
  | 'STORE_NOT_FOUND'
  | 'DATA_DIRECTORY_NOT_PRIVATE'
  | 'STORE_MOVED'
  | 'LISTENER_RUNNING'
  | 'ENCRYPTION_KEY_REFUSED'
  | 'NOT_FOR_DATABASES'

/** What was wrong, keyed by the path the caller sent (`profile.address.city`); see spec: Errors. */
export type FieldErrors = Readonly<Record<string, string>>

export interface ProblemExtra {
  readonly errors?: FieldErrors
  readonly requiredScopes?: readonly Scope[]
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** A refusal that the caller can understand. `detail` is shown to people: no secret, IBAN, tax id or mail address in it. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extra: ProblemExtra

  constructor(code: ProblemCode, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'Problem'
    this.code = code
    this.extra = extra
  }
}

/** All that is wrong, in one answer. */
export function notValid(errors: FieldErrors, code: ProblemCode = 'VALIDATION_ERROR'): Problem {
  return new Problem(code, `Not valid: ${Object.keys(errors).join(', ')}.`, { errors })
}
