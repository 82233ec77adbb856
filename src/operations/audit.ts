import { boolean, define, enums, integer, min, object, optional } from 'superstruct'
import { type AuditEntry, actorKinds } from '../domain/audit/audit-entry.ts'
import {
  type AuditAnchor,
  exportAudit,
  listAudit,
  verifyAudit,
} from '../usecases/audit/read-audit.ts'
import { resolveShortId } from '../usecases/investors/find-investors.ts'
import type { Service } from '../usecases/service.ts'
import { limit, readRange, text, timestamp } from '../wire/fields.ts'
import { described } from '../wire/json-schema.ts'
import { renameKeys, toWirePath } from '../wire/problems.ts'
import { listOperation, operation } from './operation.ts'

/** The hash of the chain; empty for a chain without entries. */
const chainHash = described(
  define<string>(
    'hash',
    (value) =>
      /^([0-9a-f]{64})?$/.test(String(value)) || 'must be the hash that `audit verify` has printed',
  ),
  { type: 'string', pattern: '^([0-9a-f]{64})?$' },
)

export const anchorFields = { position: min(integer(), 0), hash: chainHash }

export type { AuditAnchor }

export const auditOperations = {
  'audit.list': listOperation({
    input: object({
      order: optional(text()),
      operator: optional(text()),
      actor: optional(enums(actorKinds)),
      refused: optional(boolean()),
      since: optional(timestamp()),
      until: optional(timestamp()),
      limit: optional(limit()),
      /** Cursor: id of the last entry of the previous page. */
      after: optional(text()),
    }),
    batches: async function* (service, { since, until, ...filter }) {
      const range = readRange({ since, until })
      const order = filter.order && (await resolveShortId(service, 'order', filter.order))
      for await (const entries of listAudit(service, { ...filter, ...range, order })) {
        yield await renderEntries(service, entries)
      }
    },
  }),
  'audit.export': listOperation({
    input: object({}),
    batches: async function* (service) {
      for await (const entries of exportAudit(service)) {
        yield await renderEntries(service, entries)
      }
    },
  }),
  'audit.verify': operation({
    input: object({ anchor: optional(object(anchorFields)) }),
    run: async (service, { anchor }) => {
      const { problems, ...verified } = await verifyAudit(service, anchor)
      return { sound: problems.length === 0, ...verified, problems }
    },
  }),
}

interface StoredChange {
  readonly record: string
  readonly id: string
  readonly before: object | null
  readonly after: object | null
}

/** The clients of partners often have the same names, so each has the name of its organization. */
async function renderEntries({ store }: Service, entries: readonly AuditEntry[]) {
  const hasClients = entries.some(({ actorKind }) => actorKind === 'client')
  const all = hasClients ? await store.read(({ organizations }) => organizations.list()) : []
  const names = new Map(all.map(({ organizationId, name }) => [organizationId, name]))
  return entries.map((entry) => renderEntry(entry, names))
}

function renderEntry(entry: AuditEntry, organizations: ReadonlyMap<string, string>) {
  const subjects: Readonly<Record<string, string>> = JSON.parse(entry.subjects)
  const changes: readonly StoredChange[] = JSON.parse(entry.changes)
  const isOfClient = entry.actorKind === 'client'
  return {
    entry_id: entry.entryId,
    at: entry.at,
    actor: {
      kind: entry.actorKind,
      id: entry.actorId,
      name: entry.actorName,
      role: entry.actorRole,
      organization: (isOfClient && organizations.get(subjects['organizationId'] ?? '')) || null,
    },
    via: entry.via,
    operation: entry.operation,
    request_id: entry.requestId,
    subjects: renderKeys<string>(subjects),
    changes: changes.map((change) => ({
      record: singular(change.record),
      id: change.id,
      before: change.before && renderKeys<unknown>(change.before),
      after: change.after && renderKeys<unknown>(change.after),
    })),
    outcome: changes.some(isProposal) ? ('proposed' as const) : entry.outcome,
    code: entry.code,
  }
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
