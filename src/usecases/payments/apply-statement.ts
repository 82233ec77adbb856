import { collectionIdOf } from '../../domain/payments/debit-collection.ts'
import { type Payment, payByDebit, returnPayment } from '../../domain/payments/payment.ts'
import {
  type EntryOutcome,
  entryOutcomes,
  type Statement,
  type StatementEntry,
  withoutNeedlessText,
} from '../../domain/payments/statement.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { readInBatches } from '../read-in-batches.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'
import { type Decision, decideEntry } from './decide-entry.ts'
import { type EntryMatch, matchEntry } from './match-entry.ts'
import { putPayment } from './payments.ts'

export interface StatementDraft {
  readonly statement: Statement
  readonly entries: readonly StatementEntry[]
}

const appliedTogether = 100

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
    const matched = await store.read((records) =>
      Promise.all(
        entries.map(async (entry) => ({
          entry,
          match: await matchEntry(records, service, entry, statement),
        })),
      ),
    )
    await store.write(subjects.all('statements'), async (records) => {
      const now = clock.now()
      for (const group of groupsOf(matched)) {
        await Promise.all(
          group.map(({ entry, match }) => applyEntry(records, entry, { match, now })),
        )
      }
    })
  }
  const { counts, collected, shrunk } = await countOutcomes(service, statementId)
  for (const collectionId of shrunk) await bookShrunk(service, collectionId)
  for (const collectionId of [...collected, ...shrunk]) await payCollected(service, collectionId)
  return store.write(subjects.all('statements'), async ({ statements }) => {
    const complete = { ...statement, counts, isComplete: true, updatedAt: clock.now() }
    await statements.put(complete)
    return complete
  })
}

interface Matched {
  readonly entry: StatementEntry
  readonly match: EntryMatch
}

/**
 * Divides entries into groups, in their order. Those of a group are about different things, so they are applied side by
 * side: a database then answers their questions together.
 */
function* groupsOf(matched: readonly Matched[]): Generator<readonly Matched[]> {
  let group: Matched[] = []
  const about = new Set<string>()
  for (const one of matched) {
    const own = thingsOf(one)
    if (own.some((thing) => about.has(thing))) {
      yield group
      group = []
      about.clear()
    }
    group.push(one)
    for (const thing of own) about.add(thing)
  }
  if (group.length > 0) yield group
}

/** What an entry reads and changes that another one can change. */
function thingsOf({ entry: { identity, kind }, match }: Matched): readonly string[] {
  if (match.what === 'unknown') return [identity]
  if (match.what === 'collection') return [identity, match.collection.collectionId]
  const { investorId, cooperativeId, collectionId } = match.debit
  const position = `${investorId}/${cooperativeId}`
  // A return changes a payment and a holding, and never the collection.
  return kind === 'return' ? [identity, position] : [identity, position, collectionId]
}

interface Apply {
  readonly match: EntryMatch
  readonly now: Timestamp
}

async function applyEntry(records: Records, found: StatementEntry, apply: Apply): Promise<void> {
  const { stored, known } = await readTogether({
    stored: records.statementEntries.get(found.entryId),
    known: records.statementEntries.findByIdentity(found.identity),
  })
  // Another instance may have applied it.
  if (!stored || stored.outcome !== null) return
  if (known)
    await records.statementEntries.put(withoutNeedlessText({ ...stored, ...repetitionOf(known) }))
  else await putDecision(records, stored, await decideEntry(records, stored, apply))
}

/** The same entry has come before, so it is about the same. */
function repetitionOf({ sharePurchaseId, collectionId, matchedBy }: StatementEntry) {
  return { sharePurchaseId, collectionId, matchedBy, outcome: 'repeated' } as const
}

/** Puts what an entry turned out to be, and the payment and the collection that it changes. */
export async function putDecision(
  records: Records,
  stored: StatementEntry,
  { entry, payment, collection }: Decision,
): Promise<StatementEntry> {
  const decided = withoutNeedlessText({ ...stored, ...entry })
  await records.statementEntries.put(decided)
  if (collection) await records.debitCollections.put(collection)
  if (payment) await putPaymentOf(records, payment)
  return decided
}

async function putPaymentOf(
  records: Records,
  { order, before, after }: NonNullable<Decision['payment']>,
): Promise<void> {
  const { organizationId, investorId, cooperativeId } = order
  const holding = await records.holdings.find(organizationId, investorId, cooperativeId)
  if (!holding) throw new Error('An order is stored without its holding.')
  await putPayment(records, { order, holding, payment: before }, after)
}

async function countOutcomes({ store }: Service, statementId: string) {
  const counts = Object.fromEntries(entryOutcomes.map((outcome) => [outcome, 0])) as Record<
    EntryOutcome,
    number
  >
  const [collected, shrunk] = [new Set<string>(), new Set<string>()]
  const all = readInBatches(store, {
    list: ({ statementEntries }, page) =>
      statementEntries.listByStatement({ statementId, ...page }),
    idOf: ({ entryId }: StatementEntry) => entryId,
  })
  for await (const entries of all) {
    for (const { outcome, collectionId, kind, matchedBy } of entries) {
      if (outcome !== null) counts[outcome] += 1
      if (collectionId === null) continue
      if (matchedBy === 'batch') collected.add(collectionId)
      else if (kind === 'refusal') shrunk.add(collectionId)
    }
  }
  return { counts, collected, shrunk }
}

