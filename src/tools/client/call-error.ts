/** What ended a call without an answer. */
export type CallErrorName =
  /** Your `signal` was aborted. */
  | 'AbortError'
  /** `timeoutMs` has passed. */
  | 'TimeoutError'
  /** The connection could not be made, or was lost, in every attempt. */
  | 'ConnectionError'
  /** The answer is not JSON, so it probably comes from a proxy and not from the service. */
  | 'AnswerError'
  /** The service issued no access token. `status` and `code` say why. */
  | 'TokenError'
  /** `pages` got an error. `status` and `code` say which. */
  | 'ProblemError'

interface Details {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}

/** A call that has no answer, or for which the client got no access token. It contains no secret. */
export class CallError extends Error {
  override readonly name: CallErrorName
  /** The HTTP status, if there was an answer. */
  declare readonly status: number | undefined
  /** The code of the problem, or the error of the token endpoint. */
  declare readonly code: string | undefined
  /** The key of an order. Repeat the order with it, because the service may have placed the order. */
  declare readonly idempotencyKey: string | undefined

  constructor(
    name: CallErrorName,
    message: string,
    { status, code, idempotencyKey, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = name
    // A log shows only what there is.
    const given = Object.entries({ status, code, idempotencyKey })
    for (const [key, value] of given) if (value !== undefined) Object.assign(this, { [key]: value })
  }
}

/** The same error, which also names the key of the order that it ended. */
export function withKey(error: CallError, idempotencyKey: string | undefined): CallError {
  if (idempotencyKey === undefined) return error
  const { name, message, status, code, cause } = error
  return new CallError(name, message, { status, code, idempotencyKey, cause })
}
