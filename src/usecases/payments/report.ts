import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { addMoney, currency, type Money, zeroMoney } from '../../domain/money.ts'
import type { Day } from '../../domain/payments/bank-days.ts'
import type { DebitCollection } from '../../domain/payments/debit-collection.ts'
import type { Payment, PaymentState } from '../../domain/payments/payment.ts'
import type { Statement, StatementEntry } from '../../domain/payments/statement.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { listStatements, readEntries } from './statements.ts'

export interface ReportSelection {
  /** An id or a key. */
  readonly cooperative?: string | undefined
  /** The first and the last day of bookings; due and collected payments are those of now. */
  readonly since?: Day | undefined
  readonly until?: Day | undefined
}

export interface CreditorReport {
  readonly cooperativeKey: string
  readonly due: Money
  readonly collecting: Money
  /** Every booking, whatever came back later. */
  readonly paid: Money
  /** Every return of money that was booked. */
  readonly returned: Money
  readonly charges: Money
  /** Payments by transfer that operators have recorded, which no entry of a statement explains. */
  readonly recorded: Money
  /** The ids of the entries that wait for a person. */
  readonly unexplained: readonly string[]
}

/** What was collected for each creditor, from the entries of statements, so that it agrees with them to the cent. */
export async function reportPayments(
  service: Service,
  { cooperative, since, until }: ReportSelection,
): Promise<readonly CreditorReport[]> {
  const { store } = service
  const all = await store.read(async (records) =>
    cooperative === undefined
      ? records.cooperatives.list()
      : [await requireCooperative(records, cooperative)],
  )
  const creditors = all
    .filter(({ creditor }) => creditor !== undefined)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const period = { since, until }
  const reports = new Map<string, CreditorReport>()
  const accounts = new Map<string, string>()
  for (const one of creditors) {
    reports.set(one.id, await startReport(service, one))
    for (const account of await listAccounts(service, one)) accounts.set(account, one.id)
  }
  /** The orders whose transfers are in a statement. */
  const explained = new Set<string>()
  for await (const statements of listStatements(service, {})) {
    for (const statement of statements) {
      for await (const entries of readEntries(service, statement.statementId)) {
        const owned = await store.read((records) =>
          Promise.all(entries.map((entry) => readOwned(records, entry, { statement, accounts }))),
        )
        for (const { entry, owner, isDetail } of owned) {
          if (entry.fact?.startsWith('transfer:')) explained.add(entry.sharePurchaseId ?? '')
          const report = owner === undefined ? undefined : reports.get(owner)
          if (owner === undefined || !report || isDetail) continue
          if (isWithin(entry.bookedOn, period)) reports.set(owner, addEntry(report, entry))
        }
      }
    }
  }
  const found: CreditorReport[] = []
  for (const [cooperativeId, report] of reports) {
    const recorded = await sumPayments(service, {
      cooperativeId,
      state: 'paid',
      counts: ({ sharePurchaseId, paidBy, paidOn }) =>
        paidBy === 'transfer' && isWithin(paidOn, period) && !explained.has(sharePurchaseId),
    })
    found.push({ ...report, recorded })
  }
  return found
}

function isWithin(
  day: Day | null,
  { since, until }: Pick<ReportSelection, 'since' | 'until'>,
): boolean {
  if (day === null) return since === undefined && until === undefined
  return (since === undefined || day >= since) && (until === undefined || day <= until)
}

async function startReport(service: Service, { id, key }: Cooperative): Promise<CreditorReport> {
  const sum = (state: PaymentState) => sumPayments(service, { cooperativeId: id, state })
  return {
    cooperativeKey: key,
    due: await sum('due'),
    collecting: await sum('collecting'),
    paid: zeroMoney,
    returned: zeroMoney,
    charges: zeroMoney,
    recorded: zeroMoney,
    unexplained: [],
  }
}

async function sumPayments(
  { store }: Service,
  {
    counts = () => true,
    ...filter
  }: {
    readonly cooperativeId: string
    readonly state: PaymentState
    readonly counts?: (payment: Payment) => boolean
  },
): Promise<Money> {
  let sum = zeroMoney
  const all = readInBatches(store, {
    list: ({ payments }, page) => payments.list({ ...filter, ...page }),
    idOf: ({ sharePurchaseId }: Payment) => sharePurchaseId,
  })
  for await (const payments of all) {
    for (const payment of payments) if (counts(payment)) sum = addMoney(sum, payment.amount)
  }
  return sum
}

/** The account of the creditor, and those that it had before: money can come back after thirteen months. */
async function listAccounts(
  { store }: Service,
  { id: cooperativeId, creditor }: Cooperative,
): Promise<ReadonlySet<string>> {
  const accounts = new Set(creditor ? [creditor.iban] : [])
  const all = readInBatches(store, {
    list: ({ debitCollections }, page) => debitCollections.list({ cooperativeId, ...page }),
    idOf: ({ collectionId }: DebitCollection) => collectionId,
  })
  for await (const collections of all)
    for (const one of collections) accounts.add(one.creditor.iban)
  return accounts
}

interface Owned {
  readonly entry: StatementEntry
  /** The cooperative of the order or the collection; else that of the account. */
  readonly owner: string | undefined
  /** Whether it is a part of a booking that counts as one sum. */
  readonly isDetail: boolean
}

async function readOwned(
  { payments, debitCollections, statementEntries }: ReadableRecords,
  entry: StatementEntry,
  {
    statement: { accountIban },
    accounts,
  }: { readonly statement: Statement; readonly accounts: ReadonlyMap<string, string> },
): Promise<Owned> {
  const { sharePurchaseId, collectionId, kind, outcome, matchedBy } = entry
  const isPart = kind === 'booking' && outcome === 'booked' && matchedBy !== 'batch'
  const [payment, collection, batch] = await Promise.all([
    sharePurchaseId === null ? undefined : payments.get(sharePurchaseId),
    sharePurchaseId === null && collectionId !== null
      ? debitCollections.get(collectionId)
      : undefined,
    isPart && collectionId !== null
      ? statementEntries.findByFact(`booking:${collectionId}`)
      : undefined,
  ])
  const owner = payment?.cooperativeId ?? collection?.cooperativeId
  return {
    entry,
    owner: owner ?? accounts.get(accountIban ?? ''),
    isDetail: batch !== undefined,
  }
}

function addEntry(report: CreditorReport, entry: StatementEntry): CreditorReport {
  const { kind, outcome, amount, charges } = entry
  if (outcome === 'unmatched')
    return { ...report, unexplained: [...report.unexplained, entry.entryId] }
  if (entry.currency !== currency || outcome === 'repeated' || outcome === null) return report
  if (kind === 'charges') return { ...report, charges: addMoney(report.charges, amount) }
  if (outcome === 'booked') return { ...report, paid: addMoney(report.paid, amount) }
  // A refusal is no money that has moved.
  if (outcome !== 'returned' || kind === 'refusal') return report
  return {
    ...report,
    returned: addMoney(report.returned, amount),
    charges: addMoney(report.charges, charges),
  }
}
