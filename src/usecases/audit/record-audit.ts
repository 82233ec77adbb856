import {
  type Actor,
  type AuditEntry,
  type AuditedChange,
  isImpersonalId,
  type OwnAction,
  type Via,
} from '../../domain/audit/audit-entry.ts'
import type { ActingOperator } from '../../domain/operators/operator.ts'
import { nextTurn } from '../../machine/time.ts'
import type { AuditTrail, RecordChange, Records, Store } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { others, type RefusedAttempts } from './refused-attempts.ts'

/** Who does what, and by which means. */
export interface AuditContext {
  readonly actor: Actor
  readonly via: Via
  readonly operation: string
  readonly requestId: string | null
}

/** A service whose changes are recorded as those of this actor, in the same write. */
export interface AuditedService extends Service {
  readonly store: AuditedStore
}

export function operatorActor({ operatorId: id, name, role }: ActingOperator): Actor {
  return { kind: 'operator', id, name, role }
}

/** Actions of the service itself. */
export function systemAuditContext(operation: OwnAction): AuditContext {
  const actor: Actor = { kind: 'system', id: 'coopshare', name: 'coopshare', role: null }
  return { actor, via: 'service', operation, requestId: null }
}

/** A write can change a thousand orders, each with an entry. */
const entriesPerTurn = 50

export function withAudit(service: Service, acting: AuditContext): AuditedService {
  const store = service.store instanceof AuditedStore ? service.store.inner : service.store
  const trail = auditTrailOf(service, acting)
  return { ...service, store: new AuditedStore(store, trail, () => service.sealer?.wake()) }
}

type EntryMaker = Pick<Service, 'clock' | 'random'>

/** Adds entries about changes to their write. */
export function auditTrailOf(service: EntryMaker, acting: AuditContext): AuditTrail {
  return async (changes, records) => {
    for (const [index, group] of byPurchase(changes).entries()) {
      await put(records, service, acting, group)
      if (index % entriesPerTurn === entriesPerTurn - 1) await nextTurn()
    }
  }
}

/** The content of an entry without a change of a record, such as a refusal. */
export interface Attempt {
  readonly subjects: Readonly<Record<string, string>>
  readonly outcome: AuditEntry['outcome']
  readonly code?: string | undefined
}

/** Records an action that has not put any record. */
export async function auditAttempt(
  service: Service,
  acting: AuditContext,
  attempt: Attempt,
): Promise<void> {
  const store = service.store instanceof AuditedStore ? service.store.inner : service.store
  await store.write(subjects.all('auditEntries'), (records) =>
    recordAttempt(records, service, acting, attempt),
  )
  service.sealer?.wake()
}

/** Records an action in a write that puts no other record. */
export function recordAttempt(
  records: Records,
  service: EntryMaker,
  acting: AuditContext,
  { subjects, outcome, code }: Attempt,
): Promise<void> {
  return put(records, service, acting, { subjects, changes: [], outcome, code: code ?? null })
}

/** Passes everything on, and gives each write the trail of its actor. */
class AuditedStore implements Store {
  readonly inner: Store
  /** Whether a write has an entry already. */
  hasNoted = false
  readonly #trail: AuditTrail
  readonly #onNoted: () => void

  constructor(inner: Store, trail: AuditTrail, onNoted: () => void) {
    this.inner = inner
    this.#trail = trail
    this.#onNoted = onNoted
  }

  get receiverLeases(): Store['receiverLeases'] {
    return this.inner.receiverLeases
  }

  read: Store['read'] = (work) => this.inner.read(work)

  write: Store['write'] = async (subject, work) => {
    let isNoted = false
    const run = (records: Records) => {
      // An entry of an earlier run was not committed.
      isNoted = false
      return work(records)
    }
    const result = await this.inner.write(subject, run, async (changes, records) => {
      isNoted = true
      await this.#trail(changes, records)
    })
    if (isNoted) {
      this.hasNoted = true
      this.#onNoted()
    }
    return result
  }

  watchDeliveries: Store['watchDeliveries'] = (listener) => this.inner.watchDeliveries(listener)
  health: Store['health'] = () => this.inner.health()
  close: Store['close'] = () => this.inner.close()
}

