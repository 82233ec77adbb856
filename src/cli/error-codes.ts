import { usageExitCode } from '../config/common-flags.ts'
import type { ProblemCode } from '../domain/problem-code.ts'

export const exitCodes = {
  failed: 1,
  wrongUsage: usageExitCode,
  notFound: 3,
  refused: 4,
  unreachable: 5,
} as const
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Codes that only the partner API answers with. */
type PartnerCode =
  | 'MALFORMED_REQUEST_BODY'
  | 'INSUFFICIENT_SCOPE'
  | 'MANAGED_INVESTOR_NOT_FOUND'
  | 'PURCHASE_DEFAULTS_UNAVAILABLE'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'MANAGED_INVESTOR_PROFILE_CONFLICT'
  | 'REPRESENTATION_CONSENT_REQUIRES_COMPANY'
  | 'RATE_LIMITED'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'

/** Codes that only commands have. */
export type CommandOnlyCode =
  | 'FAILED'
  | 'WRONG_USAGE'
  | 'FILE_NOT_FOUND'
  | 'CONFIRMATION_REQUIRED'
  | 'PORT_UNAVAILABLE'

export type CommandCode = Exclude<ProblemCode, PartnerCode> | CommandOnlyCode

interface CodeDescription {
  readonly exit: ExitCode
  readonly meaning: string
  readonly advice: string
}

const { failed, notFound, refused, unreachable } = exitCodes

/**
 * Every code of `--json` errors except those of the operating system. `docs/reference/errors.md` is made from this
 * table.
 */
