/** How a command ends. `src/cli/error-codes.ts` has the numbers. */
export type ExitName = 'failed' | 'wrongUsage' | 'notFound' | 'refused' | 'unreachable'

export interface ProblemExplanation {
  /** What it means, or why it happened. Text between backticks is code. */
  readonly meaning: string
  /** What to do now. */
  readonly advice: string
}

export interface ProblemRow extends ProblemExplanation {
  /** The HTTP status. */
  readonly status: number
  /** How a command ends that gets this problem. Problems without it are only for partners. */
  readonly exit?: ExitName
  readonly title: string
  /** The title in the operators' document, if the title for partners does not fit. */
  readonly operatorTitle?: string
  /** The code that partners see, if it differs. Then both codes share the page of that code. */
  readonly publicCode?: string
  /** The explanation for somebody who runs a command, if a partner needs another one. */
  readonly inCommands?: ProblemExplanation
}

/**
 * Every reason for refusing a request of a partner or an operator (spec: Errors; for other rows,
 * see DECISIONS.md, D20). Callers branch on the codes and never on texts. The answers, their pages,
 * the operators' document, exit codes and `docs/reference/errors.md` are made from this table.
 */
export const problems = {
  // Partners see it as VALIDATION_ERROR with status 400, because its rules differ (spec: Errors).
  INVALID_PARAMETER: {
    status: 400,
    publicCode: 'VALIDATION_ERROR',
    exit: 'refused',
    title: 'A parameter is not valid.',
    meaning: 'A parameter has a value that is not allowed.',
    advice: 'Correct the parameter that detail names.',
    inCommands: {
      meaning: 'A backup belongs to another store.',
      advice: 'Use a backup of this store.',
    },
  },
  MALFORMED_REQUEST_BODY: {
    status: 400,
    title: 'The request body cannot be read.',
    meaning:
      'The body is not well-formed JSON in UTF-8, contains the same field twice, contains a field that is not in the contract, or has far more fields or nesting levels than the contract allows.',
    advice:
      'Correct the part that detail names. Remove fields that are not in the contract, and send each field only once.',
  },
  UNAUTHENTICATED: {
    status: 401,
    exit: 'unreachable',
    title: 'A valid access token is required.',
    operatorTitle: 'The operator token or the signature is wrong or missing.',
    meaning:
      'The request has no access token, or the token has expired, was altered, or belongs to a disabled client.',
    advice: 'Request a new token from /oauth2/token and send it as Authorization: Bearer <token>.',
    inCommands: {
      meaning: 'The operator token is missing or wrong, or belongs to a disabled operator.',
      advice:
        'Set `COOPSHARE_OPERATOR_TOKEN` to your operator token or to the token of the service.',
    },
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: 'The access token lacks a required scope.',
    meaning: 'The token is valid, but it lacks a scope that this request needs.',
    advice:
      'Request a token with all scopes in required_scopes. If your client does not have them, ask us to grant them.',
  },
  FORBIDDEN: {
    status: 403,
    exit: 'refused',
    title: 'This client may not do this.',
    operatorTitle: 'The role may not do this, or the request was signed for another address.',
    meaning:
      'The token belongs to a client that is not a partner client. Or the path is below /sandbox, and the operator has not allowed self-service for the organization.',
    advice:
      'Use the credentials of a partner, or ask the operator to allow self-service. Other scopes do not help.',
    inCommands: {
      meaning:
        'Your role may not do this, or the service does not know the address at which you reached its operator endpoint.',
      advice:
        'Ask an operator with a role that the message names, or start the service with `--operator-names`.',
    },
  },
  COOPERATIVE_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such cooperative.',
    meaning: 'No published cooperative has this id. The cooperative may have been unpublished.',
    advice: 'Read the catalogue again and use an id from it.',
    inCommands: {
      meaning: 'No cooperative has this id or key.',
      advice: 'Look it up with `cooperative list`.',
    },
  },
  MANAGED_INVESTOR_NOT_FOUND: {
    status: 404,
    title: 'There is no such investor.',
    meaning:
      'None of your investors has this id or reference. You get the same response for an investor of another partner.',
    advice: 'Check the id. Register the customer with POST /v1/investors if you have not done so.',
  },
  SHARE_PURCHASE_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such share purchase.',
    meaning: 'None of the orders of this investor has this id.',
    advice: 'List the orders of the investor and use an id from the list.',
    inCommands: {
      meaning: 'No share purchase has this id.',
      advice: 'Look it up with `purchase list`.',
    },
  },
  INVESTOR_PROFILE_INCOMPLETE: {
    status: 409,
    exit: 'refused',
    title: "The investor's profile is not complete.",
    meaning: 'An order needs a complete profile, and some of its fields are missing.',
    advice:
      'Look at missing_profile_fields of the investor, send the whole profile with PUT, then place the order again.',
    inCommands: {
      meaning: 'A fixture file has an order for an investor whose profile is incomplete.',
      advice: 'Complete the profile in the file.',
    },
  },
  PURCHASE_DEFAULTS_UNAVAILABLE: {
    status: 409,
    title: 'A default could not be derived.',
    meaning:
      'The order omits a value that we would take from the profile, and the profile does not have it either.',
    advice: 'Send the value that detail names with the order, or add it to the profile.',
  },
  SHARE_PURCHASE_ILLEGAL_STATE: {
    status: 409,
    exit: 'refused',
    title: 'The current state of the share purchase does not allow this.',
    meaning:
      'The current state of the order does not allow this step, perhaps because the order was decided in the meantime. Or the order depends on another order for its entry fee or minimum number of shares, and that other order has not settled.',
    advice:
      'Read the order again and continue from its current status. If detail names another order, that order must be settled first.',
    inCommands: {
      meaning: 'The current status of the share purchase does not allow this.',
      advice: 'Look at it with `purchase show`.',
    },
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    title: 'This idempotency key was already used for a different request.',
    meaning:
      'In the last 24 hours, this Idempotency-Key was used for an order with a different body, investor or applicant_type.',
    advice: 'Use a new key for a new order. To repeat an order, send exactly the same request.',
  },
  MANAGED_INVESTOR_PROFILE_CONFLICT: {
    status: 409,
    title: 'An investor with this reference already exists with different details.',
    meaning: 'You have already registered this partner_customer_ref with different details.',
    advice:
      'If the new details are right, replace the profile with PUT /v1/investors/{investorId}/profile.',
  },
  VALIDATION_ERROR: {
    status: 422,
    exit: 'refused',
    title: 'The request is not valid.',
    meaning:
      'The service can read the request, but at least one value is not allowed. The status is 422 for a body, and 400 or 422 for a query parameter.',
    advice:
      'Correct every field in errors. If the response has no errors, correct what detail names.',
    inCommands: {
      meaning: 'A value or an input file is not valid.',
      advice: 'Correct what the message and `errors` name.',
    },
  },
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: {
    status: 422,
    title: 'A representation authorization requires a company.',
    meaning: 'The profile contains the consent to represent a company, but no company.',
    advice: 'Send the company as well, or leave out representation_authorization.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests.',
    operatorTitle: 'This address has sent too many requests with a wrong token.',
    meaning:
      'Your client or your IP address has sent more requests than its limit per minute allows.',
    advice: 'Wait for the number of seconds in Retry-After, then repeat the same request.',
  },
  NOT_FOUND: {
    status: 404,
    exit: 'unreachable',
    title: 'Nothing exists at this path.',
    meaning: 'The contract does not contain this path.',
    advice: 'Compare the path with the contract at /docs or /openapi.yaml.',
    inCommands: {
      meaning: 'The service has another version, which lacks an operation that this command needs.',
      advice: 'Use commands of the same version as the service.',
    },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'This path does not support this method.',
    meaning: 'The path exists, but it does not support this method.',
    advice: 'Use one of the methods in the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The request body must be uncompressed JSON.',
    meaning: 'The Content-Type is not JSON, or the body is compressed.',
    advice: 'Send Content-Type: application/json and no Content-Encoding.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    exit: 'refused',
    title: 'The request body is too large.',
    meaning: 'The body exceeds the limit of this path. The limit of the partner API is 64 KiB.',
    advice: 'Send a smaller body.',
    inCommands: {
      meaning:
        'The input is larger than one command may read (128 MiB) or one request may send (16 MiB).',
      advice: 'Split the input and apply the parts one after the other.',
    },
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    exit: 'unreachable',
    title: 'The service cannot do this at the moment.',
    meaning:
      'Something that the service depends on is not responding, or too many requests are waiting.',
    advice: 'Wait for the number of seconds in Retry-After, then repeat the same request.',
    inCommands: {
      meaning: 'The service or its store does not answer, or cannot write.',
      advice: 'Read the message and the service log, then try again.',
    },
  },
  // Only operators see the codes below, except EVENT_NOT_FOUND, which partners see below /sandbox.
  ORGANIZATION_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such organization.',
    meaning: 'No organization has this id or exactly this name.',
    advice: 'Look it up with `organization list`.',
  },
  CLIENT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such client.',
    meaning: 'No client has this id.',
    advice: 'Look it up with `client list`.',
  },
  OPERATOR_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such operator.',
    meaning: 'No operator has this name.',
    advice: 'Look it up with `operator list`.',
  },
  SIGNING_KEY_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such signing key.',
    meaning:
      'No signing key has this id. The key may have been removed after its last token expired.',
    advice: 'Look it up with `key list`.',
  },
  CLIENT_SECRET_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'The client has no such secret.',
    meaning: 'The client has no secret with this id, or the secret has already been revoked.',
    advice: 'Look it up with `client show`.',
  },
  NAME_TAKEN: {
    status: 409,
    exit: 'refused',
    title: 'This name is taken.',
    meaning: 'Another organization or operator has this name, or another cooperative has this key.',
    advice: 'Use another name or key.',
  },
  ORGANIZATION_NOT_EMPTY: {
    status: 409,
    exit: 'refused',
    title: 'The organization has investors.',
    meaning:
      'An organization with investors cannot be deleted, because their orders and holdings must stay.',
    advice: 'Disable it with `organization disable`.',
  },
  SECRET_LIMIT_REACHED: {
    status: 409,
    exit: 'refused',
    title: 'The client already has two active secrets.',
    meaning: 'A client can have at most two active secrets at a time.',
    advice:
      'Revoke the secret that is no longer in use with `client revoke-secret`, then create a new one.',
  },
  LAST_SECRET: {
    status: 409,
    exit: 'refused',
    title: 'This is the only active secret of the client.',
    meaning: 'Without its only active secret, the client could no longer get tokens.',
    advice: 'Add another secret with `client rotate-secret`, or disable the client.',
  },
  INVESTOR_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such investor.',
    meaning: 'No investor has this id.',
    advice: 'Look for the investor with `find` or `investor list`.',
  },
  INVESTOR_HAS_OPEN_ORDERS: {
    status: 409,
    exit: 'refused',
    title: 'The investor has open share purchases.',
    meaning:
      'A person cannot be erased while their share purchases wait for a decision or a payment.',
    advice:
      'Settle, reject or cancel the share purchases that the message names. Then erase the person.',
  },
  INVESTOR_IS_MEMBER: {
    status: 409,
    exit: 'refused',
    title: 'The investor is a member of a cooperative.',
    meaning:
      'A cooperative must keep the name and address of each member in its list of members (in Germany section 30 of the GenG), so a person who holds shares is not simply erased.',
    advice:
      'If the cooperative keeps its list of members elsewhere, erase the person with `investor erase --although-member --reason TEXT`.',
  },
  PAYMENT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such payment.',
    meaning:
      'The share purchase has no payment: its cooperative has no creditor, or the share purchase was never approved.',
    advice: 'Look it up with `payment list`.',
  },
  PAYMENT_ILLEGAL_STATE: {
    status: 409,
    exit: 'refused',
    title: 'The state of the payment does not allow this.',
    meaning: 'The payment is in a state in which this step is not possible.',
    advice: 'Look at it with `payment show`.',
  },
  PAYMENT_OUTSTANDING: {
    status: 409,
    exit: 'refused',
    title: 'The share purchase is not paid.',
    meaning:
      'The cooperative collects payments, and the payment of this share purchase has not come.',
    advice:
      'Wait for the statement of the bank, or record a transfer with `payment record`. To settle it all the same, add `--unpaid`; the payment stays due.',
  },
  PAYMENT_UNDER_WAY: {
    status: 409,
    exit: 'refused',
    title: 'The payment is being collected.',
    meaning: 'The direct debit is in a collection, so its outcome is not known yet.',
    advice:
      'Wait for the statement of the bank, or cancel the collection with `collection cancel`.',
  },
  PAYMENT_RECEIVED: {
    status: 409,
    exit: 'refused',
    title: 'The share purchase is paid.',
    meaning: 'A share purchase that is paid can only be rejected if the money goes back.',
    advice: 'Pay the money back, then reject the share purchase with `--refunded`.',
  },
  COLLECTION_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such collection.',
    meaning: 'No collection has this id.',
    advice: 'Look it up with `collection list`.',
  },
  COLLECTION_ILLEGAL_STATE: {
    status: 409,
    exit: 'refused',
    title: 'The state of the collection does not allow this.',
    meaning: 'The collection is in a state in which this step is not possible.',
    advice: 'Look at it with `collection show`.',
  },
  STATEMENT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such statement, or no such entry.',
    meaning: 'No statement, or no entry of a statement, has this id.',
    advice: 'Look it up with `statement list`.',
  },
  STATEMENT_REFUSED: {
    status: 422,
    exit: 'refused',
    title: 'The file cannot be imported.',
    meaning:
      'The file is not a statement in a supported format, or it is damaged. Nothing was imported.',
    advice:
      'Get the file again from the bank. If it is the same, report the line that the message names.',
  },
  CLIENT_DISABLED: {
    status: 409,
    exit: 'refused',
    title: 'The client is disabled.',
    meaning: 'A disabled client cannot get tokens.',
    advice: 'Enable it with `client enable`.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such webhook endpoint.',
    meaning: 'No webhook endpoint has this id. The endpoint may have been removed.',
    advice: 'Look it up with `webhook list`.',
  },
  WEBHOOK_URL_REFUSED: {
    status: 422,
    exit: 'refused',
    title: 'Webhooks cannot be sent to this URL.',
    meaning: 'Webhooks are sent only to https URLs whose host resolves to public addresses.',
    advice:
      'Use a URL that can be reached from the internet, or `--allow-private-webhooks` in staging.',
  },
  ENDPOINT_LIMIT_REACHED: {
    status: 409,
    exit: 'refused',
    title: 'The organization has reached its limit of webhook endpoints.',
    meaning: 'The organization already has the maximum number of webhook endpoints.',
    advice: 'Remove an endpoint with `webhook remove`.',
  },
  EVENT_NOT_PENDING: {
    status: 409,
    exit: 'refused',
    title: 'No delivery of the event is pending.',
    meaning:
      'Only a pending delivery can be sent sooner. All deliveries of this event are delivered or dead.',
    advice: 'Send the event again with `event replay`.',
  },
  EVENT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such event.',
    meaning:
      'No event has this id. The service removes old events some time after it has delivered them.',
    advice: 'Look it up with `event list`, or with GET /sandbox/events.',
    inCommands: {
      meaning: 'No event has this id. It may have been purged.',
      advice: 'Look it up with `event list`.',
    },
  },
  ENVIRONMENT_MISMATCH: {
    status: 409,
    exit: 'refused',
    title: 'The store belongs to another environment.',
    meaning:
      'Each store permanently belongs to either staging or production, and you started the command or the service for the other environment.',
    advice: 'Set `--environment` to the environment of the store, or use another store.',
  },
  TESTING_AID_IN_PRODUCTION: {
    status: 409,
    exit: 'refused',
    title: 'This is only for testing and is refused in production.',
    meaning:
      'This testing aid would weaken a production service, for example with a secret that is public.',
    advice: 'Leave it out, or use staging.',
  },
  STORE_NOT_EMPTY: {
    status: 409,
    exit: 'refused',
    title: 'The target is not empty.',
    meaning: 'The existing content of the target would be lost or mixed up with the new content.',
    advice: 'Use an empty directory or database.',
  },
  STORE_DAMAGED: {
    status: 503,
    exit: 'unreachable',
    title: 'The store is damaged.',
    meaning: 'The store or the backup is damaged.',
    advice: 'Keep the files. Restore a backup, or use `store salvage`.',
  },
  STORE_NEWER: {
    status: 503,
    exit: 'unreachable',
    title: 'The store was written by a newer version.',
    meaning: 'A newer version of coopshare made the store or the backup.',
    advice: 'Use that version.',
  },
  STORE_LOCKED: {
    status: 503,
    exit: 'unreachable',
    title: 'Another process owns the store.',
    meaning: 'Only one process at a time can own a store, and another process owns it now.',
    advice:
      'Wait until the process that the message names has ended, stop it, or send the command to the running service.',
  },
  STORE_NOT_FOUND: {
    status: 503,
    exit: 'unreachable',
    title: 'There is no store.',
    meaning:
      'The data directory or the database has no store, and this command does not create one.',
    advice:
      'Pass the right `--data-dir` or `--database-url`, or create a store by starting the service once.',
  },
  DATA_DIRECTORY_NOT_PRIVATE: {
    status: 503,
    exit: 'unreachable',
    title: 'Other users can write to the data directory.',
    meaning:
      'Other users of this machine can write to the data directory, so they could change the data of the service.',
    advice: 'Run the command that the message names.',
  },
  STORE_MOVED: {
    status: 503,
    exit: 'unreachable',
    title: 'The store was moved elsewhere.',
    meaning:
      'The store was copied elsewhere and is read-only now. Two services on two copies would contradict each other.',
    advice: 'Use the copy. If you do not want to use the copy, run `store reopen` here.',
  },
  LISTENER_RUNNING: {
    status: 409,
    exit: 'refused',
    title: 'Another listener is using this cursor.',
    meaning: 'Two listeners with the same cursor would each send every event.',
    advice: 'Stop the other `listen`, or use another `--cursor`.',
  },
  ENCRYPTION_KEY_REFUSED: {
    status: 503,
    exit: 'unreachable',
    title: 'The encryption key does not match the store.',
    meaning: 'The encryption key is missing, malformed or wrong.',
    advice: 'Give the store’s key with `--encryption-key-file` or `COOPSHARE_ENCRYPTION_KEY`.',
  },
  NOT_FOR_DATABASES: {
    status: 409,
    exit: 'refused',
    title: 'This is not needed for a store in a database.',
    meaning:
      'This maintenance is only for a store in a directory, but this store is in a database.',
    advice: 'Leave it out. The database does this by itself or has its own tools for it.',
  },
  BENCH_OFF: {
    status: 409,
    exit: 'refused',
    title: 'The service runs without the bench.',
    meaning:
      'Only a service that was started with `--bench` lets you move its clock or cause faults.',
    advice: 'Start the service with `serve --bench`.',
  },
  FAULT_NOT_FOUND: {
    status: 404,
    exit: 'notFound',
    title: 'There is no such fault.',
    meaning: 'No fault has this id, or the fault has occurred the requested number of times.',
    advice: 'Look it up with `fault list`.',
  },
  CLOCK_BACKWARDS: {
    status: 409,
    exit: 'refused',
    title: 'The clock never goes backwards.',
    meaning: 'If the clock went backwards, some records would be later than the present.',
    advice: 'Move the clock forwards, or return to the start with `bench reset`.',
  },
  CLOCK_BUSY: {
    status: 503,
    exit: 'unreachable',
    title: 'Due work is still under way.',
    meaning:
      'The clock waits at each due instant until everything due there is done, for example until a receiver has answered. The due work took longer than `--timeout`.',
    advice:
      'Look at what the message names, then advance the clock again or allow a longer `--timeout`.',
  },
  AWAIT_TIMEOUT: {
    status: 408,
    exit: 'refused',
    title: 'The awaited exchanges did not happen in time.',
    meaning: 'The service has recorded fewer of these exchanges than you wait for.',
    advice: 'Find out with `journal list` what happened.',
  },
} as const satisfies Readonly<Record<string, ProblemRow>>

