import { addMoney } from '../../domain/money.ts'
import type { CursorPage } from '../../domain/page.ts'
import {
  type Payment,
  payByDebit,
  payByTransfer,
  returnPayment,
} from '../../domain/payments/payment.ts'
import type { Statement, StatementEntry } from '../../domain/payments/statement.ts'
import { Problem } from '../../domain/problem.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { changeOrder } from '../share-purchases/change-status.ts'
import { requireAnySharePurchase } from '../share-purchases/read-share-purchases.ts'
import { putPayment, requirePayment } from './payments.ts'

/** Newest first. */
export function listStatements(
  { store }: Service,
  { after, limit }: CursorPage,
): AsyncGenerator<readonly Statement[]> {
  return readInBatches(store, {
    list: ({ statements }: ReadableRecords, page: CursorPage) => statements.list(page),
    idOf: ({ statementId }: Statement) => statementId,
    after,
    limit,
  })
}

/** An entry with what the bank says about it in words. */
export interface ShownEntry {
  readonly entry: StatementEntry
  readonly counterparty: string | null
  readonly purpose: string | null
}

export interface ShownStatement {
  readonly statement: Statement
  readonly entries: readonly ShownEntry[]
}

export async function readStatement(
  service: Service,
  statementId: string,
): Promise<ShownStatement> {
  const { store } = service
  const statement = await store.read(({ statements }) => statements.get(statementId.toLowerCase()))
  if (!statement) throw noStatement(statementId)
  const entries: ShownEntry[] = []
  for await (const found of readEntries(service, statement.statementId))
    entries.push(...found.map((entry) => showEntry(service, entry)))
  return { statement, entries }
}

/** A statement can have 50,000 entries, so a page shows only a part of them. */
export async function readStatementPart(
  service: Service,
  statementId: string,
  page: CursorPage,
): Promise<ShownStatement> {
  return service.store.read(async ({ statements, statementEntries }) => {
    const statement = await statements.get(statementId.toLowerCase())
    if (!statement) throw noStatement(statementId)
    const entries = await statementEntries.listByStatement({
      statementId: statement.statementId,
      ...page,
    })
    return { statement, entries: entries.map((entry) => showEntry(service, entry)) }
  })
}

function noStatement(statementId: string): Problem {
  return new Problem(
    'STATEMENT_NOT_FOUND',
    `No statement has the id ${statementId}. \`coopshare statement list\` lists all statements.`,
  )
}

export function readEntries({ store }: Pick<Service, 'store'>, statementId: string) {
  return readInBatches(store, {
    list: ({ statementEntries }: ReadableRecords, page: CursorPage) =>
      statementEntries.listByStatement({ statementId, ...page }),
    idOf: ({ entryId }: StatementEntry) => entryId,
  })
}

function showEntry({ vault }: Pick<Service, 'vault'>, entry: StatementEntry): ShownEntry {
  const { encryptedText } = entry
  if (encryptedText === null) return { entry, counterparty: null, purpose: null }
  const { counterparty, purpose } = JSON.parse(vault.decrypt(encryptedText))
  return { entry, counterparty, purpose }
}

/** The entries that wait for a person, oldest first. */
export async function listUnmatched(
  service: Service,
  limit: number,
): Promise<readonly ShownEntry[]> {
  const found = await service.store.read(({ statementEntries }) =>
    statementEntries.listUnmatched({ limit }),
  )
  return found.map((entry) => showEntry(service, entry))
}

/** A person says to which order an entry belongs that matched nothing. */
export async function assignEntry(
  service: Service,
  entryId: string,
  sharePurchaseId: string,
): Promise<ShownEntry> {
  const known = await service.store.read((records) =>
    requireAnySharePurchase(records, sharePurchaseId),
  )
  return changeOrder(service, known, async (records, held) => {
    const entry = await records.statementEntries.get(entryId.toLowerCase())
    if (!entry) {
      throw new Problem(
        'STATEMENT_NOT_FOUND',
        `No entry has the id ${entryId}. \`coopshare statement show\` lists the entries of a statement.`,
      )
    }
    if (entry.outcome !== 'unmatched' && entry.outcome !== 'ignored') {
      throw new Problem(
        'PAYMENT_ILLEGAL_STATE',
        `This entry is ${entry.outcome ?? 'not applied yet'}, so it cannot be assigned. Only entries that matched nothing can be.`,
      )
    }
    const payment = held.payment ?? (await requirePayment(records, held.order))
    await putPayment(records, held, assign(payment, entry, service.clock.now()))
    const outcome = entry.kind === 'return' || entry.kind === 'refusal' ? 'returned' : 'booked'
    const assigned = {
      ...entry,
      outcome,
      sharePurchaseId: payment.sharePurchaseId,
      collectionId: payment.collectionId,
      matchedBy: 'operator',
    } as const
    await records.statementEntries.put(assigned)
    await countAgain(records, entry, assigned)
    return showEntry(service, assigned)
  })

  async function countAgain(
    { statements }: Parameters<Parameters<Service['store']['write']>[1]>[0],
    before: StatementEntry,
    after: StatementEntry,
  ): Promise<void> {
    const statement = await statements.get(before.statementId)
    if (!statement || before.outcome === null || after.outcome === null) return
    const counts = { ...statement.counts }
    counts[before.outcome] -= 1
    counts[after.outcome] += 1
    await statements.put({ ...statement, counts, updatedAt: service.clock.now() })
  }
}

function assign(payment: Payment, entry: StatementEntry, now: Timestamp): Payment {
  const { kind, amount, charges, isCredit, returnCode } = entry
  if (kind === 'charges')
    return { ...payment, charges: addMoney(payment.charges, amount), updatedAt: now }
  if (amount !== payment.amount) {
    throw new Problem(
      'PAYMENT_ILLEGAL_STATE',
      `The entry has ${amount} ${entry.currency}, but the share purchase costs ${payment.amount} ${payment.currency}. Only the whole amount can be assigned.`,
    )
  }
  const day = entry.bookedOn ?? platformDay(now)
  const { state } = payment
  if (isCredit) {
    if (state === 'collecting') return payByDebit(payment, day, now)
    if (state === 'due' || state === 'returned')
      return payByTransfer(payment, { paidOn: day, reference: entry.endToEndId }, now)
  } else if (state === 'collecting' || (state === 'paid' && payment.paidBy === 'direct_debit')) {
    const endToEndId = payment.attempts.at(-1)?.endToEndId ?? ''
    const how = { endToEndId, returnedOn: day, returnCode: returnCode ?? 'MS03', charges }
    return returnPayment(payment, how, now)
  }
  throw new Problem(
    'PAYMENT_ILLEGAL_STATE',
    `The payment is ${state}, so ${isCredit ? 'money that came' : 'a return'} cannot be assigned to it.`,
  )
}