export const commandCodes: Readonly<Record<CommandCode, CodeDescription>> = {
  FAILED: {
    exit: failed,
    meaning: 'The command failed for a reason without its own code.',
    advice: 'Read the message. If the service failed, its log has the request id of the message.',
  },
  WRONG_USAGE: {
    exit: usageExitCode,
    meaning: 'A command, a flag, an argument or a variable is unknown, missing or invalid.',
    advice: 'Read the message, or add `--help`.',
  },
  FILE_NOT_FOUND: {
    exit: usageExitCode,
    meaning: 'An input file does not exist.',
    advice: 'Check the path of the file.',
  },
  ORGANIZATION_NOT_FOUND: {
    exit: notFound,
    meaning: 'No organization has this id or name.',
    advice: 'Look it up with `organization list`.',
  },
  CLIENT_NOT_FOUND: {
    exit: notFound,
    meaning: 'No client has this id.',
    advice: 'Look it up with `client list`.',
  },
  OPERATOR_NOT_FOUND: {
    exit: notFound,
    meaning: 'No operator has this name.',
    advice: 'Look it up with `operator list`.',
  },
  CLIENT_SECRET_NOT_FOUND: {
    exit: notFound,
    meaning: 'The client has no secret with this id.',
    advice: 'Look it up with `client show`.',
  },
  FAULT_NOT_FOUND: {
    exit: notFound,
    meaning: 'No fault of the bench has this id.',
    advice: 'Look it up with `fault list`.',
  },
  SIGNING_KEY_NOT_FOUND: {
    exit: notFound,
    meaning: 'No signing key has this id.',
    advice: 'Look it up with `key list`.',
  },
  COOPERATIVE_NOT_FOUND: {
    exit: notFound,
    meaning: 'No cooperative has this id or key.',
    advice: 'Look it up with `cooperative list`.',
  },
  SHARE_PURCHASE_NOT_FOUND: {
    exit: notFound,
    meaning: 'No share purchase has this id.',
    advice: 'Look it up with `purchase list`.',
  },
  INVESTOR_NOT_FOUND: {
    exit: notFound,
    meaning: 'No investor has this id.',
    advice: 'Look for the investor with `find` or `investor list`.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    exit: notFound,
    meaning: 'No webhook endpoint has this id.',
    advice: 'Look it up with `webhook list`.',
  },
  EVENT_NOT_FOUND: {
    exit: notFound,
    meaning: 'No event has this id. It may have been purged.',
    advice: 'Look it up with `event list`.',
  },
  VALIDATION_ERROR: {
    exit: refused,
    meaning: 'A value or an input file is not valid.',
    advice: 'Correct what the message and `errors` name.',
  },
  INVALID_PARAMETER: {
    exit: refused,
    meaning: 'A backup belongs to another store.',
    advice: 'Use a backup of this store.',
  },
  PAYLOAD_TOO_LARGE: {
    exit: refused,
    meaning: 'The input is larger than one write may be (128 MiB).',
    advice: 'Split the input and apply the parts one after the other.',
  },
  NAME_TAKEN: {
    exit: refused,
    meaning: 'Another organization or operator has this name, or another cooperative has this key.',
    advice: 'Use another name or key.',
  },
  ORGANIZATION_NOT_EMPTY: {
    exit: refused,
    meaning: 'An organization with investors cannot be deleted.',
    advice: 'Disable it with `organization disable`.',
  },
  SECRET_LIMIT_REACHED: {
    exit: refused,
    meaning: 'The client already has two secrets.',
    advice: 'Revoke one of the secrets with `client revoke-secret`.',
  },
  LAST_SECRET: {
    exit: refused,
    meaning: 'The only secret of a client cannot be revoked.',
    advice: 'Add another secret with `client rotate-secret`, or disable the client.',
  },
  INVESTOR_HAS_OPEN_ORDERS: {
    exit: refused,
    meaning: 'Share purchases of the investor are open, so the person cannot be erased.',
    advice: 'Settle, reject or cancel the share purchases that the message names.',
  },
  CLIENT_DISABLED: {
    exit: refused,
    meaning: 'A disabled client gets no tokens.',
    advice: 'Enable it with `client enable`.',
  },
  INVESTOR_PROFILE_INCOMPLETE: {
    exit: refused,
    meaning: 'A fixture file has an order of an investor whose profile is incomplete.',
    advice: 'Complete the profile in the file.',
  },
  SHARE_PURCHASE_ILLEGAL_STATE: {
    exit: refused,
    meaning: 'The current status of the share purchase does not allow this.',
    advice: 'Look at it with `purchase show`.',
  },
  WEBHOOK_URL_REFUSED: {
    exit: refused,
    meaning: 'The URL of a webhook endpoint does not use https or leads to a private address.',
    advice: 'Use a public https URL, or `--allow-private-webhooks` in staging.',
  },
  ENDPOINT_LIMIT_REACHED: {
    exit: refused,
    meaning: 'The organization already has the maximum number of webhook endpoints.',
    advice: 'Remove an endpoint with `webhook remove`.',
  },
  EVENT_NOT_PENDING: {
    exit: refused,
    meaning: 'All deliveries of the event are delivered or dead, so none can be sent sooner.',
    advice: 'Send the event again with `event replay`.',
  },
  CONFIRMATION_REQUIRED: {
    exit: refused,
    meaning: 'The change needs a confirmation but got none. Nothing was changed.',
    advice: 'Answer yes at the terminal, or add `--yes`.',
  },
  ENVIRONMENT_MISMATCH: {
    exit: refused,
    meaning: 'The store belongs to the other environment.',
    advice: 'Set `--environment` to the environment of the store.',
  },
  TESTING_AID_IN_PRODUCTION: {
    exit: refused,
    meaning: 'This testing aid is not allowed in production.',
    advice: 'Leave out the testing aid, or use staging.',
  },
  STORE_NOT_EMPTY: {
    exit: refused,
    meaning: 'The target already contains a store.',
    advice: 'Use an empty directory or database.',
  },
  NOT_FOR_DATABASES: {
    exit: refused,
    meaning: 'The command does not work on a store in a database.',
    advice: 'Use the tools of PostgreSQL.',
  },
  BENCH_OFF: {
    exit: refused,
    meaning: 'The service runs without the bench.',
    advice: 'Start the service with `serve --bench`.',
  },
  CLOCK_BACKWARDS: {
    exit: refused,
    meaning: 'The virtual clock never goes backwards.',
    advice: 'Move the clock forwards, or return to the start with `bench reset`.',
  },
  AWAIT_TIMEOUT: {
    exit: refused,
    meaning: 'The requests or deliveries that the command waited for did not happen in time.',
    advice: 'Find out with `journal list` what happened.',
  },
  LISTENER_RUNNING: {
    exit: refused,
    meaning: 'Another `listen` uses the same cursor.',
    advice: 'Stop the other `listen`, or use another `--cursor`.',
  },
  FORBIDDEN: {
    exit: refused,
    meaning:
      'Your role may not do this, or the service does not know the address at which you reached its operator endpoint.',
    advice:
      'Ask an operator with a role that the message names, or start the service with `--operator-names`.',
  },
  CLOCK_BUSY: {
    exit: unreachable,
    meaning: 'The service was still doing due work when `--timeout` ended.',
    advice: 'Advance the clock again, or allow a longer `--timeout`.',
  },
  UNAUTHENTICATED: {
    exit: unreachable,
    meaning: 'The operator token is missing or wrong, or belongs to a disabled operator.',
    advice: 'Set `COOPSHARE_OPERATOR_TOKEN` to your token or to the token of the service.',
  },
  NOT_FOUND: {
    exit: unreachable,
    meaning: 'The service has another version, which lacks an operation that this command needs.',
    advice: 'Use the commands of the version that the service has.',
  },
  SERVICE_UNAVAILABLE: {
    exit: unreachable,
    meaning: 'The service or its store does not answer, or cannot write.',
    advice: 'Read the message and the log of the service, then try again.',
  },
  PORT_UNAVAILABLE: {
    exit: unreachable,
    meaning: 'The port is in use or not permitted, or the host is not an address of this machine.',
    advice:
      'Use another port or host. `serve` reads its two ports from `COOPSHARE_PORT` and `COOPSHARE_OPERATOR_PORT`, unless flags set them.',
  },
  STORE_NOT_FOUND: {
    exit: unreachable,
    meaning: 'There is no store in the data directory or in the database.',
    advice: 'Check the [connection flags](commands/connection.md), or start the service once.',
  },
  STORE_LOCKED: {
    exit: unreachable,
    meaning: 'Another process uses the store.',
    advice: 'Wait until the process that the message names has ended, or stop it.',
  },
  STORE_MOVED: {
    exit: unreachable,
    meaning: 'The store was copied elsewhere and is read-only now.',
    advice: 'Use the copy, or run `store reopen`.',
  },
  STORE_NEWER: {
    exit: unreachable,
    meaning: 'A newer version of coopshare made the store or the backup.',
    advice: 'Use that version.',
  },
  STORE_DAMAGED: {
    exit: unreachable,
    meaning: 'The store or the backup is damaged.',
    advice: 'Restore a backup, or use `store salvage`.',
  },
  ENCRYPTION_KEY_REFUSED: {
    exit: unreachable,
    meaning: 'The encryption key is missing, malformed or wrong.',
    advice: 'Give the key of the store with `--encryption-key-file` or `COOPSHARE_ENCRYPTION_KEY`.',
  },
  DATA_DIRECTORY_NOT_PRIVATE: {
    exit: unreachable,
    meaning: 'Other users have write access to the data directory.',
    advice: 'Run the command that the message names.',
  },
}

/** A service of a later version can answer with a code that this version does not know. */
export function exitCodeFor(code: string): ExitCode {
  return Object.hasOwn(commandCodes, code) ? commandCodes[code as CommandCode].exit : failed
}
