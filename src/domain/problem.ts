import type { Scope } from './oauth/scope.ts'

/**
 * Every reason for refusing a request of a partner or an operator. Callers branch on these codes
 * and never on texts. Partners see INVALID_PARAMETER as `VALIDATION_ERROR` with status 400,
 * because its rules differ (spec: Errors).
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
  // Partners see this one below /sandbox, and never below /v1.
  | 'EVENT_NOT_FOUND'
  // Only operators see the codes below.
  | 'ORGANIZATION_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'OPERATOR_NOT_FOUND'
  | 'CLIENT_SECRET_NOT_FOUND'
  | 'SIGNING_KEY_NOT_FOUND'
  | 'NAME_TAKEN'
  | 'ORGANIZATION_NOT_EMPTY'
  | 'SECRET_LIMIT_REACHED'
  | 'LAST_SECRET'
  | 'INVESTOR_NOT_FOUND'
  | 'INVESTOR_HAS_OPEN_ORDERS'
  | 'CLIENT_DISABLED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_URL_REFUSED'
  | 'ENDPOINT_LIMIT_REACHED'
  | 'EVENT_NOT_PENDING'
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
  | 'BENCH_OFF'
  | 'FAULT_NOT_FOUND'
  | 'CLOCK_BACKWARDS'
  | 'CLOCK_BUSY'
  | 'AWAIT_TIMEOUT'

/**
 * What is wrong with each field, as the end of a sentence, by its path in the domain (`profile.birthDate`). The wire turns
 * the paths into those that the caller sent (spec: Errors).
 */
export type FieldErrors = Readonly<Record<string, string>>

export interface ProblemExtra {
  readonly errors?: FieldErrors
  /** Paths of fields that `detail` names, besides those in `errors`. */
  readonly fields?: readonly string[]
  readonly requiredScopes?: readonly Scope[]
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/**
 * A refusal of a request. People see `detail`, so it must not contain secrets, IBANs, tax ids or
 * e-mail addresses.
 */
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

export const representationConsentPath = 'profile.consents.representationAuthorization.given'

/** Reports all errors together, under the more specific of two codes where it applies (spec: Errors). */
export function validationProblem(errors: FieldErrors): Problem {
  const code = Object.hasOwn(errors, representationConsentPath)
    ? 'REPRESENTATION_CONSENT_REQUIRES_COMPANY'
    : 'VALIDATION_ERROR'
  return new Problem(code, describeInvalidFields(errors), { errors })
}

export function describeInvalidFields(errors: FieldErrors): string {
  return `These fields are not valid: ${Object.keys(errors).join(', ')}.`
}

export function requireValid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw validationProblem(errors)
}

/** Possible errors by path. Values that are not texts mean that the field is valid. */
export type PossibleErrors = Readonly<Record<string, string | false | undefined>>

export function collectErrors(faults: PossibleErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}
