// Refusals as problem documents (RFC 9457).
const statuses = {
  VALIDATION_ERROR: 422,
  MALFORMED_REQUEST_BODY: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  COOPERATIVE_NOT_FOUND: 404,
  MANAGED_INVESTOR_NOT_FOUND: 404,
  SHARE_PURCHASE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  INVESTOR_PROFILE_INCOMPLETE: 409,
  PURCHASE_DEFAULTS_UNAVAILABLE: 409,
  SHARE_PURCHASE_ILLEGAL_STATE: 409,
  IDEMPOTENCY_KEY_CONFLICT: 409,
  MANAGED_INVESTOR_PROFILE_CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: 422,
  RATE_LIMITED: 429,
}

const codeOfStatus = {
  400: 'MALFORMED_REQUEST_BODY',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

export class Problem extends Error {
  constructor(code, detail, { status = statuses[code], headers = {}, ...members } = {}) {
    super(detail)
    this.code = code
    this.status = status
    this.headers = headers
    this.members = members
  }
}

/** Refuses the fields of a body. `errors` has a sentence for each path. */
export function refuseFields(errors) {
  if (Object.keys(errors).length === 0) return
  throw new Problem('VALIDATION_ERROR', 'Some fields are not valid.', { errors })
}

export function refuseParameter(detail, status = 400) {
  throw new Problem('VALIDATION_ERROR', detail, { status })
}

/** Turns the errors of a schema into a problem: first unknown fields, then all other faults. */
export function schemaProblem({ validation, validationContext }, prefix = '') {
  if (validationContext !== 'body') {
    return new Problem('VALIDATION_ERROR', 'A parameter is not valid.', { status: 400 })
  }
  const unknown = validation.find(({ keyword }) => keyword === 'additionalProperties')
  if (unknown) {
    const { additionalProperty } = unknown.params
    return new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${additionalProperty}.`)
  }
  const errors = {}
  for (const { instancePath, params, message } of validation) {
    const members = [...instancePath.split('/').slice(1), params.missingProperty]
    errors[`${prefix}${members.filter(Boolean).join('.')}`] ??= message
  }
  return new Problem('VALIDATION_ERROR', 'Some fields are not valid.', { errors })
}

function toProblem(error) {
  if (error instanceof Problem) return error
  if (error.validation) return schemaProblem(error)
  const code = codeOfStatus[error.statusCode]
  return code && new Problem(code, error.message)
}

/** Answers every error below /v1. */
export function createErrorHandler(baseUrl) {
  return (error, request, reply) => {
    const problem = toProblem(error)
    if (!problem) request.log.error({ err: error }, 'The request failed.')
    const { status = 500, code, message = 'Try again later.', headers, members } = problem ?? {}
    const name = code?.toLowerCase().replaceAll('_', '-') ?? 'internal-server-error'
    const body = {
      type: `${baseUrl}/errors/${name}`,
      title: name.replaceAll('-', ' '),
      status,
      detail: message,
      instance: request.url.split('?', 1)[0],
      ...(code && { code }),
      trace_id: request.id,
      ...members,
    }
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', ...headers })
      .type('application/problem+json')
      .send(JSON.stringify(body))
  }
}
