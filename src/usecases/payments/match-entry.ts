import { addMoney, currency, subtractMoney, toMinorUnits, zeroMoney } from '../../domain/money.ts'
import {
  collectionIdOf,
  compactReference,
  type DebitCollection,
  type DirectDebit,
  expectedTotal,
} from '../../domain/payments/debit-collection.ts'
import type { Attempt } from '../../domain/payments/payment.ts'
import type { Fact, MatchingWay, StatementEntry } from '../../domain/payments/statement.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'
import { listDebitsOfMandate } from './debits-of-mandate.ts'

/** What an entry is about. An entry about nothing of ours waits for a person, or is ignored. */
export type EntryMatch =
  | {
      readonly what: 'collection'
      readonly collection: DebitCollection
      readonly matchedBy: MatchingWay
    }
  | {
      readonly what: 'debit'
      readonly debit: DirectDebit
      readonly entry: StatementEntry
      readonly matchedBy: MatchingWay
    }
  | { readonly what: 'unknown'; readonly isOurs: boolean }

interface Matching {
  /** null in a pain.002. */
  readonly accountIban: string | null
}

/** The batch by its id and sum; else the direct debit by its reference; else by its mandate and amount within the creditor. */
export async function matchEntry(
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  entry: StatementEntry,
  statement: Matching,
): Promise<EntryMatch> {
  const { kind, endToEndId } = entry
  if (kind === 'other') {
    const named = entry.isCredit ? await findNamedOrder(records, service, entry) : undefined
    return { what: 'unknown', isOurs: named !== undefined }
  }
  const unknown = { what: 'unknown', isOurs: kind !== 'charges' } as const
  // Nothing is collected in another currency, so an entry that names something of ours is strange.
  if (entry.currency !== currency)
    return { ...unknown, isOurs: unknown.isOurs && (await namesOurs(records, entry)) }
  if (kind === 'booking' || (kind === 'refusal' && endToEndId === null)) {
    const collection = await findBatch(records, entry, statement)
    if (collection) return { what: 'collection', collection, matchedBy: 'batch' }
  }
  const named = endToEndId === null ? undefined : await findDebit(records, endToEndId)
  if (named) {
    const fitting = (await isOnAccount(records, named, statement)) && withCharges(entry, named)
    return fitting
      ? { what: 'debit', debit: named, entry: fitting, matchedBy: 'end_to_end_id' }
      : unknown
  }
  const byMandate = await findByMandate(records, entry, statement)
  return byMandate ? { what: 'debit', ...byMandate, matchedBy: 'mandate' } : unknown
}

async function findBatch(
  { debitCollections }: ReadableRecords,
  { kind, batchId, messageId, amount }: StatementEntry,
  { accountIban }: Matching,
): Promise<DebitCollection | undefined> {
  const ids = [batchId, messageId].flatMap((id) => (id && collectionIdOf(id)) ?? [])
  for (const id of new Set(ids)) {
    const found = await debitCollections.get(id)
    if (!found?.isComplete || (found.state === 'cancelled' && kind === 'booking')) continue
    if (accountIban !== null && found.creditor.iban !== accountIban) continue
    if (kind === 'refusal' || amount === expectedTotal(found)) return found
  }
  return undefined
}

async function namesOurs(
  records: ReadableRecords,
  { batchId, messageId, endToEndId }: StatementEntry,
): Promise<boolean> {
  const ids = [batchId, messageId].flatMap((id) => (id && collectionIdOf(id)) ?? [])
  const found = await Promise.all([
    endToEndId === null ? undefined : findDebit(records, endToEndId),
    ...ids.map((id) => records.debitCollections.get(id)),
  ])
  return found.some((one) => one !== undefined)
}

function findDebit(
  { directDebits }: ReadableRecords,
  endToEndId: string,
): Promise<DirectDebit | undefined> {
  return directDebits.get(compactReference(endToEndId))
}

/** An account that the creditor had before counts, because a return can come after thirteen months. */
async function isOnAccount(
  { debitCollections }: ReadableRecords,
  { collectionId }: DirectDebit,
  { accountIban }: Matching,
): Promise<boolean> {
  if (accountIban === null) return true
  return (await debitCollections.get(collectionId))?.creditor.iban === accountIban
}

/**
 * The entry with the amount of the direct debit. Whatever else a return has taken are charges, which some banks do not say;
 * undefined if it does not fit.
 */
export function withCharges(
  entry: StatementEntry,
  debit: Pick<DirectDebit, 'amount'>,
): StatementEntry | undefined {
  const { kind, amount, charges } = entry
  if (kind === 'charges') return entry
  // A refusal need not repeat the amount.
  if (kind === 'refusal' && amount === zeroMoney) return { ...entry, amount: debit.amount }
  if (kind !== 'return') return amount === debit.amount ? entry : undefined
  const gross = addMoney(amount, charges)
  if (toMinorUnits(gross) < toMinorUnits(debit.amount)) return undefined
  return { ...entry, amount: debit.amount, charges: subtractMoney(gross, debit.amount) }
}

