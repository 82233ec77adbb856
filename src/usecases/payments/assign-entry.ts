import { addMoney, currency, toMinorUnits } from '../../domain/money.ts'
import type { DirectDebit } from '../../domain/payments/debit-collection.ts'
import { payByTransfer, payWithdrawn } from '../../domain/payments/payment.ts'
import type { Fact, Statement, StatementEntry } from '../../domain/payments/statement.ts'
import { Problem } from '../../domain/problem.ts'
import { endedStatuses } from '../../domain/share-purchases/mandate-lapse.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { changeOrder, type HeldOrder } from '../share-purchases/change-status.ts'
import { requireAnySharePurchase } from '../share-purchases/read-share-purchases.ts'
import { countAgain, putDecision } from './apply-statement.ts'
import { type Decision, decideDebit } from './decide-entry.ts'
import { withCharges } from './match-entry.ts'
import { requirePayment } from './payments.ts'
import { type ShownEntry, showEntry } from './statements.ts'

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
    const statement = entry && (await records.statements.get(entry.statementId))
    if (!entry || !statement) {
      throw new Problem(
        'STATEMENT_NOT_FOUND',
        `No entry has the id ${entryId}. \`coopshare statement show\` lists the entries of a statement.`,
      )
    }
    const waits = entry.outcome === 'unmatched' || entry.outcome === 'ignored'
    if (!waits || entry.matchedBy !== null) {
      throw refused(
        `This entry is ${entry.outcome ?? 'not applied yet'}, so it cannot be assigned. Only entries that matched nothing can be.`,
      )
    }
    const payment = held.payment ?? (await requirePayment(records, held.order))
    await requireSameAccount(records, { ...held, payment }, statement)
    const decision = await decideAssigned(records, entry, {
      held: { ...held, payment },
      now: service.clock.now(),
    })
    const assigned = await putDecision(records, entry, decision)
    await countAgain(records, service, entry, assigned)
    return showEntry(records, service, assigned)
  })
}

function refused(detail: string): Problem {
  return new Problem('PAYMENT_ILLEGAL_STATE', detail)
}

type Held = HeldOrder & { readonly payment: NonNullable<HeldOrder['payment']> }

/** Money on the account of one creditor never pays an order of another one. */
async function requireSameAccount(
  records: ReadableRecords,
  { payment: { cooperativeId, attempts } }: Held,
  { accountIban }: Statement,
): Promise<void> {
  if (accountIban === null) return
  const [cooperative, ...collections] = await Promise.all([
    records.cooperatives.get(cooperativeId),
    ...attempts.map(({ collectionId }) => records.debitCollections.get(collectionId)),
  ])
  const accounts = [cooperative?.creditor, ...collections.map((one) => one?.creditor)]
  if (accounts.some((creditor) => creditor?.iban === accountIban)) return
  throw refused(
    `The entry is on another account than that of ${cooperative?.name ?? 'the cooperative'}, so it cannot be assigned to this share purchase.`,
  )
}

interface Assigned {
  readonly held: Held
  readonly now: Timestamp
}

async function decideAssigned(
  records: ReadableRecords,
  entry: StatementEntry,
  assigned: Assigned,
): Promise<Decision> {
  const { order, payment } = assigned.held
  const { kind, amount } = entry
  if (entry.currency !== currency)
    throw refused(`The entry is in ${entry.currency}, but payments are in ${currency}.`)
  const matched = { sharePurchaseId: payment.sharePurchaseId, matchedBy: 'operator' } as const
  if (kind === 'charges') {
    const after = {
      ...payment,
      charges: addMoney(payment.charges, amount),
      updatedAt: assigned.now,
    }
    return {
      entry: { ...matched, outcome: 'ignored' },
      payment: { order, before: payment, after },
    }
  }
  if (kind === 'refusal' || !entry.isCredit) return decideReturn(records, entry, assigned)
  if (amount !== payment.amount) throw otherAmount(entry, assigned.held)
  const attempt = payment.attempts.at(-1)
  if (kind !== 'booking' || payment.paidBy === 'transfer')
    return decideTransfer(records, entry, assigned)
  if (attempt?.state === 'collecting')
    return decideOfDebit(records, entry, { ...assigned, attempt })
  if (attempt?.state === 'cancelled' && payment.state === 'due') {
    const day = entry.bookedOn ?? platformDay(assigned.now)
    const { endToEndId, collectionId } = attempt
    return {
      entry: { ...matched, collectionId, fact: `booking:${endToEndId}`, outcome: 'booked' },
      payment: {
        order,
        before: payment,
        after: payWithdrawn(payment, attempt, { paidOn: day, now: assigned.now }),
      },
    }
  }
  return decideTransfer(records, entry, assigned)
}

