import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { addMoney, currency, zeroMoney } from '../../domain/money.ts'
import type { Day } from '../../domain/payments/bank-days.ts'
import type { Creditor } from '../../domain/payments/creditor.ts'
import type {
  DebitCollection,
  Debtor,
  DirectDebit,
} from '../../domain/payments/debit-collection.ts'
import { debtorOf, isShortened } from '../../domain/payments/debtor.ts'
import { amountError } from '../../domain/payments/direct-debit-file.ts'
import { earliestDueDate, requireDueDate } from '../../domain/payments/due-dates.ts'
import { endToEndIdOf, type Payment, startAttempt } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { hasLapsed } from '../../domain/share-purchases/mandate-lapse.ts'
import {
  isOfErasedPerson,
  type SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../../domain/text.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import { mapInTurns, nextTurn } from '../../machine/time.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import { openPersonalData } from '../investors/investors.ts'
import { batchSize, oneAhead } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { findFirstUse } from '../share-purchases/mandates.ts'
import { isMailOn, recordEvent } from '../webhooks/record-event.ts'
import { actingOperator } from './acting-operator.ts'
import { announcementOf } from './announcement.ts'
import { changeCollection, type ListedCollection, requireCollection } from './collections.ts'
import { listDebitsOfMandate } from './debits-of-mandate.ts'
import { openMissingPayments } from './open-payments.ts'

export interface CreateCollections {
  /** An id or a key; without it, all cooperatives that have a creditor. */
  readonly cooperative?: string | undefined
  /** Without it, each creditor's first possible one. */
  readonly due?: Day | undefined
  /** The maximum number of payments, oldest first. */
  readonly limit?: number | undefined
  readonly dryRun?: boolean | undefined
}

/** A payment that stays due, and why, as a clause. */
export interface LeftOut {
  readonly sharePurchaseId: string
  readonly cooperativeKey: string
  readonly reason: string
}

export interface CreatedCollections {
  readonly collections: readonly ListedCollection[]
  readonly leftOut: readonly LeftOut[]
  /** The direct debits whose file has only the beginning of the payer's name or address. */
  readonly shortened: readonly Omit<LeftOut, 'reason'>[]
}

/** The call that runs now, for each store. A second one, such as after a double click, finds nothing due any more. */
const running = new WeakMap<object, Promise<unknown>>()

/**
 * Puts all due payments into one collection for each creditor. A collection grows by parts, each in a write of its own, so
 * that other requests go on meanwhile; until it is complete, it cannot be exported. If the program ends before, the next
 * call completes what there is and puts the rest into another collection. A call of another instance does the same: then
 * each of the two makes a collection, and no payment is in both.
 */
export function createCollections(
  service: Service,
  input: CreateCollections,
): Promise<CreatedCollections> {
  const before = running.get(service.storeAdmin) ?? Promise.resolve()
  const created = before.then(() => createAll(service, input))
  running.set(
    service.storeAdmin,
    created.catch(() => undefined),
  )
  return created
}

async function createAll(
  service: Service,
  { cooperative: asked, due, limit = Number.POSITIVE_INFINITY, dryRun = false }: CreateCollections,
): Promise<CreatedCollections> {
  const today = platformDay(service.clock.now())
  const creditors = await service.store.read((records) => listCreditors(records, asked))
  for (const { creditor, cooperative } of creditors) {
    if (due !== undefined) requireDueDate(due, creditor, { today, cooperativeKey: cooperative.key })
  }
  const leftOut: LeftOut[] = []
  const shortened: CreatedCollections['shortened'][number][] = []
  const collections: ListedCollection[] = []
  let left = limit
  for (const { cooperative, creditor } of creditors) {
    if (left <= 0) break
    if (!dryRun) {
      await openMissingPayments(service, cooperative)
      collections.push(...(await completeInterrupted(service, cooperative)))
    }
    const dueDate = due ?? earliestDueDate(creditor, today)
    for (let after: string | undefined, isAll = false; !isAll && left > 0; ) {
      const started = startCollection(service, { cooperative, creditor, dueDate })
      const page = { cooperative, after, limit: left, dryRun }
      const filled = await fillCollection(service, started, page)
      leftOut.push(...filled.leftOut)
      shortened.push(...filled.shortened)
      const { collection } = filled
      left -= collection.count
      if (collection.count > 0) collections.push({ collection, cooperativeKey: cooperative.key })
      ;({ after, isAll } = filled)
    }
  }
  return { collections, leftOut, shortened }
}

async function listCreditors(
  records: ReadableRecords,
  asked: string | undefined,
): Promise<readonly { readonly cooperative: Cooperative; readonly creditor: Creditor }[]> {
  if (asked === undefined) {
    const all = await records.cooperatives.list()
    const sorted = all.toSorted((one, other) => (one.key < other.key ? -1 : 1))
    return sorted.flatMap((cooperative) =>
      cooperative.creditor ? [{ cooperative, creditor: cooperative.creditor }] : [],
    )
  }
  const cooperative = await requireCooperative(records, asked)
  if (cooperative.creditor) return [{ cooperative, creditor: cooperative.creditor }]
  throw new Problem(
    'VALIDATION_ERROR',
    `${cooperative.name} has no creditor, so nothing can be collected for it. Set one with \`coopshare cooperative set-creditor ${cooperative.key}\`.`,
    { errors: { cooperative: 'must have a creditor' } },
  )
}

function startCollection(
  service: Service,
  {
    cooperative,
    creditor: { noticeDays: _, leadDays: __, ...creditor },
    dueDate,
  }: { readonly cooperative: Cooperative; readonly creditor: Creditor; readonly dueDate: Day },
): DebitCollection {
  const now = service.clock.now()
  const { operatorId, name } = actingOperator(service)
  return {
    collectionId: service.random.id(),
    cooperativeId: cooperative.id,
    state: 'created',
    creditor,
    dueDate,
    isOpen: true,
    isComplete: false,
    count: 0,
    total: zeroMoney,
    currency,
    refusedCount: 0,
    refusedTotal: zeroMoney,
    announcedCount: 0,
    createdBy: name,
    createdById: operatorId,
    createdAt: now,
    confirmedBy: null,
    exportedAt: null,
    fileDigest: null,
    bookedOn: null,
    updatedAt: now,
  }
}

interface Fill {
  readonly cooperative: Cooperative
  /** The payment after which the due ones begin. */
  readonly after: string | undefined
  readonly limit: number
  readonly dryRun: boolean
}

/** Fills the collection until no payment is due, or until another instance completes it. */
async function fillCollection(
  service: Service,
  started: DebitCollection,
  { cooperative: { id: cooperativeId, key: cooperativeKey }, after: begin, limit, dryRun }: Fill,
) {
  const leftOut: LeftOut[] = []
  const shortened: CreatedCollections['shortened'][number][] = []
  let [collection, after] = [started, begin]
  const page = { cooperativeId, after, limit, dueDate: started.dueDate }
  for await (const drafts of oneAhead(draftDebits(service, page))) {
    const possible = drafts.flatMap((draft) => ('debtor' in draft ? draft : []))
    const taken = dryRun
      ? possible.map((draft) => ({ ...draft, isAnnounced: false }))
      : await putDebits(service, collection, possible)
    // Another instance has completed the collection. The rest goes into the next one.
    if (!taken)
      return {
        collection: await service.store.read((records) =>
          requireCollection(records, collection.collectionId),
        ),
        leftOut,
        shortened,
        after,
        isAll: false,
      }
    collection = addTo(collection, taken)
    after = drafts.at(-1)?.payment.sharePurchaseId
    for (const { payment, reason } of drafts.flatMap((draft) => ('reason' in draft ? draft : [])))
      leftOut.push({ sharePurchaseId: payment.sharePurchaseId, cooperativeKey, reason })
    for (const { payment, debtor } of taken) {
      const { sharePurchaseId } = payment
      if (isShortened(debtor)) shortened.push({ sharePurchaseId, cooperativeKey })
    }
  }
  const isEmpty = dryRun || collection.count === 0
  return {
    collection: isEmpty ? collection : (await complete(service, collection)).collection,
    leftOut,
    shortened,
    after,
    isAll: true,
  }
}

/** A due payment whose direct debit can be collected. */
interface Draft {
  readonly payment: Payment
  readonly order: SharePurchase
  readonly debtor: Debtor
  readonly hasMailAddress: boolean
  /** The key with which the debtor is encrypted. */
  readonly encryptedKey: Encrypted | undefined
  readonly encryptedDebtor: Encrypted
}

type DraftOrReason = Draft | { readonly payment: Payment; readonly reason: string }

/** A draft that has become a direct debit. */
interface Taken extends Draft {
  readonly isAnnounced: boolean
}

const takenTogether = 100
/** Opening and encrypting the data of this many persons takes a few milliseconds. */
const draftsPerTurn = 50

/** Yields what is due in parts, until this number of payments can be collected. */
async function* draftDebits(
  service: Service,
  {
    cooperativeId,
    after: begin,
    limit,
    dueDate,
  }: Pick<Fill, 'after' | 'limit'> & { readonly cooperativeId: string; readonly dueDate: Day },
): AsyncGenerator<readonly DraftOrReason[]> {
  const { store } = service
  let after = begin
  for (let left = limit; left > 0; ) {
    const page = { after, limit: Math.min(takenTogether, left) }
    const found = await store.read(async (records) => {
      const due = await records.payments.list({ cooperativeId, state: 'due', ...page })
      return Promise.all(due.map((payment) => readDebit(records, payment, dueDate)))
    })
    const drafts = await mapInTurns(found, (one) => draftDebit(service, one), draftsPerTurn)
    if (drafts.length === 0) return
    yield drafts
    left -= drafts.filter((draft) => 'debtor' in draft).length
    after = drafts.at(-1)?.payment.sharePurchaseId
  }
}

async function readDebit(records: ReadableRecords, payment: Payment, dueDate: Day) {
  const { organizationId, sharePurchaseId, investorId } = payment
  const [order, investor] = await Promise.all([
    records.sharePurchases.get(organizationId, sharePurchaseId),
    records.investors.get(organizationId, investorId),
  ])
  if (!order || !investor) throw new Error('A payment is stored without its order or investor.')
  const isLapsed = await hasMandateLapsed(records, payment, { order, dueDate })
  return { payment, order, investor, isLapsed }
}

function draftDebit(
  { vault }: Service,
  { payment, order, investor, isLapsed }: Awaited<ReturnType<typeof readDebit>>,
): DraftOrReason {
  const { sepaMandate } = order
  if (isOfErasedPerson(order)) return { payment, reason: 'the person was erased' }
  const impossible = amountError(payment.amount)
  if (impossible) return { payment, reason: impossible }
  if (isLapsed) {
    return {
      payment,
      reason:
        'the mandate was not used for 36 months, so it has lapsed: ask the partner for a new order, or for a transfer',
    }
  }
  const { encryptedKey } = investor
  const cipher = vault.once(encryptedKey)
  const { profile, email } = openPersonalData(cipher, investor)
  if (!profile) return { payment, reason: 'the investor has no profile' }
  const found = debtorOf(profile, cipher.decrypt(sepaMandate.encryptedDebtorIban))
  if ('reason' in found) return { payment, reason: found.reason }
  const { debtor } = found
  const encryptedDebtor = cipher.encrypt(JSON.stringify(debtor))
  const hasMailAddress = email !== null
  return { payment, order, debtor, hasMailAddress, encryptedKey, encryptedDebtor }
}

/** Several orders can use one mandate, so the direct debits of all of them count, and the orders that were settled without a creditor. */
async function hasMandateLapsed(
  records: ReadableRecords,
  { sharePurchaseId, organizationId, cooperativeId }: Payment,
  { order: { sepaMandate }, dueDate }: { readonly order: SharePurchase; readonly dueDate: Day },
): Promise<boolean> {
  const { reference, signedAt } = sepaMandate
  const due = noonOf(dueDate)
  // Most mandates are recent, so nothing else is read for them.
  if (!hasLapsed(signedAt, due)) return false
  const others = await Promise.all([
    records.sharePurchases.findLastUseOfMandate(organizationId, reference),
    findFirstUse(records, organizationId, reference),
  ])
  for (const other of others) {
    if (other?.status !== 'settled' || other.sharePurchaseId === sharePurchaseId) continue
    const wasPaidBefore = (await records.payments.get(other.sharePurchaseId)) === undefined
    if (wasPaidBefore && !hasLapsed(other.createdAt, due)) return false
  }
  const debits = await listDebitsOfMandate(records, cooperativeId, reference)
  const collected = await Promise.all(
    debits
      .filter((debit) => debit.organizationId === organizationId)
      .map(async ({ sharePurchaseId: id, endToEndId }) => {
        const attempts = (await records.payments.get(id))?.attempts ?? []
        return attempts.find((one) => one.endToEndId === endToEndId && one.state !== 'cancelled')
      }),
  )
  return !collected.some((one) => one && !hasLapsed(noonOf(one.dueDate), due))
}

function noonOf(day: Day): Timestamp {
  return `${day}T12:00:00.000Z` as Timestamp
}

/** Putting the records of this many payments takes a few milliseconds. */
const putsPerTurn = 100

/**
 * Takes only payments that are still due, because another instance or a person may have been faster. The e-mails that
 * announce the direct debits are in the same write, so that each goes out exactly once.
 * @returns the drafts whose payments were taken; undefined if the collection takes no more
 */
async function putDebits(
  service: Service,
  collection: DebitCollection,
  drafts: readonly Draft[],
): Promise<readonly Taken[] | undefined> {
  if (drafts.length === 0) return []
  const now = service.clock.now()
  const { collectionId, dueDate } = collection
  return service.store.write(subjects.all('payments'), async (records) => {
    const [stored, ...current] = await Promise.all([
      records.debitCollections.get(collectionId),
      ...drafts.map(({ payment }) => records.payments.get(payment.sharePurchaseId)),
    ])
    if (stored && !stored.isOpen) return undefined
    const due = drafts.filter((_, index) => current[index]?.state === 'due')
    if (!stored && due.length > 0) await records.debitCollections.put(collection)
    const [mailing, ...owners] = await Promise.all([
      listMailing(records, service, due),
      ...due.map(({ payment: { organizationId, investorId } }) =>
        records.investors.get(organizationId, investorId),
      ),
    ])
    const taken = due.map((draft, index) => ({
      ...encryptAgain(service, draft, owners[index]?.encryptedKey),
      isAnnounced: draft.hasMailAddress && mailing.has(draft.payment.organizationId),
    }))
    for (const [index, draft] of taken.entries()) {
      if (index % putsPerTurn === putsPerTurn - 1) await nextTurn()
      const endToEndId = endToEndIdOf(draft.payment)
      const attempt = { collectionId, endToEndId, dueDate }
      const debit = debitOf(draft, { collectionId, endToEndId, createdAt: now })
      await records.payments.put(startAttempt(draft.payment, attempt, now))
      await records.directDebits.put(debit)
      if (debit.isAnnounced) {
        await recordEvent(records, service, announcementOf(service, debit, dueDate))
      }
    }
    return taken
  })
}

/** The organizations whose investors get e-mails. */
async function listMailing(
  { organizations }: ReadableRecords,
  { settings }: Service,
  drafts: readonly Draft[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(drafts.map(({ payment }) => payment.organizationId))]
  const found = await Promise.all(ids.map((id) => organizations.get(id)))
  return new Set(ids.filter((_, index) => isMailOn(settings, found[index])))
}

/** The key of an investor may have been renewed since the draft was made. */
function encryptAgain(
  { vault }: Service,
  draft: Draft,
  encryptedKey: Encrypted | undefined,
): Draft {
  if (encryptedKey === draft.encryptedKey) return draft
  const encryptedDebtor = vault.of(encryptedKey).encrypt(JSON.stringify(draft.debtor))
  return { ...draft, encryptedKey, encryptedDebtor }
}

function debitOf(
  { payment, order: { sepaMandate }, isAnnounced, encryptedDebtor }: Taken,
  {
    collectionId,
    endToEndId,
    createdAt,
  }: Pick<DirectDebit, 'collectionId' | 'endToEndId' | 'createdAt'>,
): DirectDebit {
  const { sharePurchaseId, organizationId, investorId, cooperativeId, amount } = payment
  return {
    endToEndId,
    collectionId,
    sharePurchaseId,
    organizationId,
    investorId,
    cooperativeId,
    amount,
    mandateReference: sepaMandate.reference,
    mandateSignedOn: platformDay(sepaMandate.signedAt),
    isAnnounced,
    encryptedDebtor,
    createdAt,
  }
}

function addTo(collection: DebitCollection, drafts: readonly Taken[]): DebitCollection {
  return {
    ...collection,
    count: collection.count + drafts.length,
    announcedCount: collection.announcedCount + drafts.filter((one) => one.isAnnounced).length,
    total: drafts.reduce((sum, { payment }) => addMoney(sum, payment.amount), collection.total),
  }
}

/** Another instance may have completed it, which has counted the same. */
function complete(service: Service, filled: DebitCollection): Promise<ListedCollection> {
  return changeCollection(service, filled.collectionId, (stored) =>
    stored.isOpen ? { ...filled, isOpen: false, isComplete: true } : stored,
  )
}

/**
 * Completes collections that a crash, or another instance, has left behind. First nothing more is added, then the direct
 * debits are counted.
 */
async function completeInterrupted(
  service: Service,
  { id: cooperativeId }: Cooperative,
): Promise<readonly ListedCollection[]> {
  const created = await service.store.read(({ debitCollections }) =>
    debitCollections.list({ cooperativeId, state: 'created' }),
  )
  const completed: ListedCollection[] = []
  for (const one of created.filter(({ isComplete }) => !isComplete)) {
    const closed = await changeCollection(service, one.collectionId, (stored) => ({
      ...stored,
      isOpen: false,
    }))
    const { count, total, announcedCount } = await countAgain(service, closed.collection)
    const counted = await changeCollection(service, one.collectionId, (stored) =>
      stored.isComplete ? stored : { ...stored, count, total, announcedCount, isComplete: true },
    )
    completed.push(counted)
  }
  return completed
}

async function countAgain(
  { store }: Service,
  collection: DebitCollection,
): Promise<DebitCollection> {
  const { collectionId } = collection
  let [count, total, announcedCount] = [0, zeroMoney, 0]
  for (let after: string | undefined; ; ) {
    const debits = await store.read(({ directDebits }) =>
      directDebits.listByCollection({ collectionId, after, limit: batchSize }),
    )
    count += debits.length
    announcedCount += debits.filter(({ isAnnounced }) => isAnnounced).length
    total = debits.reduce((sum, { amount }) => addMoney(sum, amount), total)
    after = debits.at(-1)?.endToEndId
    if (after === undefined) return { ...collection, count, total, announcedCount }
  }
}
