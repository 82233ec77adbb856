import type { ProblemCode } from '../domain/problem.ts'

/** Problems whose answer has a `type` and no `code`. */
export type NamelessProblem =
  | 'INTERNAL_SERVER_ERROR'
  | 'BAD_REQUEST'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_HEADER_FIELDS_TOO_LARGE'

/** Partners see INVALID_PARAMETER as VALIDATION_ERROR, so both have one page. */
export type ExplainedProblem = Exclude<ProblemCode, 'INVALID_PARAMETER'> | NamelessProblem

interface Explanation {
  readonly why: string
  readonly whatToDo: string
}

/** For people who follow the `type` of a problem. */
export const explanations: Readonly<Record<ExplainedProblem, Explanation>> = {
  MALFORMED_REQUEST_BODY: {
    why: 'The body is not well-formed JSON in UTF-8, has the same field twice, has a field that the contract does not have, or is far larger or deeper than any body of the contract.',
    whatToDo:
      'Correct what detail names. Remove fields that the contract does not have, and send each field once.',
  },
  UNAUTHENTICATED: {
    why: 'The request has no access token, or one that has expired, has been changed, or belongs to a client that was disabled.',
    whatToDo: 'Get a new token from /oauth2/token and send it as Authorization: Bearer <token>.',
  },
  INSUFFICIENT_SCOPE: {
    why: 'The token is valid, but it does not carry the scopes that this request needs.',
    whatToDo:
      'Ask for a token with the scopes in required_scopes. If your client was never granted them, ask us to grant them.',
  },
  FORBIDDEN: {
    why: 'The client that the token belongs to is not the client of a partner.',
    whatToDo: 'Use the credentials of a partner. Other scopes do not help.',
  },
  COOPERATIVE_NOT_FOUND: {
    why: 'No published cooperative has this id. It may have been published before.',
    whatToDo: 'Read the catalogue again and use an id from it.',
  },
  MANAGED_INVESTOR_NOT_FOUND: {
    why: 'None of your investors has this id or reference. Investors of other partners are answered in the same way.',
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
      'Read missing_profile_fields of the investor, send the whole profile with PUT, then place the order again.',
  },
  PURCHASE_DEFAULTS_UNAVAILABLE: {
    why: 'The order left out a value that we would have taken from the profile, and the profile does not have it.',
    whatToDo: 'Send the value that detail names with the order, or add it to the profile.',
  },
  SHARE_PURCHASE_ILLEGAL_STATE: {
    why: 'The order is in a state that does not allow this step, or it depends on another order for its entry fee or minimum number of shares, and that one has not been settled. It may have been decided in the meantime.',
    whatToDo:
      'Read the order again and go on from its present status. If detail names another order, settle that one first.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    why: 'The Idempotency-Key was used within the last 24 hours for an order with another body, investor or applicant_type.',
    whatToDo: 'Use a new key for a new order. To repeat an order, send exactly the same request.',
  },
  MANAGED_INVESTOR_PROFILE_CONFLICT: {
    why: 'You have registered this partner_customer_ref before, with other details.',
    whatToDo:
      'Replace the profile with PUT /v1/investors/{investorId}/profile if the new details are right.',
  },
  VALIDATION_ERROR: {
    why: 'The request can be read, but one or more of its values are not allowed. The status is 400 for a query parameter and 422 for a body.',
    whatToDo: 'Correct every field in errors. Where there is no errors, correct what detail names.',
  },
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: {
    why: 'The profile gives consent to represent a company, and has no company.',
    whatToDo: 'Send the company, or leave out representation_authorization.',
  },
  RATE_LIMITED: {
    why: 'Your client, or the address that you call from, has sent more requests than one minute allows.',
    whatToDo: 'Wait for the seconds in Retry-After and send the same request again.',
  },
  NOT_FOUND: {
    why: 'The contract has nothing at this path.',
    whatToDo: 'Compare the path with the contract: /docs shows it, /openapi.yaml is its text.',
  },
  METHOD_NOT_ALLOWED: {
    why: 'The path exists, but not for this method.',
    whatToDo: 'Use one of the methods in the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    why: 'The body is not declared as JSON, or it is compressed.',
    whatToDo: 'Send Content-Type: application/json and no Content-Encoding.',
  },
  PAYLOAD_TOO_LARGE: {
    why: 'The body is larger than this path takes. The partner API takes 64 KiB.',
    whatToDo: 'Send less in one request.',
  },
  SERVICE_UNAVAILABLE: {
    why: 'Something that the service needs does not answer at the moment, or too many requests are waiting.',
    whatToDo: 'Wait for the seconds in Retry-After and send the same request again.',
  },
  ORGANIZATION_NOT_FOUND: {
    why: 'No organization has this id or exact name.',
    whatToDo: 'Find the right one with coopshare organization list.',
  },
  CLIENT_NOT_FOUND: {
    why: 'No client has this id.',
    whatToDo: 'Find the right one with coopshare client list.',
  },
  CLIENT_SECRET_NOT_FOUND: {
    why: 'The client has no secret with this id, or it was revoked before.',
    whatToDo: 'Find the right one with coopshare client show.',
  },
  NAME_TAKEN: {
    why: 'Names are unique, and another one has this name.',
    whatToDo: 'Choose another name, or use the one that exists.',
  },
  SECRET_LIMIT_REACHED: {
    why: 'A client has at most two active secrets at a time.',
    whatToDo: 'Revoke the one that is no longer used, then make a new one.',
  },
  LAST_SECRET: {
    why: 'Without its only active secret the client could not get a token any more.',
    whatToDo: 'Make a new secret first, or disable the client.',
  },
  CLIENT_DISABLED: {
    why: 'A disabled client gets no tokens.',
    whatToDo: 'Enable it with coopshare client enable if it should be used again.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    why: 'No webhook endpoint has this id. It may have been removed.',
    whatToDo: 'Find the right one with coopshare webhook list.',
  },
  WEBHOOK_URL_REFUSED: {
    why: 'Webhooks go only to https addresses that lead to public addresses.',
    whatToDo: 'Register an address that can be reached from the internet, as detail says.',
  },
  ENDPOINT_LIMIT_REACHED: {
    why: 'The organization already has as many webhook endpoints as one may have.',
    whatToDo: 'Remove one that is no longer used.',
  },
  EVENT_NOT_FOUND: {
    why: 'No event has this id. Old events are removed some time after they reached their receivers.',
    whatToDo: 'Find the right one with coopshare event list.',
  },
  ENVIRONMENT_MISMATCH: {
    why: 'A store belongs to staging or to production for good, and the command or the service was started for the other one.',
    whatToDo: 'Use the --environment that the store belongs to, or another store.',
  },
  TESTING_AID_IN_PRODUCTION: {
    why: 'This would weaken a production service, for instance by a secret that is public.',
    whatToDo: 'Leave it out, or use staging.',
  },
  SIGNING_KEY_NOT_FOUND: {
    why: 'No signing key has this id. It may have been removed after its last token expired.',
    whatToDo: 'Find the right one with coopshare key list.',
  },
  STORE_NOT_FOUND: {
    why: 'There is no store in this directory, and this command does not make one.',
    whatToDo:
      'Name the right directory with --data-dir, or start a service there with coopshare serve.',
  },
  DATA_DIRECTORY_NOT_PRIVATE: {
    why: 'Other users of the machine can write to the data directory, and could change what the service keeps.',
    whatToDo: 'Take their permission away, as detail says.',
  },
  STORE_NOT_EMPTY: {
    why: 'What is already in the target would be lost or mixed up.',
    whatToDo: 'Choose an empty directory or database.',
  },
  STORE_DAMAGED: {
    why: 'The files of the store are not what was written.',
    whatToDo: 'Keep the files, and restore a backup as the deployment guide says.',
  },
  STORE_NEWER: {
    why: 'A newer coopshare has written the store in a form that this one does not know.',
    whatToDo: 'Use that newer coopshare.',
  },
  STORE_LOCKED: {
    why: 'One process at a time owns a store, and another one has it now.',
    whatToDo: 'Wait for it, stop it, or send the command to the running service.',
  },
  STORE_MOVED: {
    why: 'The store was copied elsewhere, and two services on two copies would contradict each other.',
    whatToDo:
      'Use the copy. If it should not be used, reopen this store with coopshare store reopen.',
  },
  LISTENER_RUNNING: {
    why: 'Two listeners with the same cursor would each miss what the other one took.',
    whatToDo: 'Stop the other listener, or use another data directory.',
  },
  ENCRYPTION_KEY_REFUSED: {
    why: 'The key that was given is not the one that the store was encrypted with.',
    whatToDo: 'Give the key that the store was made with.',
  },
  NOT_FOR_DATABASES: {
    why: 'This is upkeep of a store in files, and the store is in a database.',
    whatToDo: 'Leave it out: the database does it by itself or has its own tools.',
  },
  INTERNAL_SERVER_ERROR: {
    why: 'We made a mistake. What happened is in our log, under the trace_id of the answer.',
    whatToDo:
      'Try again after 1, 2 and 4 seconds, with an Idempotency-Key for orders. If it stays, quote the trace_id to support.',
  },
  BAD_REQUEST: {
    why: 'What arrived is not HTTP, or is HTTP/1.1 without a Host header.',
    whatToDo: 'Use an ordinary HTTP client, and check proxies in between.',
  },
  REQUEST_TIMEOUT: {
    why: 'The request did not arrive as a whole in the time that we wait for one.',
    whatToDo: 'Send the request again, over a connection that is fast enough.',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    why: 'The address and the headers of the request are larger than 16 KiB together.',
    whatToDo: 'Send fewer or shorter headers, and a shorter address.',
  },
}
