// Judges what the service says about money by the books of the bank.

import { amountOf, type Cents, centsOf } from '../fixtures/bank/files.ts'
import type { Bank } from './bank.ts'
import type { Ledger } from './ledger.ts'
import type { Answer } from './service.ts'
import type { World } from './world.ts'

type Row = Answer['body']

/** The service may know less than the bank at any time, but never something else. */
export async function judgeStates(world: World, bank: Bank): Promise<readonly Row[]> {
  const answer = await world.operate('payment.list', {})
  if (answer?.status !== 200) return []
  for (const { share_purchase_id: id, state, paid_by, attempts } of answer.body) {
    for (const { end_to_end_id: reference, state: said, return_code } of attempts) {
      const debit = bank.debits.get(reference)
      const isTrue =
        said === 'collecting' ||
        (said === 'cancelled' && debit === undefined) ||
        (said === 'paid' && debit?.wasBooked) ||
        (said === 'returned' &&
          (debit?.fate === 'refused' || debit?.fate === 'returned') &&
          debit.code === return_code)
      if (isTrue) continue
      const truth = debit ? `${debit.fate} ${debit.code ?? ''}` : 'unknown to the bank'
      world.violate(`${reference} is ${said} ${return_code ?? ''} in the service, and ${truth}`)
    }
    if (state === 'paid' && paid_by === 'transfer' && !bank.transferred.has(id))
      world.violate(`${id} is paid by transfer in the service, and nobody has made one`)
    const live = attempts.filter((one: Row) => one.state === 'collecting' || one.state === 'paid')
    if (live.length > 1) world.violate(`${id} has ${live.length} direct debits at the same time`)
  }
  return answer.body
}

/** When all that the bank has sent is imported, the service knows exactly what the bank knows. */
export async function judgeMoney(world: World, ledger: Ledger, bank: Bank): Promise<void> {
  const payments = await judgeStates(world, bank)
  judgeDebits(world, bank, payments)
  const counted = await judgeStatements(world, bank)
  await judgeReport(world, { bank, payments, counted })
  await judgeAnnouncements(world, ledger, payments)
  for (const order of ledger.orders) {
    const isEnded = order.acknowledged.has('rejected') || order.acknowledged.has('cancelled')
    const live = bank
      .debitsOf(order.sharePurchaseId ?? '')
      .find(({ fate }) => fate === 'taken' || fate === 'booked')
    if (isEnded && live && !order.isRefunded)
      world.violate(`${order.key} is rejected, but the bank has collected ${live.endToEndId}`)
  }
}

function judgeDebits(world: World, bank: Bank, payments: readonly Row[]): void {
  const known = new Map<string, Row>()
  const charges = new Map<string, Cents>()
  for (const payment of payments) {
    charges.set(payment.share_purchase_id, centsOf(payment.charges))
    for (const attempt of payment.attempts) {
      if (known.has(attempt.end_to_end_id))
        world.violate(`the reference ${attempt.end_to_end_id} is used by two payments`)
      known.set(attempt.end_to_end_id, attempt)
    }
  }
  const states = { taken: 'collecting', refused: 'returned', booked: 'paid', returned: 'returned' }
  for (const { endToEndId, fate } of bank.debits.values()) {
    const state = known.get(endToEndId)?.state
    if (state !== states[fate]) world.violate(`${endToEndId} is ${fate} at the bank, not ${state}`)
  }
  for (const [id, cents] of charges) {
    const due = bank.debitsOf(id).reduce((sum, debit) => sum + debit.charges, 0)
    if (due !== cents) world.violate(`${id} has charges of ${cents} cents, not ${due}`)
  }
}

/**
 * Every euro that the bank has sent is in one entry that counts, or in one that is listed as
 * unmatched. Returns the entries, without those that are repeated.
 */
