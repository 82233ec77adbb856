import type { Money } from '../domain/money.ts'
import type {
  CollectionState,
  DebitCollection,
  DirectDebit,
} from '../domain/payments/debit-collection.ts'
import type { Payment, PaymentState } from '../domain/payments/payment.ts'
import type { Fact, Statement, StatementEntry } from '../domain/payments/statement.ts'
import type { Timestamp } from '../domain/timestamp.ts'

/** The number of some payments, and their amount. */
export interface PaymentSum {
  readonly count: number
  readonly total: Money
}

export interface PaymentFilter {
  readonly cooperativeId?: string | undefined
  readonly state?: PaymentState | undefined
  /** The id of the order whose payment is the last one of the previous part. */
  readonly after?: string | undefined
  readonly isNewestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface PaymentReader {
  get(sharePurchaseId: string): Promise<Payment | undefined>
  /** Oldest first, unless the filter says something else. */
  list(filter: PaymentFilter): Promise<readonly Payment[]>
  /** The payments whose last direct debit is in this collection, in the order of their creation. */
  listByCollection(request: {
    readonly collectionId: string
    readonly state: PaymentState
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly Payment[]>
  /** For each of these cooperatives. The sums are kept, so the number of payments does not matter. For reads only. */
  sumByState<State extends PaymentState>(
    cooperativeIds: readonly string[],
    states: readonly State[],
  ): Promise<ReadonlyMap<string, Readonly<Record<State, PaymentSum>>>>
}

export interface DebitCollectionFilter {
  readonly cooperativeId?: string | undefined
  readonly state?: CollectionState | undefined
  readonly after?: string | undefined
  readonly since?: Timestamp | undefined
  readonly until?: Timestamp | undefined
  readonly limit?: number | undefined
}

export interface DebitCollectionReader {
  get(collectionId: string): Promise<DebitCollection | undefined>
  /** Newest first. */
  list(filter: DebitCollectionFilter): Promise<readonly DebitCollection[]>
}

export interface DirectDebitReader {
  get(endToEndId: string): Promise<DirectDebit | undefined>
  /** In the order in which they are in the file. */
  listByCollection(request: {
    readonly collectionId: string
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly DirectDebit[]>
  /**
   * The direct debits of a cooperative with this reference, which a partner chose, regardless of case, newest first. An
   * issued reference names the order, whose payment names its direct debits.
   */
  listByMandate(
    cooperativeId: string,
    reference: string,
    limit: number,
  ): Promise<readonly DirectDebit[]>
}

export interface StatementReader {
  get(statementId: string): Promise<Statement | undefined>
  /** Newest first. */
  list(page: {
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly Statement[]>
  /** The statements whose entries have not all been applied, oldest first. */
  listUnfinished(limit: number): Promise<readonly Statement[]>
}

export interface StatementEntryReader {
  get(entryId: string): Promise<StatementEntry | undefined>
  /** Of the entries with this identity, the one that counts. */
  findByIdentity(identity: string): Promise<StatementEntry | undefined>
  /** Of the entries that say this, the one that counts. */
  findByFact(fact: Fact): Promise<StatementEntry | undefined>
  /** In the order of the statement. */
  listByStatement(request: {
    readonly statementId: string
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly StatementEntry[]>
  /** The entries about the payment of an order. */
  listByOrder(sharePurchaseId: string): Promise<readonly StatementEntry[]>
  /** In the order of the statement. */
  listUnapplied(statementId: string, limit: number): Promise<readonly StatementEntry[]>
  /** The entries that wait for a person, oldest first. */
  listUnmatched(page: {
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly StatementEntry[]>
}
