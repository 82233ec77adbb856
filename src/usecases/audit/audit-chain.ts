import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { type AuditEntry, type AuditSeal, sealNumber } from '../../domain/audit/audit-entry.ts'
import { atMost, clearTimeout, setTimeout } from '../../machine/time.ts'
import type { Timer } from '../../ports/machine.ts'
import { isStoreReadOnly, type ReadableRecords, type Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'

const perSeal = 500

type Sealing = Pick<Service, 'store' | 'clock'>

/**
 * Adds the entries that have no place in the chain yet. Several instances may do this at the same time.
 * @returns whether none is left. In PostgreSQL, the place of an entry is certain only when all earlier transactions on
 *   the server have ended, even those of other programs.
 */
export async function sealAudit(service: Sealing): Promise<boolean> {
  while ((await sealNext(service)) === perSeal);
  return service.store.read(async (records) => {
    const last = await records.auditSeals.last()
    const left = await listUnsealed(records, last, { limit: 1, withHidden: true })
    return left.length === 0
  })
}

/**
 * A store that accepts no writes keeps its entries as they are: they can still be read, and
 * verified as far as the chain goes.
 */
export async function sealAuditIfPossible(service: Sealing): Promise<void> {
  try {
    await sealAudit(service)
  } catch (error) {
    if (!isStoreReadOnly(error)) throw error
  }
}

/** The next number is proven to be free, so the chain cannot fork. */
async function sealNext({ store, clock }: Sealing): Promise<number> {
  const at = clock.now()
  return store.write(subjects.all('auditSeals'), async (records) => {
    const { auditSeals } = records
    const last = await auditSeals.last()
    const number = sealNumber(Number(last?.number ?? 0) + 1)
    if (await auditSeals.get(number)) return perSeal
    const entries = await listUnsealed(records, last, { limit: perSeal })
    if (entries.length === 0) return 0
    const link = {
      number,
      position: (last?.position ?? 0) + entries.length,
      entryIds: entries.map(({ entryId }) => entryId),
      digests: entries.map(digestOfEntry),
      previousHash: last?.hash ?? '',
      at,
    }
    await auditSeals.put({ ...link, hash: hashOf(link) })
    return entries.length
  })
}

/** Starts after the last sealed entry that still exists: somebody may have removed entries from the store. */
async function listUnsealed(
  records: ReadableRecords | Records,
  last: AuditSeal | undefined,
  page: { readonly limit: number; readonly withHidden?: boolean },
): Promise<readonly AuditEntry[]> {
  const { auditEntries, auditSeals } = records
  let after: string | undefined
  const sealed = new Set<string>()
  for (let seal = last; seal && after === undefined; ) {
    for (const id of seal.entryIds.toReversed()) {
      sealed.add(id)
      if (after === undefined && (await auditEntries.get(id))) after = id
    }
    const previous = Number(seal.number) - 1
    seal = after === undefined ? await auditSeals.get(sealNumber(previous)) : undefined
  }
  const entries = await auditEntries.listInOrder({ after, ...page })
  return entries.filter(({ entryId }) => !sealed.has(entryId))
}

export function digestOfEntry(entry: AuditEntry): string {
  return hash('sha256', stringify(entry), 'base64url')
}

export function hashOf(seal: Omit<AuditSeal, 'hash'>): string {
  const { number, position, entryIds, digests, previousHash, at } = seal
  return hash('sha256', JSON.stringify([previousHash, number, position, at, entryIds, digests]))
}

const soonMs = 1000
const retryMs = 10_000
/** A service that stops waits no longer than this for the audit. */
const patienceMs = 500

/** Seals new entries soon after they are stored, in the background of a running service. */
export class AuditSealer {
  readonly #service: Sealing
  readonly #onError: (error: unknown) => void
  #timer: Timer | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  /** @param onError called with any failure except that of a store that accepts no writes, which others report */
  constructor(service: Sealing, onError: (error: unknown) => void = () => undefined) {
    this.#service = service
    this.#onError = onError
  }

  wake(delayMs = soonMs): void {
    if (this.#isStopped) return
    this.#timer ??= setTimeout(() => this.#seal(), delayMs).unref()
  }

  /** Seals remaining entries, unless the store cannot write or does not answer. The next start would do it, too. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) {
      clearTimeout(this.#timer)
      this.#seal()
    }
    await atMost(patienceMs, this.#running)
  }

  /**
   * Seals run one after the other, because on a slow store they would pile up. A store that accepts no writes is
   * tried again later, and so are entries whose place is not certain yet.
   */
  #seal(): void {
    this.#timer = undefined
    const seal = async () => {
      try {
        if (!(await sealAudit(this.#service))) this.wake()
      } catch (error) {
        if (!isStoreReadOnly(error)) this.#onError(error)
        this.wake(retryMs)
      }
    }
    this.#running = this.#running.then(seal)
  }
}
