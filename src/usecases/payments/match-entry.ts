import { currency, subtractMoney, toMinorUnits, zeroMoney } from '../../domain/money.ts'
import {
  collectionIdOf,
  type DebitCollection,
  type DirectDebit,
} from '../../domain/payments/debit-collection.ts'
import type { MatchingWay, StatementEntry } from '../../domain/payments/statement.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'

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
  const { kind } = entry
  // Nothing is collected in another currency.
  if (entry.currency !== currency) return { what: 'unknown', isOurs: false }
  if (kind === 'other')
    return { what: 'unknown', isOurs: await namesOrder(records, service, entry) }
  if (kind === 'booking' || (kind === 'refusal' && entry.endToEndId === null)) {
    const collection = await findBatch(records, entry, statement)
    if (collection) return { what: 'collection', collection, matchedBy: 'batch' }
  }
  const byReference = await findByReference(records, entry, statement)
  if (byReference) return { what: 'debit', ...byReference, matchedBy: 'end_to_end_id' }
  const byMandate = await findByMandate(records, entry, statement)
  if (byMandate) return { what: 'debit', ...byMandate, matchedBy: 'mandate' }
  return { what: 'unknown', isOurs: kind !== 'charges' }
}

async function findBatch(
  { debitCollections }: ReadableRecords,
  { kind, batchId, messageId, amount }: StatementEntry,
  { accountIban }: Matching,
): Promise<DebitCollection | undefined> {
  const ids = [batchId, messageId].flatMap((id) => (id && collectionIdOf(id)) ?? [])
  for (const id of new Set(ids)) {
    const found = await debitCollections.get(id)
    if (!found?.isComplete || found.state === 'cancelled') continue
    if (accountIban !== null && found.creditor.iban !== accountIban) continue
    if (kind === 'refusal' || amount === subtractMoney(found.total, found.refusedTotal))
      return found
  }
  return undefined
}

interface MatchedDebit {
  readonly debit: DirectDebit
  /** The entry with the charges that are in its amount. */
  readonly entry: StatementEntry
}

async function findByReference(
  records: ReadableRecords,
  entry: StatementEntry,
  { accountIban }: Matching,
): Promise<MatchedDebit | undefined> {
  const { endToEndId } = entry
  if (endToEndId === null) return undefined
  const debit =
    (await records.directDebits.get(endToEndId)) ??
    (await records.directDebits.get(endToEndId.toLowerCase()))
  if (!debit) return undefined
  const collection = await records.debitCollections.get(debit.collectionId)
  if (accountIban !== null && collection?.creditor.iban !== accountIban) return undefined
  const fitting = withCharges(entry, debit)
  return fitting && { debit, entry: fitting }
}

/** Some banks say only the amount with the charges. */
function withCharges(entry: StatementEntry, debit: DirectDebit): StatementEntry | undefined {
  const { kind, amount, charges } = entry
  if (amount === debit.amount || kind === 'charges') return entry
  // A refusal need not repeat the amount.
  if (kind === 'refusal' && amount === zeroMoney) return { ...entry, amount: debit.amount }
  const isMore = toMinorUnits(amount) > toMinorUnits(debit.amount)
  if (kind !== 'return' || charges !== zeroMoney || !isMore) return undefined
  return { ...entry, amount: debit.amount, charges: subtractMoney(amount, debit.amount) }
}

/** A mandate can be used by several orders, so the amount decides, and nothing is guessed if two are alike. */
async function findByMandate(
  records: ReadableRecords,
  entry: StatementEntry,
  { accountIban }: Matching,
): Promise<MatchedDebit | undefined> {
  const { mandateReference, amount, kind } = entry
  if (mandateReference === null || accountIban === null || kind === 'refusal') return undefined
  const cooperatives = (await records.cooperatives.list()).filter(
    ({ creditor }) => creditor?.iban === accountIban,
  )
  const lists = await Promise.all(
    cooperatives.map(({ id }) =>
      records.directDebits.listByMandate(id, mandateReference, mostAlike),
    ),
  )
  const alike = lists.flat().filter((debit) => debit.amount === amount)
  const open = await Promise.all(
    alike.map(async (debit) => {
      const payment = await records.payments.get(debit.sharePurchaseId)
      const attempt = payment?.attempts.find(({ endToEndId }) => endToEndId === debit.endToEndId)
      return attempt?.state === 'collecting' || attempt?.state === 'paid' ? debit : []
    }),
  )
  const [debit, another] = open.flat()
  if (debit && !another) return { debit, entry }
  // It may be the same return again.
  const [only, second] = alike
  return only && !second && open.flat().length === 0 ? { debit: only, entry } : undefined
}

const mostAlike = 50

/** Whether money came with a text that contains the id of an order: a person can assign it to the order. */
async function namesOrder(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  { isCredit, endToEndId, encryptedText }: StatementEntry,
): Promise<boolean> {
  if (!isCredit) return false
  const text = `${endToEndId ?? ''} ${encryptedText === null ? '' : vault.decrypt(encryptedText)}`
  const ids = [...text.matchAll(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi)]
  const known = await Promise.all(
    ids
      .slice(0, mostAlike)
      .map(([id]) => records.payments.get(collectionIdOf(id.replaceAll('-', '')) ?? '')),
  )
  return known.some((payment) => payment !== undefined)
}

/** The records that applying an entry reads, asked in one turn, so that a database answers them together. */
export async function readMatched(
  records: ReadableRecords,
  { collectionId, sharePurchaseId }: Pick<DirectDebit, 'collectionId' | 'sharePurchaseId'>,
) {
  return readTogether({
    collection: records.debitCollections.get(collectionId),
    payment: records.payments.get(sharePurchaseId),
    order: records.sharePurchases.find(sharePurchaseId),
  })
}
