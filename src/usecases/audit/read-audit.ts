import { type AuditEntry, type AuditSeal, sealNumber } from '../../domain/audit/audit-entry.ts'
import { foldOperatorName, localAdministrator } from '../../domain/operators/operator.ts'
import type { PageOfPeriod } from '../../domain/page.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { requireOperator } from '../operators/operators.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { digestOfEntry, hashOf, sealAuditIfPossible } from './audit-chain.ts'

export interface AuditFilter extends PageOfPeriod {
  readonly actor?: AuditEntry['actorKind'] | undefined
  /** Only refused actions. */
  readonly refused?: boolean | undefined
  readonly order?: string | undefined
  /** The name of an operator. */
  readonly operator?: string | undefined
}

/** Newest first. */
export async function* listAudit(
  { store }: Service,
  { order, operator, actor: actorKind, refused, limit, after, ...range }: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  const actorId = operator === undefined ? undefined : await operatorIdOf(store, operator)
  if (actorId !== undefined && actorKind !== undefined && actorKind !== 'operator') return
  const sharePurchaseId = order?.toLowerCase()
  const filter = { ...range, sharePurchaseId, actorId, actorKind }
  yield* readInBatches<AuditEntry>(store, {
    list: ({ auditEntries }, page) =>
      auditEntries.list({ ...filter, ...(refused && { outcome: 'refused' }), ...page }),
    idOf: ({ entryId }) => entryId,
    after,
    limit,
  })
}

async function operatorIdOf(store: Service['store'], name: string): Promise<string> {
  if (foldOperatorName(name) === localAdministrator.name) return localAdministrator.operatorId
  return (await store.read((records) => requireOperator(records, name))).operatorId
}

/** All entries in the order of the chain, and after them those that are not in it yet. */
export async function* exportAudit(service: Service): AsyncGenerator<readonly AuditEntry[]> {
  await sealAuditIfPossible(service)
  yield* readInBatches<AuditEntry>(service.store, {
    list: ({ auditEntries }, page) => auditEntries.listInOrder({ ...page, withHidden: true }),
    idOf: ({ entryId }) => entryId,
  })
}

/** The end of the chain, as it was saved elsewhere. */
export interface AuditAnchor {
  readonly position: number
  readonly hash: string
}

export interface AuditVerification extends AuditAnchor {
  /** The number of entries in the store. */
  readonly count: number
  /** The number of entries after this end of the chain, because the store accepts no writes or they are new. */
  readonly unsealed: number
  readonly at: Timestamp
  readonly problems: readonly string[]
}

const mostProblems = 100

/** Finds entries that were changed, removed or added, and with an anchor a chain that was cut off or rebuilt. */
export async function verifyAudit(
  service: Service,
  anchor: AuditAnchor | undefined,
): Promise<AuditVerification> {
  await sealAuditIfPossible(service)
  const { store, clock } = service
  const walk = new Walk(anchor)
  for (let number = 1; ; number += sealsAtOnce) {
    const last = await store.read(({ auditSeals }) => auditSeals.last())
    const newest = Number(last?.number ?? 0)
    if (number > newest) break
    const numbers = Array.from(
      { length: Math.min(sealsAtOnce, newest - number + 1) },
      (_, index) => number + index,
    )
    await walk.follow(store, numbers)
  }
  await walk.countOthers(store)
  const { end, count, unsealed } = walk
  return { ...end, count, unsealed, at: clock.now(), problems: walk.problems() }
}

const sealsAtOnce = 50

class Walk {
  readonly #anchor: AuditAnchor | undefined
  readonly #problems: string[] = []
  #isAnchored: boolean
  #last: AuditSeal | undefined
  #lastEntryId: string | undefined
  #removed = 0
  count = 0
  unsealed = 0

  constructor(anchor: AuditAnchor | undefined) {
    this.#anchor = anchor
    this.#isAnchored = anchor === undefined || anchor.position === 0
  }

  get end(): AuditAnchor {
    return { position: this.#last?.position ?? 0, hash: this.#last?.hash ?? '' }
  }

  async follow(store: Service['store'], numbers: readonly number[]): Promise<void> {
    const seals = await store.read(({ auditSeals }) =>
      Promise.all(numbers.map((number) => auditSeals.get(sealNumber(number)))),
    )
    for (const [index, seal] of seals.entries()) {
      if (!seal) this.#report(`Link ${numbers[index]} of the chain was removed.`)
      else await this.#check(store, seal)
    }
  }

  /**
   * No entry can be added before one that has its place in the chain, so what others do meanwhile only adds to the
   * entries after it.
   */
  async countOthers(store: Service['store']): Promise<void> {
    const id = this.#lastEntryId
    const reached = await store.read(async ({ auditEntries }) =>
      id === undefined ? 0 : auditEntries.countUpTo(id),
    )
    this.count = await store.read(({ auditEntries }) => auditEntries.count())
    this.unsealed = this.count - reached
    const others = reached - (this.end.position - this.#removed)
    if (others > 0) this.#report(`${others} entries were added outside of the chain.`)
  }

  problems(): readonly string[] {
    const { position, hash } = this.#anchor ?? {}
    const isShort = position !== undefined && position > this.end.position
    const text = isShort
      ? `The chain was cut off: it ends at entry ${this.end.position}, and the anchor is at entry ${position}.`
      : `The chain was rebuilt: entry ${position} does not have the hash ${hash} of the anchor.`
    return this.#isAnchored ? this.#problems : [text, ...this.#problems]
  }

  async #check(store: Service['store'], seal: AuditSeal): Promise<void> {
    const { number, position, previousHash, hash, entryIds, digests } = seal
    const before = this.#last
    this.#last = seal
    const isNext = Number(number) === Number(before?.number ?? 0) + 1
    const isChained =
      previousHash === (before?.hash ?? '') &&
      position === (before?.position ?? 0) + entryIds.length
    if ((isNext && !isChained) || hash !== hashOf(seal)) {
      this.#report(`Link ${Number(number)} of the chain was changed.`)
    }
    if (this.#anchor?.position === position && this.#anchor.hash === hash) this.#isAnchored = true
    const entries = await store.read(({ auditEntries }) =>
      Promise.all(entryIds.map((id) => auditEntries.get(id))),
    )
    for (const [index, entry] of entries.entries()) {
      const name = `Entry ${position - entryIds.length + index + 1} (${entryIds[index]})`
      if (!entry) {
        this.#removed += 1
        this.#report(`${name} was removed.`)
        continue
      }
      this.#lastEntryId = entry.entryId
      if (digestOfEntry(entry) !== digests[index]) this.#report(`${name} was changed.`)
    }
  }

  #report(problem: string): void {
    if (this.#problems.length < mostProblems) this.#problems.push(problem)
  }
}
