import { createHash } from 'node:crypto'
import type { CursorPage } from '../../domain/page.ts'
import {
  type CollectionState,
  type DebitCollection,
  type Debtor,
  type DirectDebit,
  messageIdOf,
} from '../../domain/payments/debit-collection.ts'
import { debitElement, fileEnd, fileHead } from '../../domain/payments/direct-debit-file.ts'
import { type Attempt, withdrawAttempt } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { actingOperator } from './acting-operator.ts'
import { announcingMailOf } from './announcement.ts'

/** A collection with the key of its cooperative. */
export interface ListedCollection {
  readonly collection: DebitCollection
  readonly cooperativeKey: string
}

export interface CollectionSelection {
  /** An id or a key. */
  readonly cooperative?: string | undefined
  readonly state?: CollectionState | undefined
  readonly since?: Timestamp | undefined
  readonly until?: Timestamp | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** Newest first. */
export async function* listCollections(
  { store }: Service,
  { cooperative, after, limit, ...filter }: CollectionSelection,
): AsyncGenerator<readonly ListedCollection[]> {
  const cooperativeId =
    cooperative && (await store.read((records) => requireCooperative(records, cooperative))).id
  const list = ({ debitCollections }: ReadableRecords, page: CursorPage) =>
    debitCollections.list({ cooperativeId, ...filter, ...page })
  const idOf = ({ collectionId }: DebitCollection) => collectionId
  for await (const found of readInBatches(store, { list, idOf, after, limit })) {
    yield await store.read((records) => Promise.all(found.map((one) => describe(records, one))))
  }
}

export interface ShownCollection extends ListedCollection {
  readonly debits: readonly ShownDebit[]
}

/** A direct debit with its state, which the payment has. */
export interface ShownDebit {
  readonly debit: DirectDebit
  readonly state: Attempt['state']
  /** Whether the investor gets, or got, an e-mail. False if it could not be delivered. */
  readonly isAnnounced: boolean
}

export async function readCollection(
  service: Service,
  collectionId: string,
): Promise<ShownCollection> {
  const { store } = service
  const listed = await store.read(async (records) =>
    describe(records, await requireCollection(records, collectionId)),
  )
  const debits: ShownDebit[] = []
  for await (const found of readDebits(service, collectionId)) {
    debits.push(
      ...(await store.read((records) =>
        Promise.all(found.map((debit) => describeDebit(records, debit))),
      )),
    )
  }
  return { ...listed, debits }
}

/** A collection can have 50,000 direct debits, so a page shows only a part of them. */
export async function readCollectionPart(
  service: Service,
  collectionId: string,
  page: CursorPage,
): Promise<ShownCollection & { readonly needsConfirmation: boolean }> {
  const { store } = service
  const needsSecond = await needsSecondForCollections(service)
  return store.read(async (records) => {
    const collection = await requireCollection(records, collectionId)
    const { state, confirmedBy } = collection
    const found = await records.directDebits.listByCollection({
      collectionId: collection.collectionId,
      ...page,
    })
    return {
      ...(await describe(records, collection)),
      debits: await Promise.all(found.map((debit) => describeDebit(records, debit))),
      needsConfirmation: needsSecond && state === 'created' && confirmedBy === null,
    }
  })
}

async function describeDebit(
  { payments, deliveries }: ReadableRecords,
  debit: DirectDebit,
): Promise<ShownDebit> {
  const { sharePurchaseId, endToEndId, isAnnounced } = debit
  const [payment, mail] = await Promise.all([
    payments.get(sharePurchaseId),
    isAnnounced ? deliveries.get(announcingMailOf(endToEndId)) : undefined,
  ])
  const attempt = payment?.attempts.find((one) => one.endToEndId === endToEndId)
  const state = attempt?.state ?? 'collecting'
  // Old e-mails are removed.
  return { debit, state, isAnnounced: isAnnounced && mail?.state !== 'dead' }
}

/** In the order of the file. */
export function readDebits({ store }: Pick<Service, 'store'>, collectionId: string) {
  return readInBatches(store, {
    list: ({ directDebits }, page) => directDebits.listByCollection({ collectionId, ...page }),
    idOf: ({ endToEndId }: DirectDebit) => endToEndId,
  })
}

export async function requireCollection(
  { debitCollections }: ReadableRecords,
  collectionId: string,
): Promise<DebitCollection> {
  const found = await debitCollections.get(collectionId.toLowerCase())
  if (found) return found
  throw new Problem(
    'COLLECTION_NOT_FOUND',
    `No collection has the id ${collectionId}. \`coopshare collection list\` lists all collections.`,
  )
}

/** The catalogue is cached, so this needs no round trip. */
async function describe(
  { cooperatives }: ReadableRecords,
  collection: DebitCollection,
): Promise<ListedCollection> {
  const cooperative = await cooperatives.get(collection.cooperativeId)
  return { collection, cooperativeKey: cooperative?.key ?? '' }
}

function illegalState(detail: string): Problem {
  return new Problem('COLLECTION_ILLEGAL_STATE', detail)
}

/** With four eyes, another operator than the one who has created the collection confirms it before the export. */
export function confirmCollection(
  service: Service,
  collectionId: string,
): Promise<ListedCollection> {
  const { operatorId, name } = actingOperator(service)
  return changeCollection(service, collectionId, (collection) => {
    if (collection.state !== 'created')
      throw illegalState(`The collection is ${collection.state}, so there is nothing to confirm.`)
    requireComplete(collection)
    if (collection.createdById === operatorId) {
      throw new Problem(
        'FORBIDDEN',
        `${collection.createdBy} has created this collection, so another operator has to confirm it.`,
      )
    }
    return { ...collection, confirmedBy: collection.confirmedBy ?? name }
  })
}

function requireComplete({ isComplete }: DebitCollection): void {
  if (isComplete) return
  throw illegalState(
    'The collection is still being created, or its creation was interrupted. `coopshare collection create` completes it.',
  )
}

/** A change that returns the same collection stores nothing. */
export async function changeCollection(
  { store, clock }: Service,
  collectionId: string,
  change: (collection: DebitCollection) => DebitCollection,
): Promise<ListedCollection> {
  return store.write(subjects.all('debitCollections'), async (records) => {
    const found = await requireCollection(records, collectionId)
    const changed = change(found)
    if (changed === found) return describe(records, found)
    const stamped = { ...changed, updatedAt: clock.now() }
    await records.debitCollections.put(stamped)
    return describe(records, stamped)
  })
}

/**
 * Takes back all direct debits, so that their payments are due again. First the collection is cancelled, so that no file is
 * made of it any more. After a crash, a second call takes back the rest.
 * @param isExported whether the operator has said that the bank has not taken the file
 */
export async function cancelCollection(
  service: Service,
  collectionId: string,
  { isExported }: { readonly isExported: boolean },
): Promise<ListedCollection> {
  const cancelled = await changeCollection(service, collectionId, (collection) => {
    const { state } = collection
    if (state === 'cancelled') return collection
    if (state === 'booked')
      throw illegalState('The bank has booked this collection, so it cannot be cancelled.')
    if (state === 'exported' && !isExported) {
      throw illegalState(
        'This collection was exported. Cancel it only if the bank has not taken the file: then add --yes.',
      )
    }
    return { ...collection, state: 'cancelled', isOpen: false, isComplete: true }
  })
  await takeBack(service, cancelled.collection)
  return cancelled
}

const takenTogether = 100

async function takeBack(
  { store, clock }: Service,
  { collectionId }: DebitCollection,
): Promise<void> {
  for (;;) {
    const found = await store.read(({ payments }) =>
      payments.listByCollection({ collectionId, state: 'collecting', limit: takenTogether }),
    )
    if (found.length === 0) return
    const now = clock.now()
    await store.write(subjects.all('payments'), async ({ payments }) => {
      const current = await Promise.all(
        found.map(({ sharePurchaseId }) => payments.get(sharePurchaseId)),
      )
      for (const payment of current) {
        if (payment?.state !== 'collecting' || payment.collectionId !== collectionId) continue
        await payments.put(withdrawAttempt(payment, now))
      }
    })
  }
}

/** A file for the bank, in parts. */
export interface ExportedFile {
  readonly name: string
  readonly parts: readonly string[]
}

/**
 * Makes the file, which has the same bytes each time. The first export is recorded with the digest of the file. Later ones
 * are compared with it, so that a bank never gets two different files of one collection.
 */
export async function exportCollection(
  service: Service,
  collectionId: string,
): Promise<ExportedFile> {
  const { store } = service
  const collection = await store.read((records) => requireCollection(records, collectionId))
  await requireExportable(service, collection)
  const parts = [fileHead(collection)]
  for await (const debits of readDebits(service, collection.collectionId)) {
    parts.push(await store.read((records) => renderDebits(records, service, debits)))
  }
  parts.push(fileEnd)
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const fileDigest = hash.digest('hex')
  await changeCollection(service, collectionId, (stored) => {
    if (stored.fileDigest !== null && stored.fileDigest !== fileDigest) {
      throw illegalState(
        'The file would differ from the one that was exported, because a person was erased since. Use the file that you have.',
      )
    }
    if (stored.state === 'cancelled') throw cancelled()
    if (stored.exportedAt !== null) return stored
    return { ...stored, state: 'exported', exportedAt: service.clock.now(), fileDigest }
  })
  return { name: `${messageIdOf(collection)}.xml`, parts }
}

function cancelled(): Problem {
  return illegalState('The collection was cancelled, so there is no file for the bank.')
}

async function requireExportable(service: Service, collection: DebitCollection): Promise<void> {
  if (collection.state === 'cancelled') throw cancelled()
  requireComplete(collection)
  if (collection.confirmedBy !== null || collection.exportedAt !== null) return
  if (!(await needsSecondForCollections(service))) return
  throw illegalState(
    `Another operator than ${collection.createdBy} has to confirm this collection first, with \`coopshare collection confirm ${collection.collectionId}\`.`,
  )
}

/** The rule belongs to the store, so that no command on the store itself depends on the environment of its user. */
async function needsSecondForCollections({ store, settings }: Service): Promise<boolean> {
  const stored = await store.read((records) => records.settings.get())
  return [...(settings.fourEyes ?? []), ...(stored?.fourEyes ?? [])].includes('collect')
}

async function renderDebits(
  { investors }: ReadableRecords,
  { vault }: Service,
  debits: readonly DirectDebit[],
): Promise<string> {
  const owners = await Promise.all(
    debits.map(({ organizationId, investorId }) => investors.get(organizationId, investorId)),
  )
  return debits
    .map((debit, index) => {
      const key = owners[index]?.encryptedKey
      if (key === undefined) {
        throw illegalState(
          'A person in this collection was erased, so the file cannot be made again. Use the file that you have.',
        )
      }
      const debtor = JSON.parse(vault.of(key).decrypt(debit.encryptedDebtor)) as Debtor
      return debitElement({ ...debit, debtor, remittance: remittanceOf(debit) })
    })
    .join('')
}

/** What the payer reads on the account statement. */
function remittanceOf({ sharePurchaseId, mandateReference }: DirectDebit): string {
  return `Geschaeftsanteile Auftrag ${sharePurchaseId} Mandat ${mandateReference}`
}
