import { addMoney } from '../../domain/money.ts'
import type { DebitCollection, DirectDebit } from '../../domain/payments/debit-collection.ts'
import { type Payment, payByDebit, returnPayment } from '../../domain/payments/payment.ts'
import {
  type EntryOutcome,
  entryOutcomes,
  type Statement,
  type StatementEntry,
} from '../../domain/payments/statement.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { type EntryMatch, matchEntry, readMatched } from './match-entry.ts'
import { putPayment } from './payments.ts'

export interface StatementDraft {
  readonly statement: Statement
  readonly entries: readonly StatementEntry[]
}

const appliedTogether = 50

/** Applies the entries that have no outcome yet, some in each write. Safe to run again after a crash. */
export async function applyStatement(
  service: Service,
  statement: Statement,
  signal?: AbortSignal,
): Promise<Statement> {
  const { store, clock } = service
  const { statementId } = statement
  for (;;) {
    signal?.throwIfAborted()
    const entries = await store.read(({ statementEntries }) =>
      statementEntries.listUnapplied(statementId, appliedTogether),
    )
    if (entries.length === 0) break
    const matches = await store.read((records) =>
      Promise.all(entries.map((entry) => matchEntry(records, service, entry, statement))),
    )
    await store.write(subjects.all('statements'), async (records) => {
      const now = clock.now()
      for (const [index, entry] of entries.entries()) {
        const match = matches[index]
        if (match) await applyEntry(records, entry, { match, now })
      }
    })
  }
  const counts = await countOutcomes(service, statementId, (collectionId) =>
    payCollected(service, collectionId),
  )
  return store.write(subjects.all('statements'), async ({ statements }) => {
    const complete = { ...statement, counts, isComplete: true, updatedAt: clock.now() }
    await statements.put(complete)
    return complete
  })
}

interface Apply {
  readonly match: EntryMatch
  readonly now: Timestamp
}

async function applyEntry(records: Records, found: StatementEntry, { match, now }: Apply) {
  const stored = await records.statementEntries.get(found.entryId)
  // Another instance may have applied it.
  if (!stored || stored.outcome !== null) return
  const applied = await outcomeOf(records, stored, { match, now })
  await records.statementEntries.put({ ...stored, ...applied })
}

async function outcomeOf(
  records: Records,
  entry: StatementEntry,
  { match, now }: Apply,
): Promise<Partial<StatementEntry>> {
  if (match.what === 'unknown') {
    if (await isKnown(records, entry.identity)) return { outcome: 'repeated' }
    return { outcome: match.isOurs ? 'unmatched' : 'ignored' }
  }
  if (match.what === 'collection') {
    const { collectionId } = match.collection
    const identity = `${entry.kind}:${collectionId}`
    const matched = { identity, collectionId, matchedBy: match.matchedBy }
    if (await isKnown(records, identity)) return { ...matched, outcome: 'repeated' }
    const isBooking = entry.kind === 'booking'
    const changed = await putCollection(records, collectionId, (collection) => ({
      ...collection,
      ...(isBooking
        ? { state: 'booked' as const, bookedOn: entry.bookedOn ?? platformDay(now) }
        : { refusedCount: collection.count, refusedTotal: collection.total }),
      updatedAt: now,
    }))
    if (!changed) return { outcome: 'unmatched' }
    return {
      ...matched,
      amount: isBooking ? entry.amount : changed.total,
      outcome: isBooking ? 'booked' : 'returned',
    }
  }
  return applyToDebit(records, match.entry, { match, now })
}

async function applyToDebit(
  records: Records,
  entry: StatementEntry,
  {
    match: { debit, matchedBy },
    now,
  }: { readonly match: Extract<EntryMatch, { what: 'debit' }>; readonly now: Timestamp },
): Promise<Partial<StatementEntry>> {
  const { endToEndId, sharePurchaseId, collectionId } = debit
  const { kind, amount, charges } = entry
  const group = kind === 'refusal' ? 'return' : kind
  const identity = kind === 'charges' ? entry.identity : `${group}:${endToEndId}`
  const matched = { identity, amount, charges, sharePurchaseId, collectionId, matchedBy }
  if (await isKnown(records, identity)) return { ...matched, outcome: 'repeated' }
  const { collection, payment, order } = await readMatched(records, debit)
  if (!collection || !payment || !order) return { outcome: 'unmatched' }
  const change = (changed: Payment) => putPaymentOf(records, order, payment, changed)
  if (kind === 'charges') {
    await change({ ...payment, charges: addMoney(payment.charges, amount), updatedAt: now })
    return { ...matched, outcome: 'ignored' }
  }
  const day = entry.bookedOn ?? platformDay(now)
  if (kind === 'booking') {
    if (isCollecting(payment, debit)) await change(payByDebit(payment, day, now))
    return { ...matched, outcome: 'booked' }
  }
  await change(returnedBy(payment, entry, { debit, day, now }))
  if (kind === 'refusal') {
    await putCollection(records, collectionId, (one) => ({
      ...one,
      refusedCount: one.refusedCount + 1,
      refusedTotal: addMoney(one.refusedTotal, debit.amount),
      updatedAt: now,
    }))
  }
  return { ...matched, outcome: 'returned' }
}

function isCollecting({ attempts }: Payment, { endToEndId }: DirectDebit): boolean {
  return attempts.some((one) => one.endToEndId === endToEndId && one.state === 'collecting')
}

/**
 * The return of an earlier direct debit, or of one whose order was rejected, only changes that direct debit. So does one
 * after the money came by transfer.
 */
