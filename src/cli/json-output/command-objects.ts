import { operatorRoles } from '../../domain/operators/operator.ts'
import { webhookFailures } from '../../domain/webhooks/delivery.ts'
import { imported } from '../../operations/cooperatives.ts'
import { eventFields } from '../../operations/events.ts'
import { fixtureChange } from '../../operations/fixture-changes.ts'
import { applied } from '../../operations/fixtures.ts'
import type { Output } from '../../operations/operations.ts'
import { outcomeFields } from '../../operations/webhooks.ts'
import type { renderCertificate } from '../../tools/certify/certify-receiver.ts'
import { results } from '../../tools/certify/finding.ts'
import type { VerifiedOperation } from '../../tools/contract/check-answer.ts'
import type { Verification } from '../../tools/contract/verify-contract.ts'
import type { renderAttempt, renderStart } from '../../tools/listen/listen-to-events.ts'
import type { renderReceived } from '../../tools/receive/receive-webhooks.ts'
import type { SignatureFault } from '../../tools/signature/parse-signature.ts'
import {
  bool,
  byName,
  count,
  either,
  id,
  instant,
  type JsonSchema,
  list,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import { schemasOf } from '../../wire/view.ts'
import type { Applied, ApplyChange } from '../apply-fixtures.ts'
import type {
  copyStore,
  RenderedAccess,
  Reopened,
  salvageStore,
  verifyBackup,
} from '../offline-store.ts'
import type { renderReplay } from '../replay-report.ts'

type Salvaged = Awaited<ReturnType<typeof salvageStore>>
interface Restored {
  readonly data_dir: string
  readonly records: unknown
  readonly needs_encryption_key: boolean
  readonly retired_keys: boolean
  readonly access: RenderedAccess
}

type VerifiedBackup = Awaited<ReturnType<typeof verifyBackup>>
type ImportResult = Output<'cooperative.import'> & {
  dry_run?: true
  changes?: readonly ApplyChange[]
}
type AppliedResult = Applied & { dry_run?: true; changes?: readonly ApplyChange[] }

interface Ready {
  readonly base_url: string
  readonly listening_url: string
  readonly operator_url: string
  readonly pid: number
  readonly environment: string
  readonly data_dir: string
  readonly database?: string
  readonly client_id?: string
  readonly client_secret?: string
}

const { path: _, fields, ...changeFields } = fixtureChange.fields
const event = schemasOf(eventFields)
const outcome = schemasOf(outcomeFields)

const records = byName(count(''), 'Number of records of each kind.')
const dry_run = { ...bool('Present in a dry run, which changes nothing.'), const: true }
const changes = list(
  refer('Fixture change'),
  'What changes; present in production and in a dry run.',
)

/** Outputs about stores and files that only commands print. */
const storeObjects: Readonly<Record<string, JsonSchema>> = {
  Service: record<Ready>(
    {
      base_url: text('Public address of the partner API.'),
      listening_url: text('Address of the partner API on this machine.'),
      operator_url: text('Address of the operator endpoint.'),
      pid: count('Id of the process.'),
      environment: oneOf(['staging', 'production'], 'Environment of the store.'),
      data_dir: text('Data directory.'),
      database: text('Database of the store, without user and password.'),
      client_id: text(
        'Client of the demo data; with `--exit-with-parent`, the client of the fixtures, if they have one.',
      ),
      client_secret: text('Secret of this client.'),
    },
    ['database', 'client_id', 'client_secret'],
  ),
  'Applied fixtures': record<AppliedResult>({ dry_run, ...schemasOf(applied.fields), changes }, [
    'dry_run',
    'changes',
  ]),
  'Imported cooperatives': record<ImportResult>(
    { dry_run, ...schemasOf(imported.fields), changes },
    ['dry_run', 'changes'],
  ),
  'Fixture change': record<ApplyChange>({
    ...schemasOf(changeFields),
    at: text('File and line that declare the record.'),
    fields: fields.schema,
  }),
  'Verified backup': record<VerifiedBackup>({
    file: text('Path of the backup.'),
    sound: bool('True if no problem was found.'),
    records,
    sealed_values: orNull(count('Number of decrypted values; null without a key.')),
    problems: list(text(''), 'Problems, each in one sentence.'),
    has_encryption_key: bool('Whether the backup contains the key of the store.'),
  }),
  Backup: record<{ file: string; bytes: number }>({
    file: text('Path of the backup.'),
    bytes: count('Size in bytes.'),
  }),
  'Copied store': record<Awaited<ReturnType<typeof copyStore>>>({
    from: text('Source, without user and password.'),
    to: text('Target, without user and password.'),
    records,
    digests: byName(text(''), 'Digest of the records of each kind.'),
    encryption_key_file: orNull(text('File of the key, if the store created the key.')),
  }),
  Migrations: record<{ applied: readonly string[] }>({
    applied: list(text(''), 'Names of the applied migrations.'),
  }),
  'Reopened store': record<Reopened>(
    {
      reopened: bool('Whether the store was marked as moved before.'),
      moved: orNull(refer('Store move', 'Place to which the store had been copied.')),
      access: refer('Store access', 'Who has access again, if the store was marked as moved.'),
    },
    ['access'],
  ),
  'Restored store': record<Restored>({
    data_dir: text('Data directory.'),
    records,
    needs_encryption_key: bool('Whether you have to give the key to serve the store.'),
    retired_keys: bool('Whether a new signing key has replaced those of the backup.'),
    access: refer('Store access', 'Who has access to the restored store.'),
  }),
  'Store access': record<RenderedAccess>({
    signing_keys: list(refer('Admitted signing key'), 'Keys whose tokens are accepted.'),
    clients: list(refer('Admitted client'), 'Clients that can get tokens.'),
    operators: list(refer('Admitted operator'), 'Operators who are not disabled.'),
  }),
  'Admitted signing key': record<RenderedAccess['signing_keys'][number]>({
    kid: text('Id of the key.'),
    state: oneOf(['published', 'signing', 'retiring', 'revoked'], 'State of the key.'),
    changed_at: instant('Time of the last change of the key.'),
  }),
  'Admitted client': record<RenderedAccess['clients'][number]>({
    client_id: id('Id of the client.'),
    name: orNull(text('Name of the client.')),
    organization: text('Name of the organization.'),
    changed_at: instant('Time of the last change of the client.'),
  }),
  'Admitted operator': record<RenderedAccess['operators'][number]>({
    operator_id: id('Id of the operator.'),
    name: text('Name of the operator.'),
    role: oneOf(operatorRoles, 'Role of the operator.'),
    changed_at: instant('Time of the last change of the operator.'),
  }),
  'Salvaged store': record<Salvaged>({
    from: text('Damaged backup or data directory.'),
    data_dir: text('Directory of the new store.'),
    complete: bool('True if every record was salvaged unchanged.'),
    records,
    lost: list(refer('Damaged line'), 'Lines that cannot be read.'),
    left_out: list(refer('Record note'), 'Records that were left out.'),
    corrected: list(refer('Record note'), 'Records that were corrected.'),
    cannot_settle: list(refer('Record note'), 'Orders that cannot be settled any more.'),
    access: refer('Store access', 'Who has access to the salvaged store.'),
  }),
  'Damaged line': record<Salvaged['lost'][number]>({
    file: text('File of the line.'),
    line: orNull(count('Number of the line; null if the whole file is missing.')),
    reason: text('What is wrong.'),
    ids: list(text(''), 'Ids that can be read in the line.'),
    older: list(text(''), 'Records that may be out of date.'),
  }),
  'Record note': record<Salvaged['corrected'][number]>({
    record: text('Kind and key of the record.'),
    reason: text('Explanation for people.'),
  }),
  'Verified contract': record<Verification>({
    versions: list(text(''), 'Versions of the contract against which the responses were checked.'),
    unknown_versions: list(text(''), 'Versions that the deployment has and this program lacks.'),
    holds: bool('True if no response differs from the contract.'),
    passed_over: count('Number of operations that were skipped.'),
    operations: list(refer('Verified operation'), 'The operations in their order.'),
  }),
  'Verified operation': record<VerifiedOperation>({
    operation: text('Operation id of the contract.'),
    status: orNull(count('HTTP status; null if the operation was not called or not answered.')),
    holds: bool('Whether the response matches the contract.'),
    difference: orNull(text('First difference, for people.')),
    missing_scopes: list(
      text(''),
      'Scopes that the client lacks. If it lacks any, the operation is skipped.',
    ),
  }),
  Files: record<{ files: readonly string[] }>({ files: list(text(''), 'Paths of the files.') }),
  Script: record<{ script: string }>({ script: text('The completion script.') }),
  Help: record<{ help: string }>({ help: text('The help text.') }),
  'Fixture file': {
    type: 'object',
    description: 'See [Fixture files](fixtures.md).',
    properties: {
      organizations: list(
        { type: 'object' },
        'Organizations with clients, webhooks and investors.',
      ),
      cooperatives: list({ type: 'object' }, 'Cooperatives with their images.'),
    },
    required: ['organizations', 'cooperatives'],
  },
}

type Certificate = ReturnType<typeof renderCertificate>
type JudgedCase = Certificate['cases'][number]
type ReplayReport = Extract<ReturnType<typeof renderReplay>, { before: unknown }>

const eventCounts = refer('Event counts', 'Number of events in each state.')

/** Outputs about events and signatures that only commands print. */
const eventObjects: Readonly<Record<string, JsonSchema>> = {
  'Receiver certificate': record<Certificate>({
    url: text('URL of the receiver, without its query.'),
    certified: bool('True if no case failed.'),
    passed: count('Number of cases that passed.'),
    warnings: count('Number of cases that passed, but need attention.'),
    failed: count('Number of cases that failed.'),
    skipped: count('Number of cases that were not judged.'),
    cases: list(refer('Receiver case'), 'The cases in their order.'),
  }),
  'Receiver case': record<JudgedCase>({
    case: text('Name of the case.'),
    title: text('What a receiver should do.'),
    result: oneOf(results, 'Result of the case; `skipped` means that it was not judged.'),
    detail: text('Explanation for people.'),
    advice: orNull(text('What to do about the result.')),
    requests: list(refer('Receiver request'), 'The requests in their order.'),
  }),
  'Receiver request': record<JudgedCase['requests'][number]>({
    event_id: id('Id of the fictitious event.'),
    type: text('Type of the event.'),
    attempt_id: id('Value of X-Service-Webhook-Id.'),
    status: orNull(count('HTTP status of the answer.')),
    failure: orNull(oneOf(webhookFailures, 'Why the event counts as not accepted.')),
    duration_ms: count('Milliseconds until the answer.'),
  }),
  'Replay report': record<ReplayReport>({
    dry_run: bool('Whether this was a dry run, which sends nothing.'),
    before: eventCounts,
    after: orNull(eventCounts),
    events: list(either(refer('Replayed event'), refer('Failed event')), 'The selected events.'),
  }),
  Listener: record<ReturnType<typeof renderStart>>({
    organization_id: id('Organization of the events.'),
    forward_to: text('URL of the receiver.'),
    signing_secret: text('Signing secret of the listener.'),
    after: orNull(id('Last event that was forwarded.')),
    since: instant('Time from which events are forwarded.'),
    cursor_file: text('File with the position of the listener.'),
  }),
  'Forwarded event': record<ReturnType<typeof renderAttempt>>({
    event_id: event.event_id,
    type: event.type,
    share_purchase_id: event.share_purchase_id,
    created_at: event.created_at,
    delivered: outcome.delivered,
    status: outcome.status,
    failure: outcome.failure,
    detail: outcome.detail,
    duration_ms: outcome.duration_ms,
    refusals: count('Number of times that the receiver has refused the event.'),
    next_attempt_in_ms: orNull(count('Milliseconds until the next attempt, if there is one.')),
  }),
  'Signing secret': record<{ signing_secret: string }>({
    signing_secret: text('Signing secret of the listener.'),
  }),
  'Received webhook': record<ReturnType<typeof renderReceived>>({
    genuine: bool('Whether the signature is valid.'),
    faults: list(refer('Signature fault'), 'What is wrong with the signature.'),
    status: count('HTTP status of the answer.'),
    body: text('Body of the webhook.'),
  }),
  'Verified signature': record<{ valid: boolean; t: string | null; faults: unknown }>({
    valid: bool('Whether the signature is valid.'),
    t: orNull(text('Value of `t` in the header.')),
    faults: list(refer('Signature fault'), 'What is wrong with the signature.'),
  }),
  'Signature fault': record<SignatureFault>({
    code: text('Code of the fault.'),
    detail: text('Explanation for people.'),
  }),
  'Receiver address': record<{ url: string }>({ url: text('URL of the receiver.') }),
  Signature: record<{ signature: string; t: number }>({
    signature: text('Value of the header X-Service-Webhook-Signature.'),
    t: count('Time of the signature, in seconds since 1970.'),
  }),
}

/** Outputs that only commands print, not operations. */
export const commandObjects = { ...eventObjects, ...storeObjects }
