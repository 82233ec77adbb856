import type { RenderedField } from '../../wire/fixture-changes.ts'
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
import type { Output } from '../operations.ts'

type AuditEntry = Output<'audit.list'>[number]
type Check = Output<'store.check'>

const records = byName(count(''), 'Number of records of each kind.')
const scalar = either({ type: 'string' }, { type: 'number' }, { type: 'boolean' })

const object: JsonSchema = { type: 'object' }

const counts = (description: string) => refer('Fixture counts', description)

export const appliedFixtures = {
  created: counts('Numbers of new records.'),
  updated: counts('Numbers of changed records.'),
  unchanged: counts('Numbers of unchanged records.'),
  clients: list(refer('Applied client'), 'Clients with new secrets.'),
  webhooks: list(refer('Applied webhook endpoint'), 'New webhook endpoints.'),
}

export const changedRecord = {
  kind: oneOf(
    ['organization', 'client', 'webhook', 'cooperative', 'investor', 'share_purchase'],
    'Kind of the record.',
  ),
  name: text('Id, name, URL or key of the record.'),
  outcome: oneOf(['created', 'updated'], 'What happens to the record.'),
}

export const changedFields = list(
  either(refer('Changed field'), refer('Hidden field')),
  'Fields that change; empty for a new record.',
)

export const storeObjects: Readonly<Record<string, JsonSchema>> = {
  'Audit entry': record<AuditEntry>({
    entry_id: id('Id of the entry.'),
    at: instant('Time of the action.'),
    actor: refer('Actor', 'Who acted.'),
    via: oneOf(['command', 'console', 'api', 'service'], 'How the request arrived.'),
    operation: text('Operation of an operator, of the partner API, or of the service itself.'),
    request_id: orNull(
      text(
        'Id of the request; null for the service itself, or if the caller chose an id that is neither a UUID nor a trace id.',
      ),
    ),
    subjects: byName(
      text(''),
      'Ids of the records that the entry is about, such as `share_purchase_id`.',
    ),
    changes: list(refer('Audited change'), 'Changes of records.'),
    outcome: oneOf(
      ['done', 'proposed', 'refused'],
      'What happened. A second operator has to confirm a proposed action.',
    ),
    code: orNull(text('Code of the refusal.')),
  }),
  Actor: record<AuditEntry['actor']>({
    kind: oneOf(['operator', 'client', 'system'], 'Kind of actor.'),
    id: text('Id of the operator or client; `local` is the local administrator.'),
    name: text('Name of the actor at the time of the entry.'),
    role: orNull(text('Role of an operator at the time of the entry.')),
    organization: orNull(text('Name of the organization of a client.')),
  }),
  'Audited change': record<AuditEntry['changes'][number]>({
    record: text('Kind of the record.'),
    id: text('Id of the record.'),
    before: orNull({
      ...object,
      description: 'Changed fields before the change; null for a new record.',
    }),
    after: orNull({
      ...object,
      description: 'These fields after the change; null for a removed record.',
    }),
  }),
  'Audit verification': record<Output<'audit.verify'>>({
    sound: bool('Whether the audit is unchanged.'),
    position: count('Number of entries in the chain.'),
    hash: text('Hash of the end of the chain; empty if there are no entries.'),
    count: count('Number of entries in the store.'),
    unsealed: count('Number of entries that are not in the chain yet.'),
    at: instant('Time of the verification.'),
    problems: list(text(''), 'What is wrong, one sentence each.'),
  }),
  'Fixture counts': record<Output<'fixtures.apply'>['created']>({
    organizations: count('Number of organizations.'),
    clients: count('Number of clients.'),
    webhooks: count('Number of webhook endpoints.'),
    cooperatives: count('Number of cooperatives.'),
    investors: count('Number of investors.'),
    share_purchases: count('Number of share purchases.'),
  }),
  'Changed field': record<Exclude<RenderedField, { hidden: true }>>({
    field: text('Path of the field.'),
    before: orNull({ ...scalar, description: 'Value in the store.' }),
    after: orNull({ ...scalar, description: 'Value in the file.' }),
  }),
  'Hidden field': record<Extract<RenderedField, { hidden: true }>>({
    field: text('Path of the field.'),
    hidden: { ...bool('The values are confidential.'), const: true },
  }),
  'Store check': record<Check>({
    sound: bool('True if no problem was found.'),
    records,
    torn_bytes: count('Bytes of an incomplete last line, which was never acknowledged.'),
    sealed_values: orNull(
      count('Number of encrypted values that were checked; null without a key.'),
    ),
    problems: list(text(''), 'Problems, each in one sentence.'),
    moved: orNull(refer('Store move', 'Place to which the store was copied.')),
    journal_end: orNull(refer('Journal position', 'End of the last journal; null for a database.')),
  }),
  'Store move': record<NonNullable<Check['moved']>>({
    to: text('Directory, or address of a database without user and password.'),
    at: instant('Time of the copy.'),
  }),
  'Journal position': record<NonNullable<Check['journal_end']>>({
    journal: count('Number of the journal.'),
    bytes: count('Length of the journal.'),
  }),
  'Rekeyed store': record<Output<'store.rekey'>>({
    renewed_records: count('Number of records that were encrypted again.'),
    damaged_values: list(text(''), 'Values that neither key decrypts; they were not changed.'),
    resumed: bool('Whether an interrupted change of the key was finished.'),
    key_in_store: bool('Whether the store itself keeps the new key.'),
  }),
  'Compacted store': record<Output<'store.compact'>>({
    bytes_before: count('Size of the files before, in bytes.'),
    bytes_after: count('Size of the files after, in bytes.'),
    records,
  }),
}
