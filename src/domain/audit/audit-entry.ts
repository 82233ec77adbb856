import type { Timestamp } from '../timestamp.ts'

export const actorKinds = ['operator', 'client', 'system'] as const

/** The person or program that did something. The service itself acts on orders with a fate, and at its start. */
export interface Actor {
  readonly kind: (typeof actorKinds)[number]
  readonly id: string
  readonly name: string
  /** null for anyone but operators. */
  readonly role: string | null
}

export const auditOutcomes = ['done', 'refused'] as const

/** What has entries without being an operation, because no operator asks for it by name, or because the store is closed. */
export type OwnAction =
  | 'bench'
  | 'fate'
  | 'sign_in'
  | 'sign_out'
  | 'start'
  | 'store.backup'
  | 'store.copy'
  | 'store.reopen'
  | 'store.restore'
  | 'store.salvage'
  | 'tokens.expire'

/** How a request came. */
export type Via = 'command' | 'console' | 'api' | 'service'

/**
 * An action that was done or refused. Entries never change. Entries contain no personal data of
 * investors, and stay when an investor is erased.
 */
export interface AuditEntry {
  readonly entryId: string
  readonly at: Timestamp
  readonly actorKind: Actor['kind']
  readonly actorId: string
  readonly actorName: string
  readonly actorRole: string | null
  readonly via: Via
  readonly operation: string
  /** null for the service itself, and if the caller chose an id that entries may not contain. */
  readonly requestId: string | null
  readonly sharePurchaseId: string | null
  /** Ids by name, as JSON: text takes much less memory than objects. */
  readonly subjects: string
  /** A list of `AuditedChange`, as JSON. */
  readonly changes: string
  readonly outcome: (typeof auditOutcomes)[number]
  /** The problem code of a refusal. */
  readonly code: string | null
}

const uuidOrTraceId = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i

/**
 * Whether an entry may contain the id of its request. Callers choose these ids, and one of another form could be an
 * e-mail address or an IBAN, which would stay when the investor is erased.
 */
export function isImpersonalId(requestId: string): boolean {
  return uuidOrTraceId.test(requestId)
}

/** Only the fields that differ; null before a record was created and after it was removed. */
export interface AuditedChange {
  /** The name of the collection. */
  readonly record: string
  readonly id: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** A link of the chain: the next entries, in their order, with the digest of each. */
export interface AuditSeal {
  /** From 1, with a fixed number of digits, so that it can be a key. */
  readonly number: string
  /** The number of entries up to the end of this link. */
  readonly position: number
  readonly entryIds: readonly string[]
  readonly digests: readonly string[]
  /** The hash of the previous link; empty in the first one. */
  readonly previousHash: string
  readonly hash: string
  readonly at: Timestamp
}

export function sealNumber(number: number): string {
  return String(number).padStart(12, '0')
}