async function judgeStatements(world: World, bank: Bank): Promise<readonly Row[]> {
  const counted: Row[] = []
  for (const statement of (await world.operate('statement.list', {}))?.body ?? []) {
    const { statement_id, account_iban: account } = statement
    if (!statement.is_complete) world.violate(`the statement ${statement_id} was never applied`)
    const shown = (await world.operate('statement.show', { statement_id }))?.body
    for (const outcome of ['booked', 'returned', 'repeated', 'unmatched', 'ignored']) {
      const count = shown.entries.filter((entry: Row) => entry.outcome === outcome).length
      if (count !== statement[outcome])
        world.violate(
          `${statement.file} has ${count} ${outcome} entries, and says ${statement[outcome]}`,
        )
    }
    counted.push(
      ...shown.entries
        .filter(({ outcome, kind }: Row) => outcome !== 'repeated' && kind !== 'refusal')
        .map((entry: Row) => ({ ...entry, account })),
    )
  }
  for (const account of new Set(bank.movements.map((one) => one.account))) {
    const sums = (isCredit: boolean) => ({
      moved: bank.movements
        .filter((one) => one.account === account && one.isCredit === isCredit)
        .reduce((sum, { cents }) => sum + cents, 0),
      explained: counted
        .filter((entry) => entry.account === account && entry.is_credit === isCredit)
        .reduce((sum, entry) => sum + grossOf(entry), 0),
    })
    for (const isCredit of [true, false]) {
      const { moved, explained } = sums(isCredit)
      const doubtful = counted
        .filter((entry) => entry.account === account && entry.is_credit === isCredit)
        .filter((entry) => waitsForPerson(bank, entry))
        .reduce((sum, entry) => sum + grossOf(entry), 0)
      // A person may find that such an entry says again what another one has said.
      if (explained - doubtful <= moved && moved <= explained) continue
      const way = isCredit ? 'came to' : 'left'
      world.violate(
        `${amountOf(moved)} ${way} ${account}, and the entries explain ${amountOf(explained)}`,
      )
    }
  }
  return counted
}

function grossOf({ amount, charges }: Row): number {
  return centsOf(amount) + centsOf(charges)
}

/** A return that names only a mandate with several direct debits of the same amount, so that nobody can say which one. */
function waitsForPerson(bank: Bank, entry: Row): boolean {
  if (entry.kind !== 'return' || entry.outcome !== 'unmatched') return false
  return bank.movements.some(
    ({ kind, naming, cents, debits: [debit] }) =>
      kind === 'return' &&
      naming === 'mandate' &&
      cents === grossOf(entry) &&
      debit !== undefined &&
      bank.debitsAlike(debit).length > 1,
  )
}

interface Answers {
  readonly bank: Bank
  readonly payments: readonly Row[]
  readonly counted: readonly Row[]
}

