import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { addMoney, type Money, subtractMoney, zeroMoney } from '../../domain/money.ts'
import type { Day } from '../../domain/payments/bank-days.ts'
import type { Payment, PaymentState } from '../../domain/payments/payment.ts'
import type { Statement, StatementEntry } from '../../domain/payments/statement.ts'
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
  const all = await service.store.read(async (records) =>
    cooperative === undefined
      ? records.cooperatives.list()
      : [await requireCooperative(records, cooperative)],
  )
  const creditors = all
    .filter(({ creditor }) => creditor !== undefined)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const reports = new Map<string, CreditorReport>()
  for (const one of creditors)
    reports.set(one.id, await startReport(service, one, { since, until }))
  const byAccount = new Map(creditors.map(({ id, creditor }) => [creditor?.iban, id]))
  for await (const statements of listStatements(service, {})) {
    for (const statement of statements) {
      for await (const entries of readEntries(service, statement.statementId)) {
        for (const entry of entries) {
          if (!isWithin(entry.bookedOn, { since, until })) continue
          const { id, payment } = await ownerOf(service, entry, statement, byAccount)
          const report = id === undefined ? undefined : reports.get(id)
          if (id !== undefined && report) reports.set(id, addEntry(report, entry, payment))
        }
      }
    }
  }
  return [...reports.values()]
}

function isWithin(
  day: Day | null,
  { since, until }: Pick<ReportSelection, 'since' | 'until'>,
): boolean {
  if (day === null) return since === undefined && until === undefined
  return (since === undefined || day >= since) && (until === undefined || day <= until)
}

async function startReport(
  service: Service,
  { id, key }: Cooperative,
  period: Pick<ReportSelection, 'since' | 'until'>,
): Promise<CreditorReport> {
  const sum = (state: PaymentState, counts: (payment: Payment) => boolean = () => true) =>
    sumPayments(service, { cooperativeId: id, state, counts })
  return {
    cooperativeKey: key,
    due: await sum('due'),
    collecting: await sum('collecting'),
    paid: zeroMoney,
    returned: zeroMoney,
    charges: zeroMoney,
    recorded: await sum(
      'paid',
      ({ paidBy, paidOn }) => paidBy === 'transfer' && isWithin(paidOn, period),
    ),
    unexplained: [],
  }
}

async function sumPayments(
  { store }: Service,
  {
    counts,
    ...filter
  }: {
    readonly cooperativeId: string
    readonly state: PaymentState
    counts(payment: Payment): boolean
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

/** The cooperative of the order or the collection; else that of the account. */
async function ownerOf(
  { store }: Service,
  { sharePurchaseId, collectionId }: StatementEntry,
  { accountIban }: Statement,
  byAccount: ReadonlyMap<string | undefined, string>,
): Promise<{ readonly id: string | undefined; readonly payment?: Payment | undefined }> {
  if (sharePurchaseId === null && collectionId === null)
    return { id: byAccount.get(accountIban ?? '') }
  return store.read(async ({ payments, debitCollections }) => {
    if (sharePurchaseId === null)
      return { id: (await debitCollections.get(collectionId ?? ''))?.cooperativeId }
    const payment = await payments.get(sharePurchaseId)
    return { id: payment?.cooperativeId, payment }
  })
}

function addEntry(
  report: CreditorReport,
  entry: StatementEntry,
  payment: Payment | undefined,
): CreditorReport {
  const { kind, outcome, amount, charges, isCredit } = entry
  // An entry explains this transfer.
  if (isCredit && outcome === 'booked' && payment?.paidBy === 'transfer') {
    const recorded = subtractMoney(report.recorded, amount)
    return { ...report, recorded, paid: addMoney(report.paid, amount) }
  }
  if (outcome === 'unmatched')
    return { ...report, unexplained: [...report.unexplained, entry.entryId] }
  if (outcome === 'booked') return { ...report, paid: addMoney(report.paid, amount) }
  if (outcome === 'returned' && kind === 'return') {
    return {
      ...report,
      returned: addMoney(report.returned, amount),
      charges: addMoney(report.charges, charges),
    }
  }
  if (kind === 'charges' && outcome !== 'repeated' && entry.sharePurchaseId !== null)
    return { ...report, charges: addMoney(report.charges, amount) }
  return report
}
