import { isDeepStrictEqual } from 'node:util'
import { mapInTurns } from '../../machine/time.ts'
import type { CollectionName, Collections, StoredRecords } from '../../ports/collections.ts'
import type { AuditTrail, ReadableRecords, RecordChange, Records } from '../../ports/store.ts'
import { auditEntries, auditEntryReader, auditSealReader, auditSeals } from './audit.ts'
import { cooperativeReader, cooperatives, imageReader, images } from './catalogue.ts'
import type { Collection, Key, UniqueIndex } from './collection.ts'
import { deliveries, deliveryById, deliveryReader } from './deliveries.ts'
import { eventById, eventReader, events } from './events.ts'
import { idempotencyRecordReader, idempotencyRecords, purgeExpired } from './idempotency-records.ts'
import {
  clientById,
  clientReader,
  clients,
  operatorReader,
  operators,
  organizationReader,
  organizations,
  settings,
  settingsReader,
  signingKeyReader,
  signingKeys,
} from './identity.ts'
import { holdingReader, holdings, investorReader, investors } from './investors.ts'
import type { Lookup } from './lookup.ts'
import {
  debitCollectionReader,
  debitCollections,
  directDebitReader,
  directDebits,
  paymentReader,
  payments,
  statementEntries,
  statementEntryReader,
  statementReader,
  statements,
} from './payments.ts'
import { sharePurchaseReader, sharePurchases } from './share-purchases.ts'
import type { Change } from './staged-changes.ts'
import type { Transaction } from './transaction.ts'
import { endpointById, webhookEndpointReader, webhookEndpoints } from './webhook-endpoints.ts'

/** All collections of a store. Referenced collections come first. */
export const collections: { readonly [Name in CollectionName]: Collection<StoredRecords[Name]> } = {
  settings,
  organizations,
  clients,
  operators,
  signingKeys,
  cooperatives,
  images,
  investors,
  sharePurchases,
  holdings,
  idempotencyRecords,
  payments,
  debitCollections,
  directDebits,
  statements,
  statementEntries,
  webhookEndpoints,
  events,
  deliveries,
  auditEntries,
  auditSeals,
}

type ReaderOf = {
  readonly [Name in CollectionName]: (lookup: Lookup) => Collections[Name]['reader']
}

const readers: ReaderOf = {
  settings: settingsReader,
  organizations: organizationReader,
  clients: clientReader,
  operators: operatorReader,
  signingKeys: signingKeyReader,
  cooperatives: cooperativeReader,
  images: imageReader,
  investors: investorReader,
  sharePurchases: sharePurchaseReader,
  holdings: holdingReader,
  idempotencyRecords: idempotencyRecordReader,
  payments: paymentReader,
  debitCollections: debitCollectionReader,
  directDebits: directDebitReader,
  statements: statementReader,
  statementEntries: statementEntryReader,
  webhookEndpoints: webhookEndpointReader,
  events: eventReader,
  deliveries: deliveryReader,
  auditEntries: auditEntryReader,
  auditSeals: auditSealReader,
}

/** The collections of which a write can do more than put a record. */
type Changeable = {
  [Name in CollectionName]: keyof Collections[Name]['changes'] extends never ? never : Name
}[CollectionName]
type ChangesOf = {
  readonly [Name in CollectionName]?: (transaction: Transaction) => Collections[Name]['changes']
} & { readonly [Name in Changeable]: object }

/** What a write can do besides putting a record. */
const changes: ChangesOf = {
  organizations: removable(organizations),
  clients: removable(clients, clientById),
  signingKeys: removable(signingKeys),
  images: removable(images),
  idempotencyRecords: (transaction) => ({
    purgeExpired: (at, limit) => purgeExpired(transaction, at, limit),
  }),
  webhookEndpoints: removable(webhookEndpoints, endpointById),
  events: removable(events, eventById),
  deliveries: removable(deliveries, deliveryById),
}

/** @param index finds the record to remove; undefined for its key */
function removable<Stored extends object>(
  collection: Collection<Stored>,
  index?: UniqueIndex<Stored>,
) {
  return (transaction: Transaction) => ({
    remove: async (...values: Key) => {
      const found = await (index
        ? transaction.find(collection, index, values)
        : transaction.get(collection, values))
      if (found) transaction.remove(collection, found)
    },
  })
}

/** The records as a read sees them. */
export function readersOf(lookup: Lookup): ReadableRecords {
  return onDemand((name) => readers[name](lookup))
}

/** The records as a write sees and changes them. */
function writersOf(transaction: Transaction): Records {
  return onDemand((name) => {
    const collection: Collection<object> = collections[name]
    const put = (record: object) => transaction.put(collection, record)
    // The reader is a new object, so it can be extended. Copying it would take longer than looking up a record.
    return Object.assign(readers[name](transaction), changes[name]?.(transaction), { put })
  })
}

/** Runs a work, then calls the audit trail with the changes of the work. */
export async function runWork<Result>(
  transaction: Transaction,
  work: (records: Records) => Promise<Result>,
  trail: AuditTrail | undefined,
): Promise<Result> {
  const records = writersOf(transaction)
  const result = await work(records)
  if (!trail) return result
  const audited = await mapInTurns(
    transaction.changes,
    (change) => auditedChange(transaction, change) ?? [],
    changesPerTurn,
  )
  const changes = audited.flat()
  if (changes.length > 0) await trail(changes, records)
  return result
}

/** Comparing this many records takes a few milliseconds, and a write can change thousands. */
const changesPerTurn = 100

function auditedChange(transaction: Transaction, change: Change): RecordChange | undefined {
  const { audit, name } = change.collection
  if (!audit) return undefined
  const found = transaction.proof.recordOf(change)
  const about = change.record ?? found
  if (!about) return undefined
  const [before, after] = [found, change.record].map((record) =>
    record ? audit.fieldsOf(record) : null,
  ) as [RecordChange['before'], RecordChange['after']]
  const differs = (field: string) =>
    !before || !after || !isDeepStrictEqual(before[field], after[field])
  const fields = Object.keys({ ...before, ...after }).filter(differs)
  const ids = audit.idsOf(about)
  const [id = ''] = Object.values(ids)
  const pick = (from: RecordChange['before']) =>
    from && Object.fromEntries(fields.map((field) => [field, from[field] ?? null]))
  return { collection: name, id, ids, before: pick(before), after: pick(after) }
}

/** Changes to these collections may give background jobs work. So may an order whose fate has a next step. */
const wakingCollections: readonly CollectionName[] = [
  'deliveries',
  'webhookEndpoints',
  'organizations',
]

export function wakesJobs({ collection: { name }, record }: Change): boolean {
  const isFated = name === 'sharePurchases' && record !== undefined && 'fateDueAt' in record
  return wakingCollections.includes(name) || isFated
}

/** Creates each reader at its first use, because most works need only two of twenty. */
function onDemand<AllRecords>(make: (name: CollectionName) => object): AllRecords {
  const made: Partial<Record<CollectionName, object>> = {}
  const get = (_: object, name: CollectionName) => {
    made[name] ??= make(name)
    return made[name]
  }
  return new Proxy(collections, { get }) as AllRecords
}
