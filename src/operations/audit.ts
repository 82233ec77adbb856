import { boolean, define, enums, object, optional } from 'superstruct'
import { type AuditEntry, actorKinds } from '../domain/audit/audit-entry.ts'
import {
  type AuditAnchor,
  type AuditVerification,
  exportAudit,
  listAudit,
  verifyAudit,
} from '../usecases/audit/read-audit.ts'
import { resolveShortId } from '../usecases/investors/find-investors.ts'
import type { Service } from '../usecases/service.ts'
import { integerWithin } from '../wire/bounds.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import { renameKeys, toWirePath } from '../wire/problems.ts'
import { described } from '../wire/schema-of-shape.ts'
import {
  bool,
  count,
  field,
  id,
  instant,
  listOf,
  nested,
  oneOf,
  text,
  textOrNull,
  valuesOf,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'

export type { AuditAnchor }

interface NamedEntry {
  readonly entry: AuditEntry
  readonly subjects: Readonly<Record<string, string>>
  readonly changes: readonly StoredChange[]
  /** The organization of a client. */
  readonly organization: string | null
}

interface StoredChange {
  readonly record: string
  readonly id: string
  readonly before: object | null
  readonly after: object | null
}

const actor = view<NamedEntry>()('Actor', {
  kind: oneOf(['operator', 'client', 'system'], 'Actor kind.', (it) => it.entry.actorKind),
  id: text(
    'Operator id or client id; `local` is the local administrator.',
    (it) => it.entry.actorId,
  ),
  name: text('Name that the actor had at that time.', (it) => it.entry.actorName),
  role: textOrNull('Role that the operator had at that time.', (it) => it.entry.actorRole),
  organization: textOrNull('For a client, the name of its organization.', (it) => it.organization),
})

const objectOrNull = (description: string) => schemas.orNull({ type: 'object', description })

const change = view<StoredChange>()('Audited change', {
  record: text('Record kind.', (it) => singular(it.record)),
  id: text('Id of the record.', (it) => it.id),
  before: field(
    objectOrNull('Changed fields before the change; null for a new record.'),
    (it: StoredChange) => it.before && renderKeys<unknown>(it.before),
  ),
  after: field(
    objectOrNull('The same fields after the change; null for a removed record.'),
    (it: StoredChange) => it.after && renderKeys<unknown>(it.after),
  ),
})

export const auditEntry = view<NamedEntry>()('Audit entry', {
  entry_id: id('Id of the entry.', (it) => it.entry.entryId),
  at: instant('Time of the action.', (it) => it.entry.at),
  actor: nested(actor, 'Who acted.', (it) => it),
  via: oneOf(
    ['command', 'console', 'api', 'service'],
    'How the request arrived.',
    (it) => it.entry.via,
  ),
  operation: text(
    'Operation that an operator, a partner or the service itself ran.',
    (it) => it.entry.operation,
  ),
  request_id: textOrNull(
    'Request id; null if the service itself acted, or if the caller chose an id that is neither a UUID nor a trace id.',
    (it) => it.entry.requestId,
  ),
  subjects: field(
    schemas.byName(
      schemas.text(''),
      'Ids of the records that the entry is about, such as `share_purchase_id`.',
    ),
    (it: NamedEntry) => renderKeys<string>(it.subjects),
  ),
  changes: listOf(change, 'Changes of records.', (it) => it.changes),
  outcome: oneOf(
    ['done', 'proposed', 'refused'],
    'Result of the action. A second operator must confirm a `proposed` action.',
    (it) => (it.changes.some(isProposal) ? 'proposed' : it.entry.outcome),
  ),
  code: textOrNull('Code of the refusal.', (it) => it.entry.code),
})

const verification = view<AuditVerification>()('Audit verification', {
  sound: bool('Whether nobody has changed the audit.', (it) => it.problems.length === 0),
  position: count('Number of entries in the chain.', (it) => it.position),
  hash: text(
    'Hash of the last entry in the chain; empty if there are no entries.',
    (it) => it.hash,
  ),
  count: count('Number of entries in the store.', (it) => it.count),
  unsealed: count('Number of entries that are not in the chain yet.', (it) => it.unsealed),
  at: instant('Time of the verification.', (it) => it.at),
  problems: valuesOf(schemas.text(''), 'Problems, each in one sentence.', (it) => it.problems),
})

/** The hash of the chain; empty for a chain without entries. */
const chainHash = described(
  define<string>(
    'hash',
    (value) =>
      /^([0-9a-f]{64})?$/.test(String(value)) || 'must be the hash that `audit verify` has printed',
  ),
  { type: 'string', pattern: '^([0-9a-f]{64})?$' },
)

export const anchorFields = { position: integerWithin({ min: 0 }), hash: chainHash }

export const auditOperations = {
  'audit.list': listOperation({
    role: 'viewer',
    summary: 'List audit entries, newest first.',
    problems: ['OPERATOR_NOT_FOUND'],
    input: object({
      order: optional(given.text()),
      operator: optional(given.text()),
      actor: optional(enums(actorKinds)),
      refused: optional(boolean()),
      since: optional(given.timestamp()),
      until: optional(given.timestamp()),
      limit: optional(given.limit()),
      /** Cursor: id of the last entry of the previous page. */
      after: optional(given.text()),
    }),
    row: auditEntry,
    batches: async function* (service, { since, until, ...filter }) {
      const range = given.readRange({ since, until })
      const order = filter.order && (await resolveShortId(service, 'order', filter.order))
      for await (const entries of listAudit(service, { ...filter, ...range, order })) {
        yield await nameEntries(service, entries)
      }
    },
  }),
  'audit.export': listOperation({
    role: 'administrator',
    summary: 'Export the whole audit in chain order.',
    input: object({}),
    row: auditEntry,
    batches: async function* (service) {
      for await (const entries of exportAudit(service)) yield await nameEntries(service, entries)
    },
  }),
  'audit.verify': operation({
    role: 'viewer',
    summary: 'Verify the audit chain.',
    note: 'Send an earlier answer as `anchor` to find out whether the chain has been truncated since that answer.',
    input: object({ anchor: optional(object(anchorFields)) }),
    answer: verification,
    run: (service, { anchor }) => verifyAudit(service, anchor),
  }),
}

/** The clients of partners often have the same names, so each has the name of its organization. */
async function nameEntries(
  { store }: Service,
  entries: readonly AuditEntry[],
): Promise<readonly NamedEntry[]> {
  const hasClients = entries.some(({ actorKind }) => actorKind === 'client')
  const all = hasClients ? await store.read(({ organizations }) => organizations.list()) : []
  const names = new Map(all.map(({ organizationId, name }) => [organizationId, name]))
  return entries.map((entry) => {
    const subjects: NamedEntry['subjects'] = JSON.parse(entry.subjects)
    const isOfClient = entry.actorKind === 'client'
    return {
      entry,
      subjects,
      changes: JSON.parse(entry.changes),
      organization: (isOfClient && names.get(subjects['organizationId'] ?? '')) || null,
    }
  })
}

/** Distinguishes a decision that a second operator has to confirm from one that was made. */
function isProposal({ after }: StoredChange): boolean {
  return Boolean(after && 'proposal' in after && after.proposal !== null)
}

function renderKeys<Value>(values: object): Record<string, Value> {
  return renameKeys(values as Readonly<Record<string, Value>>)
}

/** `sharePurchases` -> `share_purchase` */
function singular(collection: string): string {
  return toWirePath(collection).replace(/ies$/, 'y').replace(/s$/, '')
}