function returnedBy(
  payment: Payment,
  { returnCode, charges }: StatementEntry,
  {
    debit,
    day,
    now,
  }: { readonly debit: DirectDebit; readonly day: string; readonly now: Timestamp },
): Payment {
  const { endToEndId } = debit
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

async function putPaymentOf(
  records: Records,
  order: NonNullable<Awaited<ReturnType<Records['sharePurchases']['find']>>>,
  payment: Payment,
  changed: Payment,
): Promise<void> {
  const { organizationId, investorId, cooperativeId } = order
  const holding = await records.holdings.find(organizationId, investorId, cooperativeId)
  if (!holding) throw new Error('An order is stored without its holding.')
  await putPayment(records, { order, holding, payment }, changed)
}

async function isKnown({ statementEntries }: ReadableRecords, identity: string): Promise<boolean> {
  return (await statementEntries.findByIdentity(identity)) !== undefined
}

/** undefined if the collection was cancelled meanwhile. */
async function putCollection(
  { debitCollections }: Records,
  collectionId: string,
  change: (collection: DebitCollection) => DebitCollection,
): Promise<DebitCollection | undefined> {
  const stored = await debitCollections.get(collectionId)
  if (!stored || stored.state === 'cancelled') return undefined
  const changed = change(stored)
  await debitCollections.put(changed)
  return changed
}

/** @param onCollection called for each collection that the statement books or refuses as a whole */
async function countOutcomes(
  { store }: Service,
  statementId: string,
  onCollection: (collectionId: string) => Promise<void>,
): Promise<Statement['counts']> {
  const counts = Object.fromEntries(entryOutcomes.map((outcome) => [outcome, 0])) as Record<
    EntryOutcome,
    number
  >
  const all = readInBatches(store, {
    list: ({ statementEntries }, page) =>
      statementEntries.listByStatement({ statementId, ...page }),
    idOf: ({ entryId }: StatementEntry) => entryId,
  })
  for await (const entries of all) {
    for (const { outcome, collectionId, matchedBy } of entries) {
      if (outcome !== null) counts[outcome] += 1
      if (collectionId !== null && matchedBy === 'batch') await onCollection(collectionId)
    }
  }
  return counts
}

const paidTogether = 100

/** All direct debits of a booked collection are paid, until one comes back. Those of a refused one are returned. */
async function payCollected(service: Service, collectionId: string): Promise<void> {
  const { store, clock } = service
  const refusal = await findRefusal(service, collectionId)
  for (;;) {
    const now = clock.now()
    const collection = await store.read(({ debitCollections }) =>
      debitCollections.get(collectionId),
    )
    const bookedOn = collection?.bookedOn
    if (!bookedOn && !refusal) return
    const found = await store.read(({ payments }) =>
      payments.listByCollection({ collectionId, state: 'collecting', limit: paidTogether }),
    )
    if (found.length === 0) return
    await store.write(subjects.all('payments'), async (records) => {
      const current = await Promise.all(
        found.map(({ sharePurchaseId }) => records.payments.get(sharePurchaseId)),
      )
      for (const payment of current) {
        if (payment?.state !== 'collecting' || payment.collectionId !== collectionId) continue
        const order = await records.sharePurchases.find(payment.sharePurchaseId)
        if (!order) throw new Error('A payment is stored without its order.')
        const changed = bookedOn
          ? payByDebit(payment, bookedOn, now)
          : refusedWith(payment, refusal as StatementEntry, now)
        await putPaymentOf(records, order, payment, changed)
      }
    })
  }
}

/** The refusal of a whole collection, which is stored with its code. */
function findRefusal(
  { store }: Service,
  collectionId: string,
): Promise<StatementEntry | undefined> {
  return store.read(({ statementEntries }) =>
    statementEntries.findByIdentity(`refusal:${collectionId}`),
  )
}

function refusedWith(payment: Payment, { returnCode, charges }: StatementEntry, now: Timestamp) {
  const endToEndId = payment.attempts.at(-1)?.endToEndId ?? ''
  const how = {
    endToEndId,
    returnedOn: platformDay(now),
    returnCode: returnCode ?? 'MS03',
    charges,
  }
  return returnPayment(payment, how, now)
}

/** What an import would do, without storing anything. Entries that come twice in the file itself count as often. */
export async function previewStatement(
  service: Service,
  { statement, entries }: StatementDraft,
): Promise<Statement> {
  const counts: Record<EntryOutcome, number> = { ...statement.counts }
  for (const entry of entries) {
    const outcome = await service.store.read(async (records) => {
      const match = await matchEntry(records, service, entry, statement)
      return previewOf(records, entry, match)
    })
    counts[outcome] += 1
  }
  return { ...statement, counts }
}

async function previewOf(
  records: ReadableRecords,
  entry: StatementEntry,
  match: EntryMatch,
): Promise<EntryOutcome> {
  const { kind, identity } = entry
  if (match.what === 'unknown') {
    if (await isKnown(records, identity)) return 'repeated'
    return match.isOurs ? 'unmatched' : 'ignored'
  }
  const group = kind === 'refusal' && match.what === 'debit' ? 'return' : kind
  const id = match.what === 'debit' ? match.debit.endToEndId : match.collection.collectionId
  if (await isKnown(records, kind === 'charges' ? identity : `${group}:${id}`)) return 'repeated'
  if (kind === 'charges') return 'ignored'
  return kind === 'booking' ? 'booked' : 'returned'
}