/** The report agrees with the bank to the cent, or says which entries it does not explain. */
async function judgeReport(world: World, answers: Answers): Promise<void> {
  const { bank, payments, counted } = answers
  const unmatched = counted.filter(({ outcome }) => outcome === 'unmatched')
  const { creditors = [] } = (await world.operate('payment.report', {}))?.body ?? {}
  const listed = creditors.flatMap(({ unexplained }: Row) => unexplained)
  for (const { entry_id, amount, kind } of unmatched)
    if (!listed.includes(entry_id))
      world.violate(`the ${kind} of ${amount} is not explained, and the report does not say so`)
  // Transfers that nobody has assigned may wait for a person, too.
  for (const entry of unmatched)
    if (entry.kind !== 'other' && !waitsForPerson(bank, entry))
      world.violate(`a ${entry.kind} of ${entry.amount} has matched nothing`)
  // Fees of an account belong to one of the cooperatives that have it.
  const charged = creditors.reduce((total: Cents, { charges }: Row) => total + centsOf(charges), 0)
  const taken = bank.movements.reduce((total, { charges }) => total + charges, 0)
  if (charged !== taken)
    world.violate(`the report has charges of ${charged} cents, and the bank took ${taken}`)
  for (const report of creditors) {
    const { cooperative_key: key } = report
    const own = payments.filter((payment) => payment.cooperative_key === key)
    const ids = new Set(own.map(({ share_purchase_id: id }) => id))
    const debits = [...bank.debits.values()].filter(({ orderId }) => ids.has(orderId))
    const assigned = counted.filter(
      ({ outcome, kind, share_purchase_id: id }) =>
        kind === 'other' && outcome === 'booked' && ids.has(id),
    )
    const sum = (all: readonly { readonly cents: Cents }[]) =>
      all.reduce((total, { cents }) => total + cents, 0)
    const transferred = assigned.reduce((total, { amount }) => total + centsOf(amount), 0)
    const stateSum = (state: string) =>
      sum(own.flatMap((one) => (one.state === state ? { cents: centsOf(one.amount) } : [])))
    const due = {
      due: stateSum('due'),
      collecting: stateSum('collecting'),
      paid: sum(debits.filter(({ wasBooked }) => wasBooked)) + transferred,
      returned: sum(debits.filter(({ fate }) => fate === 'returned')),
    }
    for (const [name, cents] of Object.entries(due)) {
      if (report[name] === amountOf(cents)) continue
      world.violate(
        `the report of ${key} says ${report[name]} ${name}, and the bank ${amountOf(cents)}`,
      )
    }
    // What came and did not go back is what orders have paid by direct debit.
    const kept = own
      .flatMap(({ amount, attempts }) => attempts.map((one: Row) => ({ ...one, amount })))
      .filter(({ state }) => state === 'paid')
      .reduce((total, { amount }) => total + centsOf(amount), 0)
    const net = due.paid - transferred - due.returned
    if (kept !== net)
      world.violate(`orders of ${key} have paid ${amountOf(kept)}, and the bank has ${net} cents`)
  }
}

/** Each direct debit was announced by one e-mail, or is listed as not announced. */
async function judgeAnnouncements(
  world: World,
  ledger: Ledger,
  payments: readonly Row[],
): Promise<void> {
  const announced = new Map<string, number>()
  let debits = 0
  for (const { collection_id } of (await world.operate('collection.list', {}))?.body ?? []) {
    const shown = (await world.operate('collection.show', { collection_id }))?.body
    const { announced: mailed, not_announced: others, payments: all, count, total } = shown
    debits += all.length
    const cents = all.reduce((sum: number, { amount }: Row) => sum + centsOf(amount), 0)
    if (all.length !== count || cents !== centsOf(total))
      world.violate(
        `${collection_id} says ${count} and ${total}, and has ${all.length} and ${cents}`,
      )
    for (const id of mailed) announced.set(id, (announced.get(id) ?? 0) + 1)
    const listed = [...mailed, ...others].sort().join()
    if (
      listed !==
      all
        .map(({ share_purchase_id: id }: Row) => id)
        .sort()
        .join()
    )
      world.violate(`${collection_id} does not say of each investor whether an e-mail went out`)
  }
  const attempts = payments.reduce((sum, payment) => sum + payment.attempts.length, 0)
  if (attempts !== debits) world.violate(`${attempts} attempts are in ${debits} direct debits`)
  for (const { sharePurchaseId: id, key } of ledger.orders) {
    if (id === undefined) continue
    const mails = announcementsOf(world, id)
    if (mails !== (announced.get(id) ?? 0))
      world.violate(`${key} has ${mails} announcements by e-mail, not ${announced.get(id) ?? 0}`)
  }
}

function announcementsOf(world: World, orderId: string): number {
  let count = 0
  for (const [path, { content }] of world.computer.disk.files()) {
    if (!/^\/mail\/[^.]/.test(path)) continue
    const text = content.toString('latin1').replaceAll('=\r\n', '')
    if (isAnnouncement(text) && text.includes(orderId)) count += 1
  }
  return count
}

/** Whether an e-mail announces a direct debit. */
export function isAnnouncement(mail: string): boolean {
  return /^Mandate reference: /m.test(mail)
}
