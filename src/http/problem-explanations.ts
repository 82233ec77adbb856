import type { ProblemCode } from '../domain/problem-code.ts'

/** Problems with a `type` but no `code`. */
export type ProblemWithoutCode =
  | 'INTERNAL_SERVER_ERROR'
  | 'BAD_REQUEST'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_HEADER_FIELDS_TOO_LARGE'

/** Partners see INVALID_PARAMETER as VALIDATION_ERROR, so both share a page. */
export type ExplainedProblem = Exclude<ProblemCode, 'INVALID_PARAMETER'> | ProblemWithoutCode

interface Explanation {
  readonly why: string
  readonly whatToDo: string
}

/** The texts of the pages to which the `type` of problems leads. */
export const explanations: Readonly<Record<ExplainedProblem, Explanation>> = {
  MALFORMED_REQUEST_BODY: {
    why: 'The body is not well-formed JSON in UTF-8, contains the same field twice, contains a field that is not in the contract, or has far more fields or nesting levels than the contract allows.',
    whatToDo:
      'Correct the part that detail names. Remove fields that are not in the contract, and send each field only once.',
  },
  UNAUTHENTICATED: {
    why: 'The request has no access token, or the token has expired, was altered, or belongs to a disabled client.',
    whatToDo:
      'Request a new token from /oauth2/token and send it as Authorization: Bearer <token>.',
  },
  INSUFFICIENT_SCOPE: {
    why: 'The token is valid, but it lacks a scope that this request needs.',
    whatToDo:
      'Request a token with all scopes in required_scopes. If your client does not have them, ask us to grant them.',
  },
  FORBIDDEN: {
    why: 'The token belongs to a client that is not the client of a partner. Or the path is below /sandbox, and the operator has not allowed self-service for the organization.',
    whatToDo:
      'Use the credentials of a partner, or ask the operator to allow self-service. Other scopes do not help.',
  },
  COOPERATIVE_NOT_FOUND: {
    why: 'No published cooperative has this id. The cooperative may have been unpublished.',
    whatToDo: 'Read the catalogue again and use an id from it.',
  },
  MANAGED_INVESTOR_NOT_FOUND: {
    why: 'None of your investors has this id or reference. You get the same response for an investor of another partner.',
    whatToDo:
      'Check the id. Register the customer with POST /v1/investors if you have not done so.',
  },
  SHARE_PURCHASE_NOT_FOUND: {
    why: 'None of the orders of this investor has this id.',
    whatToDo: 'List the orders of the investor and use an id from the list.',
  },
  INVESTOR_PROFILE_INCOMPLETE: {
    why: 'An order needs a complete profile, and some of its fields are missing.',
    whatToDo:
      'Look at missing_profile_fields of the investor, send the whole profile with PUT, then place the order again.',
  },
  PURCHASE_DEFAULTS_UNAVAILABLE: {
    why: 'The order omits a value that we would take from the profile, and the profile does not have it either.',
    whatToDo: 'Send the value that detail names with the order, or add it to the profile.',
  },
  SHARE_PURCHASE_ILLEGAL_STATE: {
    why: 'The current state of the order does not allow this step, perhaps because the order was decided in the meantime. Or the order depends on another order for its entry fee or minimum number of shares, and that other order has not settled.',
    whatToDo:
      'Read the order again and continue from its current status. If detail names another order, that order must be settled first.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    why: 'In the last 24 hours, this Idempotency-Key was used for an order with a different body, investor or applicant_type.',
    whatToDo: 'Use a new key for a new order. To repeat an order, send exactly the same request.',
  },
  MANAGED_INVESTOR_PROFILE_CONFLICT: {
    why: 'You have already registered this partner_customer_ref with different details.',
    whatToDo:
      'If the new details are right, replace the profile with PUT /v1/investors/{investorId}/profile.',
  },
  VALIDATION_ERROR: {
    why: 'The service can read the request, but at least one value is not allowed. The status is 422 for a body, and 400 or 422 for a query parameter.',
    whatToDo:
      'Correct every field in errors. If the response has no errors, correct what detail names.',
  },
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: {
    why: 'The profile contains the consent to represent a company, but no company.',
    whatToDo: 'Send the company as well, or leave out representation_authorization.',
  },
  RATE_LIMITED: {
    why: 'Your client or your IP address has sent more requests than its limit per minute allows.',
    whatToDo: 'Wait for the number of seconds in Retry-After, then repeat the same request.',
  },
  NOT_FOUND: {
    why: 'The contract does not contain this path.',
    whatToDo: 'Compare the path with the contract at /docs or /openapi.yaml.',
  },
  METHOD_NOT_ALLOWED: {
    why: 'The path exists, but it does not support this method.',
    whatToDo: 'Use one of the methods in the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    why: 'The Content-Type is not JSON, or the body is compressed.',
    whatToDo: 'Send Content-Type: application/json and no Content-Encoding.',
  },
  PAYLOAD_TOO_LARGE: {
    why: 'The body exceeds the limit of this path. The limit of the partner API is 64 KiB.',
    whatToDo: 'Send a smaller body.',
  },
  SERVICE_UNAVAILABLE: {
    why: 'Something that the service depends on is not responding, or too many requests are waiting.',
    whatToDo: 'Wait for the number of seconds in Retry-After, then repeat the same request.',
  },
  ORGANIZATION_NOT_FOUND: {
    why: 'No organization has this id or exactly this name.',
    whatToDo: 'Find the right one with coopshare organization list.',
  },
  CLIENT_NOT_FOUND: {
    why: 'No client has this id.',
    whatToDo: 'Find the right one with coopshare client list.',
  },
  CLIENT_SECRET_NOT_FOUND: {
    why: 'The client has no secret with this id, or the secret has already been revoked.',
    whatToDo: 'Find the right one with coopshare client show.',
  },
  NAME_TAKEN: {
    why: 'Names are unique, and this name is already in use.',
    whatToDo: 'Choose another name, or use the existing entry.',
  },
  ORGANIZATION_NOT_EMPTY: {
    why: 'An organization with investors cannot be deleted, because their orders and holdings must stay.',
    whatToDo: 'Disable the organization with coopshare organization disable.',
  },
  SECRET_LIMIT_REACHED: {
    why: 'A client can have at most two active secrets at a time.',
    whatToDo: 'Revoke the secret that is no longer in use, then create a new one.',
  },
  LAST_SECRET: {
    why: 'Without its only active secret, the client could no longer get tokens.',
    whatToDo: 'Create a new secret first, or disable the client.',
  },
  INVESTOR_NOT_FOUND: {
    why: 'No investor has this id.',
    whatToDo: 'Look for the investor with coopshare find.',
  },
  INVESTOR_HAS_OPEN_ORDERS: {
    why: 'A person cannot be erased while their share purchases wait for a decision or a payment.',
    whatToDo:
      'Settle, reject or cancel the share purchases that the message names. Then erase the person.',
  },
  CLIENT_DISABLED: {
    why: 'A disabled client cannot get tokens.',
    whatToDo: 'To use the client again, enable it with coopshare client enable.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    why: 'No webhook endpoint has this id. The endpoint may have been removed.',
    whatToDo: 'Find the right one with coopshare webhook list.',
  },
  WEBHOOK_URL_REFUSED: {
    why: 'Webhooks are sent only to https URLs whose host resolves to public addresses.',
    whatToDo:
      'Correct what detail names, and register a URL that can be reached from the internet.',
  },
  ENDPOINT_LIMIT_REACHED: {
    why: 'The organization already has the maximum number of webhook endpoints.',
    whatToDo: 'Remove an endpoint that is no longer in use.',
  },
  EVENT_NOT_PENDING: {
    why: 'Only a pending delivery can be sent sooner. All deliveries of this event are delivered or dead.',
    whatToDo: 'Send the event again with coopshare event replay.',
  },
  EVENT_NOT_FOUND: {
    why: 'No event has this id. The service removes old events some time after it has delivered them.',
    whatToDo: 'Find the right one with coopshare event list, or with GET /sandbox/events.',
  },
  ENVIRONMENT_MISMATCH: {
    why: 'Each store permanently belongs to either staging or production, and you started the command or the service for the other environment.',
    whatToDo: 'Pass the --environment that the store belongs to, or use another store.',
  },
  TESTING_AID_IN_PRODUCTION: {
    why: 'This aid for tests would weaken a production service, for example with a secret that is public.',
    whatToDo: 'Leave it out, or use staging.',
  },
  OPERATOR_NOT_FOUND: {
    why: 'No operator has this name.',
    whatToDo: 'Find the right one with coopshare operator list.',
  },
  SIGNING_KEY_NOT_FOUND: {
    why: 'No signing key has this id. The key may have been removed after its last token expired.',
    whatToDo: 'Find the right one with coopshare key list.',
  },
  STORE_NOT_FOUND: {
    why: 'This directory does not contain a store, and this command does not create one.',
    whatToDo:
      'Pass the right directory with --data-dir, or create a store by starting coopshare serve there.',
  },
  DATA_DIRECTORY_NOT_PRIVATE: {
    why: 'Other users of this machine can write to the data directory, so they could change the data of the service.',
    whatToDo: 'Remove their write permission as detail describes.',
  },
  STORE_NOT_EMPTY: {
    why: 'The existing content of the target would be lost or mixed up with the new content.',
    whatToDo: 'Choose an empty directory or database.',
  },
  STORE_DAMAGED: {
    why: "The content of the store's files differs from what the service wrote.",
    whatToDo: 'Keep the files, and restore a backup as described in the deployment guide.',
  },
  STORE_NEWER: {
    why: 'A newer version of coopshare wrote the store in a format that this version does not know.',
    whatToDo: 'Use the newer version.',
  },
  STORE_LOCKED: {
    why: 'Only one process at a time can own a store, and another process owns it now.',
    whatToDo: 'Wait for the other process, stop it, or send the command to the running service.',
  },
  STORE_MOVED: {
    why: 'The store was moved elsewhere. Two services on two copies would contradict each other.',
    whatToDo:
      'Use the copy. If you do not want to use the copy, reopen this store with coopshare store reopen.',
  },
  LISTENER_RUNNING: {
    why: 'Two listeners with the same cursor would each send every event.',
    whatToDo: 'Stop the other listener, or use another --cursor.',
  },
  ENCRYPTION_KEY_REFUSED: {
    why: 'The key that you gave is not the key that encrypted this store.',
    whatToDo: 'Give the current key of the store.',
  },
  NOT_FOR_DATABASES: {
    why: 'This maintenance is only for a store in files, but this store is in a database.',
    whatToDo: 'Leave it out. The database does this automatically or has its own tools for it.',
  },
  BENCH_OFF: {
    why: 'Only a service that was started with --bench lets you move its clock or cause faults.',
    whatToDo: 'Start the service with coopshare serve --bench.',
  },
  FAULT_NOT_FOUND: {
    why: 'No fault has this id, or the fault has occurred the requested number of times.',
    whatToDo: 'Find the right one with coopshare fault list.',
  },
  CLOCK_BACKWARDS: {
    why: 'If the clock went backwards, some records would be later than the present.',
    whatToDo: 'Move the clock forwards only, or return to the start with a reset.',
  },
  CLOCK_BUSY: {
    why: 'The clock waits at each due instant until everything due there is done, for example until a receiver has answered. That took too long.',
    whatToDo: 'Look at what detail names, then advance the clock again or allow a longer timeout.',
  },
  AWAIT_TIMEOUT: {
    why: 'The service has recorded fewer of these exchanges than you wait for.',
    whatToDo: 'Check with coopshare journal list what your application sent.',
  },
  INTERNAL_SERVER_ERROR: {
    why: 'The service has a fault. Our log contains the details under the trace_id of the response.',
    whatToDo:
      'Retry after 1 second and again after 2, with an Idempotency-Key for orders. If the problem persists, contact support and quote the trace_id.',
  },
  BAD_REQUEST: {
    why: 'The request is not valid HTTP, or it is HTTP/1.1 without a Host header.',
    whatToDo: 'Use a standard HTTP client, and check any proxies between you and the service.',
  },
  REQUEST_TIMEOUT: {
    why: 'The complete request did not arrive in time.',
    whatToDo: 'Send the request again over a faster connection.',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    why: 'Together, the URL and the headers of the request are larger than 16 KiB.',
    whatToDo: 'Send fewer or shorter headers, or a shorter URL.',
  },
}