/** A refusal can be imported after the booking, whose sum did not agree before. */
async function bookShrunk(service: Service, collectionId: string): Promise<void> {
  const { store, clock } = service
  const waiting = readInBatches(store, {
    list: ({ statementEntries }, page) => statementEntries.listUnmatched(page),
    idOf: ({ entryId }: StatementEntry) => entryId,
  })
  for await (const entries of waiting) {
    for (const { entryId, kind, batchId, messageId } of entries) {
      if (kind !== 'booking') continue
      if (![batchId, messageId].some((id) => id && collectionIdOf(id) === collectionId)) continue
      await store.write(subjects.all('statements'), async (records) => {
        const stored = await records.statementEntries.get(entryId)
        const statement = stored && (await records.statements.get(stored.statementId))
        if (stored?.outcome !== 'unmatched' || !statement) return
        const match = await matchEntry(records, service, stored, statement)
        if (match.what === 'unknown') return
        const decision = await decideEntry(records, stored, { match, now: clock.now() })
        await countAgain(records, service, stored, await putDecision(records, stored, decision))
      })
    }
  }
}

/** Keeps the counts of a statement that is complete; otherwise they are counted at the end. */
export async function countAgain(
  { statements }: Records,
  { clock }: Pick<Service, 'clock'>,
  before: StatementEntry,
  after: StatementEntry,
): Promise<void> {
  const statement = await statements.get(before.statementId)
  if (!statement?.isComplete || before.outcome === null || after.outcome === null) return
  const counts = { ...statement.counts }
  counts[before.outcome] -= 1
  counts[after.outcome] += 1
  await statements.put({ ...statement, counts, updatedAt: clock.now() })
}

const paidTogether = 100

/** All direct debits of a booked collection are paid, until one comes back. Those of a refused one are returned. */
async function payCollected(service: Service, collectionId: string): Promise<void> {
  const { store, clock } = service
  const { booking, refusal } = await store.read(({ statementEntries }) =>
    readTogether({
      booking: statementEntries.findByFact(`booking:${collectionId}`),
      refusal: statementEntries.findByFact(`refusal:${collectionId}`),
    }),
  )
  const entry = booking ?? refusal
  if (!entry) return
  for (;;) {
    const now = clock.now()
    const found = await store.read(({ payments }) =>
      payments.listByCollection({ collectionId, state: 'collecting', limit: paidTogether }),
    )
    if (found.length === 0) return
    await store.write(subjects.all('payments'), async (records) => {
      // All are asked first, because a database answers them together. The loop gets the same answers.
      const current = await Promise.all(
        found.map(({ sharePurchaseId, organizationId, investorId, cooperativeId }) =>
          readTogether({
            before: records.payments.get(sharePurchaseId),
            order: records.sharePurchases.find(sharePurchaseId),
            holding: records.holdings.find(organizationId, investorId, cooperativeId),
          }),
        ),
      )
      for (const { before, order } of current) {
        if (before?.state !== 'collecting' || before.collectionId !== collectionId) continue
        if (!order) throw new Error('A payment is stored without its order.')
        const after = booking
          ? payByDebit(before, booking.bookedOn ?? platformDay(booking.createdAt), now)
          : refusedWith(before, entry, now)
        await putPaymentOf(records, { order, before, after })
      }
    })
  }
}

function refusedWith(
  payment: Payment,
  { returnCode, charges }: StatementEntry,
  now: Timestamp,
): Payment {
  const endToEndId = payment.attempts.at(-1)?.endToEndId ?? ''
  const how = { endToEndId, returnedOn: platformDay(now), returnCode: returnCode ?? 'MS03' }
  return returnPayment(payment, { ...how, charges }, now)
}

/** What an import would do, without storing anything. */
export async function previewStatements(
  service: Service,
  drafts: readonly StatementDraft[],
): Promise<readonly Statement[]> {
  const seen = new Set<string>()
  const previews: Statement[] = []
  for (const { statement, entries } of drafts) {
    const counts: Record<EntryOutcome, number> = { ...statement.counts }
    for (const entry of entries) {
      const { outcome, fact } = await service.store.read((records) =>
        previewEntry(records, service, { entry, statement }),
      )
      const key = fact ?? entry.identity
      counts[seen.has(key) && outcome !== 'unmatched' ? 'repeated' : outcome] += 1
      seen.add(key)
    }
    previews.push({ ...statement, counts })
  }
  return previews
}

async function previewEntry(
  records: ReadableRecords,
  service: Service,
  { entry, statement }: { readonly entry: StatementEntry; readonly statement: Statement },
): Promise<Pick<StatementEntry, 'fact'> & { readonly outcome: EntryOutcome }> {
  const known = await records.statementEntries.findByIdentity(entry.identity)
  if (known) return { outcome: 'repeated', fact: known.fact }
  const match = await matchEntry(records, service, entry, statement)
  const decision = await decideEntry(records, entry, { match, now: service.clock.now() })
  return { fact: null, ...decision.entry }
}
