import { Problem } from '../domain/problem.ts'
import type { CollectionName, Collections } from './collections.ts'
import type { ReceiverLeases } from './receiver-leases.ts'
import type { Subject } from './subjects.ts'

/**
 * The store of the service. All engines keep the same promises, which one suite tests
 * (test/adapters/store-contract.ts).
 */
export interface Store {
  read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` as a transaction. When it resolves, everything that `work` has put is durable. If
   * `work` throws, nothing is stored and the error is passed on.
   *
   * The write commits only if nothing that `work` has read has changed meanwhile. Otherwise `work`
   * runs again, so it may only read and put. `work` sees what it has put.
   *
   * A record that is put as it was read is not stored again.
   *
   * `subject` names what the work is about, such as an investor. Writes with the same subject would
   * conflict, so they run one after the other.
   *
   * `trail` gets what the work has changed, and may put more in the same write.
   *
   * Throws a Problem with SERVICE_UNAVAILABLE if the engine cannot keep its promise, for example
   * because the disk is full or the database cannot be reached.
   */
  write<Result>(
    subject: Subject,
    work: (records: Records) => Promise<Result>,
    trail?: AuditTrail,
  ): Promise<Result>
  readonly receiverLeases: ReceiverLeases
  /**
   * Calls `listener` when any instance has put deliveries, or when this instance has put an order
   * whose fate has a next step, and sometimes without a reason. Returns a function that ends the
   * calls.
   */
  watchDeliveries(listener: () => void): () => void
  /** Whether the store accepts writes, and the reason if not. */
  health(): Promise<StoreHealth>
  close(): Promise<void>
}

/**
 * A record that a work has changed, with the fields that its collection lists for the audit and that differ. Both lists
 * are empty if only other fields differ.
 */
export interface RecordChange {
  readonly collection: CollectionName
  /** The id of the record. */
  readonly id: string
  /** The id of the record, and those of the records that it refers to. */
  readonly ids: Readonly<Record<string, string>>
  /** null if the record is new, or if the work has not read it. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** null if the record was removed. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** Called only if the work has changed a record of a collection that the audit lists. */
export type AuditTrail = (changes: readonly RecordChange[], records: Records) => Promise<void>

export type StoreHealth =
  | { readonly ready: true }
  /** `cause` stays the same object while the reason stays the same. */
  | {
      readonly ready: false
      readonly reason: string
      readonly cause: unknown
      /** Whether the store accepts no more writes until it is opened again, even if the cause is gone. */
      readonly isFinal: boolean
    }

/**
 * `put` inserts or replaces the record with the same key. Throws UniquenessError if another
 * record has one of its unique values.
 */
interface Writable<Stored> {
  put(record: Stored): Promise<void>
}

/** The store accepts no writes. The cause is for operators, not for partners. */
export class StoreFailedProblem extends Problem {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'The service cannot store anything now. Try again later.', {
      cause,
    })
  }
}

/** Whether a write has failed because the store accepts none: its disk or database has failed, or it was moved. */
export function isStoreReadOnly(error: unknown): boolean {
  const codes: readonly string[] = ['SERVICE_UNAVAILABLE', 'STORE_MOVED']
  return error instanceof Problem && codes.includes(error.code)
}

/** Another record already has this unique value. Use cases translate it into a Problem. */
export class UniquenessError extends Error {
  readonly index: string

  constructor(index: string) {
    super(`Another record already has this ${index}.`)
    this.name = 'UniquenessError'
    this.index = index
  }
}

export type ReadableRecords = { readonly [Name in CollectionName]: Collections[Name]['reader'] }

export type Records = {
  readonly [Name in CollectionName]: Collections[Name]['reader'] &
    Writable<Collections[Name]['stored']> &
    Collections[Name]['changes']
}