interface Group extends Required<Pick<Attempt, 'subjects' | 'outcome'>> {
  readonly changes: readonly AuditedChange[]
  readonly code: string | null
}

/**
 * An entry is about at most one order, so that it can be found by that order. Other changes come
 * with the first order.
 */
function byPurchase(changes: readonly RecordChange[]): readonly Group[] {
  const groups = new Map<string, RecordChange[]>()
  const others: RecordChange[] = []
  for (const change of changes) {
    const { sharePurchaseId } = change.ids
    if (sharePurchaseId === undefined) others.push(change)
    else groups.set(sharePurchaseId, [...(groups.get(sharePurchaseId) ?? []), change])
  }
  const [first = [], ...rest] = groups.values()
  return [[...first, ...others], ...rest].map((group) => ({
    subjects: sharedIds(group),
    changes: group.map(({ collection, before, after, id }) => ({
      record: collection,
      id,
      before,
      after,
    })),
    outcome: 'done',
    code: null,
  }))
}

/** The ids that all changes have in common. Other ids are only in the changes themselves. */
function sharedIds(changes: readonly RecordChange[]): Readonly<Record<string, string>> {
  const shared: Record<string, string> = {}
  const differing = new Set<string>()
  for (const [name, id] of changes.flatMap(({ ids }) => Object.entries(ids))) {
    if ((shared[name] ?? id) !== id) differing.add(name)
    shared[name] = id
  }
  for (const name of differing) delete shared[name]
  return shared
}

async function put(
  { auditEntries }: Records,
  { clock, random }: EntryMaker,
  { actor, via, operation, requestId }: AuditContext,
  { subjects, changes, outcome, code }: Group,
): Promise<void> {
  await auditEntries.put({
    entryId: random.traceId(),
    at: clock.now(),
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    actorRole: actor.role,
    via,
    operation,
    requestId: requestId !== null && isImpersonalId(requestId) ? requestId : null,
    sharePurchaseId: subjects['sharePurchaseId'] ?? null,
    subjects: JSON.stringify(subjects),
    changes: JSON.stringify(changes),
    outcome,
    code,
  })
}

/** The maximum number of addresses with separate entries. */
const mostAddresses = 50

/** Records a wrong token. The refusal does not depend on whether the store can write. */
export function noteRefusedSignIn(
  service: Service,
  refused: RefusedAttempts,
  { address: caller, requestId }: { readonly address: string; readonly requestId: string },
): void {
  const actor = { kind: 'operator', id: 'unknown', name: 'unknown', role: null } as const
  const put = (address: string, count: number) => {
    const first = count === 1 ? requestId : null
    const acting: AuditContext = { actor, via: 'api', operation: 'sign_in', requestId: first }
    const subjects = { address, attempts: String(count) }
    return auditAttempt(service, acting, { subjects, outcome: 'refused', code: 'UNAUTHENTICATED' })
  }
  const alike = { group: 'sign_in', kind: caller, most: mostAddresses }
  refused.note(alike, put).catch(() => undefined)
}

/** The maximum number of different refusals of an operator in a minute with separate entries. */
const mostRefusals = 10

/** Records a refused operation. In a service, which may get thousands of them, those that are alike share entries. */
export async function auditRefusal(
  service: Service,
  acting: AuditContext,
  { subjects, code }: Pick<Attempt, 'subjects' | 'code'>,
): Promise<void> {
  const put = (kind: string, count: number) => {
    const shared = kind === others ? {} : subjects
    const counted = count === 1 ? {} : { attempts: String(count) }
    const requestId = count === 1 ? acting.requestId : null
    const attempt = { subjects: { ...shared, ...counted }, outcome: 'refused', code } as const
    return auditAttempt(service, { ...acting, requestId }, attempt)
  }
  if (!service.refusedAttempts) return put('', 1)
  const kind = JSON.stringify([acting.operation, code, subjects])
  await service.refusedAttempts.note({ group: acting.actor.id, kind, most: mostRefusals }, put)
}
