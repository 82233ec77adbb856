import type { Money } from '../money.ts'
import type { Encrypted } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Day } from './bank-days.ts'

/** What a bank has sent about one account. A file may have several. It is stored whole, then its entries are applied in their order. */
export interface Statement {
  readonly statementId: string
  /** The name of the file, as the operator gave it. */
  readonly file: string
  /** The SHA-256 of the file, in hexadecimal. */
  readonly fileDigest: string
  /** Such as `camt.053.001.08`. */
  readonly format: string
  /** Of the creditor; null in a pain.002, which names none. */
  readonly accountIban: string | null
  readonly from: Day | null
  readonly to: Day | null
  readonly entryCount: number
  /** Whether all entries have been applied to payments. */
  readonly isComplete: boolean
  /** The entries by what they turned out to be; zero until all have been applied. */
  readonly counts: Readonly<Record<EntryOutcome, number>>
  readonly importedBy: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** What an entry turned out to be: `repeated` has come before, `unmatched` waits for a person. */
export const entryOutcomes = ['booked', 'returned', 'repeated', 'unmatched', 'ignored'] as const
export type EntryOutcome = (typeof entryOutcomes)[number]

export const noOutcomes: Statement['counts'] = {
  booked: 0,
  returned: 0,
  repeated: 0,
  unmatched: 0,
  ignored: 0,
}

/** What an entry says: money of a collection, a direct debit that came back, charges, or something else. */
export const entryKinds = ['booking', 'return', 'refusal', 'charges', 'other'] as const
export type EntryKind = (typeof entryKinds)[number]

export const matchingWays = ['batch', 'end_to_end_id', 'mandate', 'operator'] as const
export type MatchingWay = (typeof matchingWays)[number]

/** Such as `return:` with the id of a direct debit, or `booking:` with that of a collection. */
export type Fact = `${'booking' | 'return' | 'refusal' | 'charges' | 'transfer'}:${string}`

/** One entry, or one transaction of an entry with details. */
export interface StatementEntry {
  readonly entryId: string
  readonly statementId: string
  /** The same for the same entry in another file: account, reference, amount and dates. Unique among entries that count. */
  readonly identity: string
  /** What it says, once that is known: the same in every file, whatever the bank calls it. Unique among entries that count. */
  readonly fact: Fact | null
  readonly kind: EntryKind
  /** Whether the money came. */
  readonly isCredit: boolean
  /** null until it has been applied. */
  readonly outcome: EntryOutcome | null
  /** Without charges. */
  readonly amount: Money
  readonly currency: string
  readonly charges: Money
  readonly bookedOn: Day | null
  readonly messageId: string | null
  readonly batchId: string | null
  readonly endToEndId: string | null
  readonly mandateReference: string | null
  readonly returnCode: string | null
  /** The name of the other party and the purpose, for the person who assigns the entry. Encrypted with the key of the store. */
  readonly encryptedText: Encrypted | null
  readonly sharePurchaseId: string | null
  readonly collectionId: string | null
  readonly matchedBy: MatchingWay | null
  readonly createdAt: Timestamp
}

/** An entry that belongs to an order names its person by the order, so that erasing the person leaves no name here. */
export function withoutNeedlessText(entry: StatementEntry): StatementEntry {
  const isDecided = entry.sharePurchaseId !== null && entry.outcome !== 'unmatched'
  return isDecided ? { ...entry, encryptedText: null } : entry
}
