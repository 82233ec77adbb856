import { wrongUsage } from '../config/invalid.ts'
import { Problem, type ProblemCode } from '../domain/problem.ts'

/** What a script learns from a command without reading its text. */
export const exitCodes = {
  failed: 1,
  wrongUsage,
  notFound: 3,
  refused: 4,
  unreachable: 5,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const { notFound, refused, unreachable } = exitCodes

const exitCodeByProblem: Readonly<Record<ProblemCode, ExitCode>> = {
  INVALID_PARAMETER: refused,
  MALFORMED_REQUEST_BODY: refused,
  UNAUTHENTICATED: unreachable,
  INSUFFICIENT_SCOPE: refused,
  FORBIDDEN: refused,
  COOPERATIVE_NOT_FOUND: notFound,
  MANAGED_INVESTOR_NOT_FOUND: notFound,
  SHARE_PURCHASE_NOT_FOUND: notFound,
  INVESTOR_PROFILE_INCOMPLETE: refused,
  PURCHASE_DEFAULTS_UNAVAILABLE: refused,
  SHARE_PURCHASE_ILLEGAL_STATE: refused,
  IDEMPOTENCY_KEY_CONFLICT: refused,
  MANAGED_INVESTOR_PROFILE_CONFLICT: refused,
  VALIDATION_ERROR: refused,
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: refused,
  RATE_LIMITED: unreachable,
  // Only a service of another version lacks what a command asks of it.
  NOT_FOUND: unreachable,
  METHOD_NOT_ALLOWED: unreachable,
  UNSUPPORTED_MEDIA_TYPE: refused,
  PAYLOAD_TOO_LARGE: refused,
  SERVICE_UNAVAILABLE: unreachable,
  ORGANIZATION_NOT_FOUND: notFound,
  CLIENT_NOT_FOUND: notFound,
  CLIENT_SECRET_NOT_FOUND: notFound,
  SIGNING_KEY_NOT_FOUND: notFound,
  NAME_TAKEN: refused,
  SECRET_LIMIT_REACHED: refused,
  LAST_SECRET: refused,
  CLIENT_DISABLED: refused,
  WEBHOOK_ENDPOINT_NOT_FOUND: notFound,
  WEBHOOK_URL_REFUSED: refused,
  ENDPOINT_LIMIT_REACHED: refused,
  EVENT_NOT_FOUND: notFound,
  ENVIRONMENT_MISMATCH: refused,
  TESTING_AID_IN_PRODUCTION: refused,
  STORE_NOT_EMPTY: refused,
  STORE_DAMAGED: unreachable,
  STORE_NEWER: unreachable,
  STORE_LOCKED: unreachable,
  STORE_NOT_FOUND: unreachable,
  DATA_DIRECTORY_NOT_PRIVATE: unreachable,
  STORE_MOVED: unreachable,
  LISTENER_RUNNING: refused,
  ENCRYPTION_KEY_REFUSED: unreachable,
  NOT_FOR_DATABASES: refused,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Problem) return exitCodeByProblem[error.code] ?? exitCodes.failed
  const { oclif } = error as { oclif?: { exit?: number | false } }
  return typeof oclif?.exit === 'number' ? oclif.exit : exitCodes.failed
}
