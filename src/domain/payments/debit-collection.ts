import { type Currency, type Money, subtractMoney } from '../money.ts'
import type { Encrypted } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Day } from './bank-days.ts'
import type { Creditor } from './creditor.ts'

export const collectionStates = ['created', 'exported', 'booked', 'cancelled'] as const
export type CollectionState = (typeof collectionStates)[number]

/** Direct debits of one creditor for one due date: one file for the bank. */
export interface DebitCollection {
  readonly collectionId: string
  readonly cooperativeId: string
  readonly state: CollectionState
  /** The creditor when the collection was created, so that the file never changes. */
  readonly creditor: Pick<Creditor, 'name' | 'creditorId' | 'iban' | 'bic'>
  readonly dueDate: Day
  /** Whether it still takes direct debits: a collection grows by parts. */
  readonly isOpen: boolean
  /** Whether its direct debits are counted. Before that, no file can be made. */
  readonly isComplete: boolean
  readonly count: number
  readonly total: Money
  readonly currency: Currency
  /** The direct debits that the bank has refused, without which it books the rest. */
  readonly refusedCount: number
  readonly refusedTotal: Money
  /** The investors who got an e-mail about it; their partner must notify the others. */
  readonly announcedCount: number
  readonly createdBy: string
  readonly createdById: string
  readonly createdAt: Timestamp
  /** With four eyes: who has confirmed the collection; null if nobody has. */
  readonly confirmedBy: string | null
  readonly exportedAt: Timestamp | null
  /** The SHA-256 of the file, in hexadecimal. */
  readonly fileDigest: string | null
  readonly bookedOn: Day | null
  readonly updatedAt: Timestamp
}

/** What the bank books: without the direct debits that it has refused. */
export function expectedTotal({
  total,
  refusedTotal,
}: Pick<DebitCollection, 'total' | 'refusedTotal'>): Money {
  return subtractMoney(total, refusedTotal)
}

/** A direct debit in a collection. It never changes: the payment has its state. */
export interface DirectDebit {
  readonly endToEndId: string
  readonly collectionId: string
  readonly sharePurchaseId: string
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId: string
  readonly amount: Money
  readonly mandateReference: string
  readonly mandateSignedOn: Day
  /** Whether the investor got an e-mail about it. */
  readonly isAnnounced: boolean
  /** A `Debtor` as JSON, encrypted with the key of the investor. */
  readonly encryptedDebtor: Encrypted
  readonly createdAt: Timestamp
}

/** What the file says about the payer, as it was when the collection was created. */
export interface Debtor {
  /** The account holder. */
  readonly name: string
  readonly iban: string
  readonly bic: string | null
  /** Absent unless town and country are known. */
  readonly address?: DebtorAddress
}

export interface DebtorAddress {
  readonly street: string
  readonly houseNumber: string
  readonly postalCode: string
  readonly town: string
  readonly country: string
}

/** The id of the message and of its only batch, without hyphens, because banks take 35 characters. */
export function messageIdOf({ collectionId }: Pick<DebitCollection, 'collectionId'>): string {
  return collectionId.replaceAll('-', '')
}

/** Returns the id of the collection to which such an id belongs; undefined if it cannot be one. */
export function collectionIdOf(messageId: string): string | undefined {
  const [, ...parts] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
      compactReference(messageId),
    ) ?? []
  return parts.length === 0 ? undefined : parts.join('-')
}

/** A reference of ours as we have written it: banks change the case, and break it. */
export function compactReference(text: string): string {
  return text.replaceAll(/\s/g, '').toLowerCase()
}