function otherAmount({ amount, currency }: StatementEntry, { payment }: Held): Problem {
  return refused(
    `The entry has ${amount} ${currency}, but the share purchase costs ${payment.amount} ${payment.currency}. Only the whole amount can be assigned.`,
  )
}

/** More than any bank charges for a return. A larger difference is a mistake. */
const mostCharges = 5000n

/** The bank has taken back the last direct debit, perhaps with charges that the entry does not name. */
async function decideReturn(
  records: ReadableRecords,
  entry: StatementEntry,
  assigned: Assigned,
): Promise<Decision> {
  const { payment } = assigned.held
  const attempt = payment.attempts.findLast(
    ({ state }) => state === 'collecting' || state === 'paid',
  )
  const kind = entry.kind === 'refusal' ? 'refusal' : 'return'
  const fitting = withCharges({ ...entry, kind }, payment)
  const isFitting = fitting && toMinorUnits(fitting.charges) <= mostCharges
  if (!isFitting) throw otherAmount(entry, assigned.held)
  if (!attempt || payment.paidBy === 'transfer')
    throw refused(`The payment is ${payment.state}, so a return cannot be assigned to it.`)
  return decideOfDebit(records, fitting, { ...assigned, attempt })
}

/** As if the entry had named the direct debit. */
async function decideOfDebit(
  records: ReadableRecords,
  entry: StatementEntry,
  {
    attempt: { endToEndId },
    held: { payment },
    now,
  }: Assigned & { readonly attempt: Pick<DirectDebit, 'endToEndId'> },
): Promise<Decision> {
  const debit = await records.directDebits.get(endToEndId)
  const decision =
    debit && (await decideDebit(records, entry, { debit, matchedBy: 'operator', now }))
  if (decision?.entry.outcome === 'booked' || decision?.entry.outcome === 'returned')
    return decision
  throw refused(
    `The payment is ${payment.state}, and another entry has said so already, so this one cannot be assigned to it.`,
  )
}

/** The investor has transferred the money, which an operator may have recorded before. */
async function decideTransfer(
  records: ReadableRecords,
  entry: StatementEntry,
  { held: { order, payment }, now }: Assigned,
): Promise<Decision> {
  const { sharePurchaseId, state } = payment
  const fact: Fact = `transfer:${sharePurchaseId}`
  const decided = {
    sharePurchaseId,
    matchedBy: 'operator',
    fact,
    outcome: 'booked',
  } as const
  if (payment.paidBy === 'transfer') {
    const explained = await records.statementEntries.findByFact(fact)
    if (!explained) return { entry: decided }
    throw refused('Another entry has brought the money for this share purchase already.')
  }
  if (endedStatuses.includes(order.status))
    throw refused(`The share purchase is ${order.status}, so pay the money back.`)
  if (state === 'collecting') {
    throw refused(
      `The payment is in collection ${payment.collectionId}, so the investor would pay twice. Cancel the collection, or wait for the statement of the bank and pay this money back.`,
    )
  }
  if (state !== 'due' && state !== 'returned')
    throw refused(`The payment is ${state}, so money that came cannot be assigned to it.`)
  const paidOn = entry.bookedOn ?? platformDay(now)
  const transfer = { paidOn, reference: entry.endToEndId }
  return {
    entry: decided,
    payment: { order, before: payment, after: payByTransfer(payment, transfer, now) },
  }
}