/** A mandate can be used by several orders, so the amount and the day decide, and nothing is guessed if two are alike. */
async function findByMandate(
  records: ReadableRecords,
  entry: StatementEntry,
  { accountIban }: Matching,
): Promise<{ readonly debit: DirectDebit; readonly entry: StatementEntry } | undefined> {
  const { mandateReference, amount, charges, kind, bookedOn } = entry
  if (mandateReference === null || accountIban === null) return undefined
  if (kind !== 'return' && kind !== 'booking') return undefined
  const creditors = (await records.cooperatives.list()).filter(({ creditor }) => creditor)
  const current = creditors.filter(({ creditor }) => creditor?.iban === accountIban)
  // Banks break references, too, and a true space is rare.
  const references = new Set([mandateReference, mandateReference.replaceAll(/\s/g, '')])
  const lists = await Promise.all(
    (current.length > 0 ? current : creditors).flatMap(({ id }) =>
      [...references].map((one) => listDebitsOfMandate(records, id, one)),
    ),
  )
  const amounts = [amount, addMoney(amount, charges)]
  const alike = lists.flat().filter((debit) => amounts.includes(debit.amount))
  const uses = await Promise.all(alike.map((debit) => readUse(records, debit, kind)))
  const possible = uses
    .flat()
    .filter(
      ({ collection, attempt }) =>
        collection.creditor.iban === accountIban && attempt.state !== 'cancelled',
    )
  // A later direct debit is meant only if there is no earlier one: before its due date there is little to book or return.
  const earlier = possible.filter(({ attempt }) => bookedOn === null || attempt.dueDate <= bookedOn)
  const alikeInTime = earlier.length > 0 ? earlier : possible
  // What happened to one of them on the same day may have come again, without its reference.
  const candidates = alikeInTime.filter(
    ({ isOpen, happenedOn }) => isOpen || bookedOn === null || happenedOn === bookedOn,
  )
  const [only, another] = candidates.length === 0 ? alikeInTime : candidates
  if (!only || another) return undefined
  const fitting = withCharges(entry, only.debit)
  return fitting && { debit: only.debit, entry: fitting }
}

const mostAlike = 50

interface Use {
  readonly debit: DirectDebit
  readonly collection: DebitCollection
  readonly attempt: Attempt
  /** Whether it can still be booked, or returned. */
  readonly isOpen: boolean
  /** When it was booked, or returned, as far as it is known. */
  readonly happenedOn: string | null
}

async function readUse(
  records: ReadableRecords,
  debit: DirectDebit,
  kind: 'booking' | 'return',
): Promise<Use | readonly []> {
  const { endToEndId, collectionId, sharePurchaseId } = debit
  const { payment, collection, before } = await readTogether({
    payment: records.payments.get(sharePurchaseId),
    collection: records.debitCollections.get(collectionId),
    before: records.statementEntries.findByFact(`${kind}:${endToEndId}`),
  })
  const attempt = payment?.attempts.find((one) => one.endToEndId === endToEndId)
  if (!attempt || !collection) return []
  const { state } = attempt
  const isOpen = state === 'collecting' || (state === 'paid' && kind === 'return')
  const ofBatch = kind === 'booking' ? collection.bookedOn : null
  return { debit, collection, attempt, isOpen, happenedOn: before?.bookedOn ?? ofBatch }
}

/** The order whose id is in the text of an entry, or to which its reference belongs: a person can assign the entry to it. */
export async function findNamedOrder(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  { endToEndId, encryptedText }: StatementEntry,
): Promise<string | undefined> {
  const text = `${endToEndId ?? ''} ${encryptedText === null ? '' : vault.decrypt(encryptedText)}`
  // Banks break lines, so spaces may be anywhere.
  const ids = [...text.replaceAll(/\s/g, '').matchAll(orderId)].map(([, ...parts]) =>
    parts.join('-').toLowerCase(),
  )
  const known = await Promise.all(
    [...new Set(ids)].slice(0, mostAlike).map((id) => records.payments.get(id)),
  )
  return known.find((payment) => payment !== undefined)?.sharePurchaseId
}

/** With or without hyphens; a look-ahead, because the characters before may look like a part of it. */
const orderId = /(?=([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12}))/gi

/** The records that applying an entry to a direct debit reads, asked in one turn, so that a database answers them together. */
export async function readMatched(
  records: ReadableRecords,
  { endToEndId, collectionId, sharePurchaseId }: DirectDebit,
) {
  const find = (fact: Fact) => records.statementEntries.findByFact(fact)
  return readTogether({
    collection: records.debitCollections.get(collectionId),
    payment: records.payments.get(sharePurchaseId),
    order: records.sharePurchases.find(sharePurchaseId),
    booked: find(`booking:${endToEndId}`),
    bookedBatch: find(`booking:${collectionId}`),
    returned: find(`return:${endToEndId}`),
    refused: find(`refusal:${endToEndId}`),
    refusedBatch: find(`refusal:${collectionId}`),
  })
}