export type ProblemCode = keyof typeof problems

/** Problems with a page but without a code, because programs cannot react to them. */
export const problemsWithoutCode = {
  INTERNAL_SERVER_ERROR: {
    status: 500,
    title: 'Something went wrong on our side.',
    meaning:
      'The service has a fault. Our log contains the details under the trace_id of the response.',
    advice:
      'Retry after 1 second and again after 2, with an Idempotency-Key for orders. If the problem persists, contact support and quote the trace_id.',
  },
  BAD_REQUEST: {
    status: 400,
    title: 'Bad Request',
    meaning: 'The request is not valid HTTP, or it is HTTP/1.1 without a Host header.',
    advice: 'Use a standard HTTP client, and check any proxies between you and the service.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request Timeout',
    meaning: 'The complete request did not arrive in time.',
    advice: 'Send the request again over a faster connection.',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    status: 431,
    title: 'Request Header Fields Too Large',
    meaning: 'Together, the URL and the headers of the request are larger than 16 KiB.',
    advice: 'Send fewer or shorter headers, or a shorter URL.',
  },
} as const satisfies Readonly<Record<string, ProblemRow>>

export type ProblemWithoutCode = keyof typeof problemsWithoutCode

/** The row of a problem, with all its optional members. */
export function problemRow(code: ProblemCode): ProblemRow {
  return problems[code]
}
