import { addMoney } from '../../domain/money.ts'
import {
  type DebitCollection,
  type DirectDebit,
  expectedTotal,
} from '../../domain/payments/debit-collection.ts'
import { type Payment, payByDebit, returnPayment } from '../../domain/payments/payment.ts'
import type {
  EntryOutcome,
  Fact,
  MatchingWay,
  StatementEntry,
} from '../../domain/payments/statement.ts'
import {
  isOfErasedPerson,
  type SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import { type EntryMatch, readMatched } from './match-entry.ts'

/** What an entry turned out to be, and what it changes. */
export interface Decision {
  readonly entry: Partial<StatementEntry> & { readonly outcome: EntryOutcome }
  readonly payment?: {
    readonly order: SharePurchase
    readonly before: Payment
    readonly after: Payment
  }
  readonly collection?: DebitCollection
}

/** Money that has moved and fits nothing that is known waits for a person. */
const forPerson: Decision = { entry: { outcome: 'unmatched' } }

export async function decideEntry(
  records: ReadableRecords,
  entry: StatementEntry,
  { match, now }: { readonly match: EntryMatch; readonly now: Timestamp },
): Promise<Decision> {
  if (match.what === 'unknown')
    return { entry: { outcome: match.isOurs ? 'unmatched' : 'ignored' } }
  const { matchedBy } = match
  return match.what === 'collection'
    ? decideBatch(records, entry, { ...match.collection, matchedBy, now })
    : decideDebit(records, match.entry, { debit: match.debit, matchedBy, now })
}

interface HowMatched {
  readonly matchedBy: MatchingWay
  readonly now: Timestamp
}

/** A whole collection is booked, or refused. */
async function decideBatch(
  records: ReadableRecords,
  entry: StatementEntry,
  { collectionId, matchedBy, now }: Pick<DebitCollection, 'collectionId'> & HowMatched,
): Promise<Decision> {
  const isBooking = entry.kind === 'booking'
  const fact: Fact = `${isBooking ? 'booking' : 'refusal'}:${collectionId}`
  const matched = { fact, collectionId, matchedBy }
  const { known, collection } = await readTogether({
    known: records.statementEntries.findByFact(fact),
    collection: records.debitCollections.get(collectionId),
  })
  if (known) return { entry: { ...matched, outcome: 'repeated' } }
  if (!collection) return forPerson
  const expected = expectedTotal(collection)
  if (isBooking) {
    // It may have been cancelled, or a refusal may have been applied, since the entry was matched.
    if (collection.state === 'cancelled' || entry.amount !== expected) return forPerson
    const bookedOn = entry.bookedOn ?? platformDay(now)
    const booked = { ...collection, state: 'booked', bookedOn, updatedAt: now } as const
    return { entry: { ...matched, outcome: 'booked' }, collection: booked }
  }
  if (collection.state === 'cancelled') return { entry: { ...matched, outcome: 'ignored' } }
  if (collection.state === 'booked') return forPerson
  const { count: refusedCount, total: refusedTotal } = collection
  return {
    entry: { ...matched, amount: expected, outcome: 'returned' },
    collection: { ...collection, refusedCount, refusedTotal, updatedAt: now },
  }
}

/** A direct debit is booked, refused or returned, or the bank has charged for it. */
export async function decideDebit(
  records: ReadableRecords,
  entry: StatementEntry,
  { debit, matchedBy, now }: HowMatched & { readonly debit: DirectDebit },
): Promise<Decision> {
  const { endToEndId, sharePurchaseId, collectionId } = debit
  const { kind, amount, charges, bookedOn } = entry
  const read = await readMatched(records, debit)
  const { collection, payment: before, order } = read
  const attempt = before?.attempts.find((one) => one.endToEndId === endToEndId)
  if (!collection || !before || !order || !attempt) return forPerson
  const payment = (after: Payment) => ({ order, before, after })
  // The name of a person who was erased does not come back with a later statement.
  const forgotten = isOfErasedPerson(order) ? { encryptedText: null } : {}
  const matched = { ...forgotten, amount, charges, sharePurchaseId, collectionId, matchedBy }
  const repeated = { entry: { ...matched, outcome: 'repeated' } } as const
  const day = bookedOn ?? platformDay(now)

  if (kind === 'charges') {
    const fact: Fact = `charges:${endToEndId}:${amount}:${day}`
    if (await records.statementEntries.findByFact(fact)) return repeated
    const all = addMoney(before.charges, amount)
    return {
      entry: { ...matched, fact, outcome: 'ignored' },
      payment: payment({ ...before, charges: all, updatedAt: now }),
    }
  }

  if (kind === 'booking') {
    if (read.booked || (read.bookedBatch && !read.refused)) return repeated
    if (attempt.state === 'cancelled' || read.refused || read.refusedBatch) return forPerson
    return {
      entry: { ...matched, fact: `booking:${endToEndId}`, outcome: 'booked' },
      ...(attempt.state === 'collecting' && { payment: payment(payByDebit(before, day, now)) }),
      // The bank books each direct debit, so it has taken the file.
      ...(collection.state !== 'booked' && {
        collection: { ...collection, state: 'booked', bookedOn: day, updatedAt: now },
      }),
    }
  }

  if (kind === 'refusal') {
    if (read.refused || read.refusedBatch || read.returned) return repeated
    // The bank refuses what an operator has cancelled before.
    if (attempt.state === 'cancelled') return { entry: { ...matched, outcome: 'ignored' } }
    if (attempt.state !== 'collecting' || read.bookedBatch) return forPerson
    return {
      entry: { ...matched, fact: `refusal:${endToEndId}`, outcome: 'returned' },
      payment: payment(returnedBy(before, entry, { endToEndId, day, now })),
      collection: {
        ...collection,
        refusedCount: collection.refusedCount + 1,
        refusedTotal: addMoney(collection.refusedTotal, debit.amount),
        updatedAt: now,
      },
    }
  }

  if (read.returned) return repeated
  if (attempt.state === 'cancelled') return forPerson
  return {
    entry: { ...matched, fact: `return:${endToEndId}`, outcome: 'returned' },
    payment: payment(returnedBy(before, entry, { endToEndId, day, now })),
  }
}

interface HowReturned {
  readonly endToEndId: string
  readonly day: string
  readonly now: Timestamp
}

/**
 * The return of an earlier direct debit, or of one whose order was rejected, only changes that direct debit. So does one
 * after the money came by transfer.
 */
function returnedBy(
  payment: Payment,
  { returnCode, charges }: StatementEntry,
  { endToEndId, day, now }: HowReturned,
): Payment {
  const how = { endToEndId, returnedOn: day, returnCode: returnCode ?? 'MS03', charges }
  const returned = returnPayment(payment, how, now)
  const isLast = payment.attempts.at(-1)?.endToEndId === endToEndId
  const isOpen =
    payment.state === 'collecting' ||
    (payment.state === 'paid' && payment.paidBy === 'direct_debit')
  if (isLast && isOpen) return returned
  const { attempts, charges: all } = returned
  return { ...payment, attempts, charges: all, updatedAt: now }
}
