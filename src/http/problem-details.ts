import type { Problem } from '../domain/problem.ts'
import type { ProblemCode } from '../domain/problem-code.ts'
import { toWireProblem } from '../wire/problems.ts'
import type { ExplainedProblem, ProblemWithoutCode } from './problem-explanations.ts'

interface Row {
  readonly status: number
  readonly title: string
  /** The code that partners see, if it differs. */
  readonly code?: string
}

/** Status and title of every problem (spec: Errors; for other rows, see DECISIONS.md, D20). */
export const problemTable = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'A parameter is not valid.',
    code: 'VALIDATION_ERROR',
  },
  MALFORMED_REQUEST_BODY: { status: 400, title: 'The request body cannot be read.' },
  UNAUTHENTICATED: { status: 401, title: 'A valid access token is required.' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The access token lacks a required scope.' },
  FORBIDDEN: { status: 403, title: 'This client may not do this.' },
  COOPERATIVE_NOT_FOUND: { status: 404, title: 'There is no such cooperative.' },
  MANAGED_INVESTOR_NOT_FOUND: { status: 404, title: 'There is no such investor.' },
  SHARE_PURCHASE_NOT_FOUND: { status: 404, title: 'There is no such share purchase.' },
  INVESTOR_PROFILE_INCOMPLETE: { status: 409, title: "The investor's profile is not complete." },
  PURCHASE_DEFAULTS_UNAVAILABLE: { status: 409, title: 'A default could not be derived.' },
  SHARE_PURCHASE_ILLEGAL_STATE: {
    status: 409,
    title: 'The current state of the share purchase does not allow this.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    title: 'This idempotency key was already used for a different request.',
  },
  MANAGED_INVESTOR_PROFILE_CONFLICT: {
    status: 409,
    title: 'An investor with this reference already exists with different details.',
  },
  VALIDATION_ERROR: { status: 422, title: 'The request is not valid.' },
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: {
    status: 422,
    title: 'A representation authorization requires a company.',
  },
  RATE_LIMITED: { status: 429, title: 'Too many requests.' },
  NOT_FOUND: { status: 404, title: 'Nothing exists at this path.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not support this method.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The request body must be uncompressed JSON.' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request body is too large.' },
  SERVICE_UNAVAILABLE: { status: 503, title: 'The service cannot do this at the moment.' },
  ORGANIZATION_NOT_FOUND: { status: 404, title: 'There is no such organization.' },
  CLIENT_NOT_FOUND: { status: 404, title: 'There is no such client.' },
  OPERATOR_NOT_FOUND: { status: 404, title: 'There is no such operator.' },
  SIGNING_KEY_NOT_FOUND: { status: 404, title: 'There is no such signing key.' },
  CLIENT_SECRET_NOT_FOUND: { status: 404, title: 'The client has no such secret.' },
  NAME_TAKEN: { status: 409, title: 'This name is taken.' },
  ORGANIZATION_NOT_EMPTY: { status: 409, title: 'The organization has investors.' },
  SECRET_LIMIT_REACHED: { status: 409, title: 'The client already has two active secrets.' },
  LAST_SECRET: { status: 409, title: 'This is the only active secret of the client.' },
  INVESTOR_NOT_FOUND: { status: 404, title: 'There is no such investor.' },
  INVESTOR_HAS_OPEN_ORDERS: { status: 409, title: 'The investor has open share purchases.' },
  CLIENT_DISABLED: { status: 409, title: 'The client is disabled.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, title: 'There is no such webhook endpoint.' },
  WEBHOOK_URL_REFUSED: { status: 422, title: 'Webhooks cannot be sent to this URL.' },
  ENDPOINT_LIMIT_REACHED: {
    status: 409,
    title: 'The organization has reached its limit of webhook endpoints.',
  },
  EVENT_NOT_PENDING: { status: 409, title: 'No delivery of the event is pending.' },
  EVENT_NOT_FOUND: { status: 404, title: 'There is no such event.' },
  ENVIRONMENT_MISMATCH: { status: 409, title: 'The store belongs to another environment.' },
  TESTING_AID_IN_PRODUCTION: {
    status: 409,
    title: 'This is only for testing and is refused in production.',
  },
  STORE_NOT_EMPTY: { status: 409, title: 'The target is not empty.' },
  STORE_DAMAGED: { status: 503, title: 'The store is damaged.' },
  STORE_NEWER: { status: 503, title: 'The store was written by a newer version.' },
  STORE_LOCKED: { status: 503, title: 'Another process owns the store.' },
  STORE_NOT_FOUND: { status: 503, title: 'There is no store.' },
  DATA_DIRECTORY_NOT_PRIVATE: {
    status: 503,
    title: 'Other users can write to the data directory.',
  },
  STORE_MOVED: { status: 503, title: 'The store was moved elsewhere.' },
  LISTENER_RUNNING: { status: 409, title: 'Another listener is using this cursor.' },
  ENCRYPTION_KEY_REFUSED: { status: 503, title: 'The encryption key does not match the store.' },
  NOT_FOR_DATABASES: { status: 409, title: 'This is not needed for a store in a database.' },
  BENCH_OFF: { status: 409, title: 'The service runs without the bench.' },
  FAULT_NOT_FOUND: { status: 404, title: 'There is no such fault.' },
  CLOCK_BACKWARDS: { status: 409, title: 'The clock never goes backwards.' },
  CLOCK_BUSY: { status: 503, title: 'Due work is still under way.' },
  AWAIT_TIMEOUT: { status: 408, title: 'The awaited exchanges did not happen in time.' },
} as const satisfies Record<ProblemCode, Row>

/** Problems with a `type` but no `code`, because programs cannot react to them. */
export const problemsWithoutCode = {
  INTERNAL_SERVER_ERROR: { title: 'Something went wrong on our side.', status: 500 },
  BAD_REQUEST: { title: 'Bad Request', status: 400 },
  REQUEST_TIMEOUT: { title: 'Request Timeout', status: 408 },
  REQUEST_HEADER_FIELDS_TOO_LARGE: { title: 'Request Header Fields Too Large', status: 431 },
} as const satisfies Record<ProblemWithoutCode, Row>

export function statusOf(code: ProblemCode): number {
  return problemTable[code].status
}

export function publicCodeOf(code: ProblemCode): string {
  const row: Row = problemTable[code]
  return row.code ?? code
}

export interface Occurrence {
  readonly baseUrl: string
  /** The path of the request, without the query. */
  readonly path: string
  readonly requestId: string
}

/** Renders a problem (RFC 9457), with members in the order of the spec. */
export function renderProblem(refusal: Problem, occurrence: Occurrence): Record<string, unknown> {
  const problem = toWireProblem(refusal)
  const { status, title } = problemTable[problem.code]
  const code = publicCodeOf(problem.code)
  const { errors, requiredScopes } = problem.extra
  return {
    type: typeUri(occurrence.baseUrl, code),
    title,
    status,
    detail: problem.message,
    instance: occurrence.path,
    code,
    trace_id: occurrence.requestId,
    ...(errors && { errors }),
    ...(requiredScopes && { required_scopes: requiredScopes }),
  }
}

/** Renders an internal error, without a code or any detail (spec: Errors, status 500). */
export function renderInternalError(occurrence: Occurrence): Record<string, unknown> {
  return {
    type: typeUri(occurrence.baseUrl, 'INTERNAL_SERVER_ERROR'),
    ...problemsWithoutCode.INTERNAL_SERVER_ERROR,
    detail:
      'The service could not answer this request. Quote the trace_id when you contact support.',
    instance: occurrence.path,
    trace_id: occurrence.requestId,
  }
}

/** The URL of the page that explains a problem. */
export function typeUri(baseUrl: string, name: string): string {
  return `${baseUrl}/errors/${slugOf(name)}`
}

export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

interface Described {
  readonly title: string
  readonly statuses: readonly number[]
}

export function describeProblem(name: ExplainedProblem): Described {
  const known: Readonly<Record<string, Row>> = { ...problemTable, ...problemsWithoutCode }
  const rows = Object.entries(known).filter(([key, { code = key }]) => code === name)
  return {
    title: known[name]?.title ?? name,
    statuses: rows.map(([, { status }]) => status).sort(),
  }
}
