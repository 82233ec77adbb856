import { hash } from 'node:crypto'
import type { KeyRenewal, Rekeyed, RenewedStore, StoreAdmin } from '../ports/store-admin.ts'
import {
  describeDamage,
  type EncryptedCollection,
  EncryptedFields,
  encryptedCollections,
  requireKnownFormats,
} from './encrypted-fields.ts'
import { type KeyRotation, renewRecord } from './encryption-key.ts'
import type { Collection } from './store/collection.ts'
import { collections, runWork } from './store/records.ts'
import type { Transaction } from './store/transaction.ts'
import type { StoreVault } from './vault.ts'

/** What an engine provides for a change of its keys. */
export interface KeyChangeEngine extends Pick<RenewedStore, 'read' | 'settle'> {
  readonly vault: StoreVault
  /** Calls `onBatch` with all records of a collection, while others change them. */
  readAll(
    name: EncryptedCollection,
    onBatch: (records: readonly object[]) => Promise<void>,
  ): Promise<void>
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Whether a change of the key of the store has begun and is not finished. */
  isRotating(): Promise<boolean>
  /** Returns the unfinished rotation, which must be to the given key, or begins one. All instances know its keys. */
  beginRotation(
    newKey: string | undefined,
  ): Promise<{ readonly rotation: KeyRotation; readonly isResumed: boolean }>
  /** Removes what is left of values that were encrypted before, and makes the new key the only key of the store. */
  end(rotation: KeyRotation | undefined): Promise<void>
}

/**
 * The changes of keys by one process. A change has three parts, and a process that is killed in any of them leaves it to
 * the next one:
 *
 * 1. The store gets a new key beside the present one (`beginRotation`).
 * 2. The key of the search and the keys of all investors are replaced (`KeyRenewal`).
 * 3. All other values are encrypted again, and the previous key is forgotten (`end`).
 *
 * A store whose search key was lost, and replaced after a salvage, needs only the second part.
 */
export class KeyChanges implements Pick<StoreAdmin, 'rekey' | 'resumeRekey' | 'lastRekey'> {
  readonly #engine: KeyChangeEngine
  #running: Promise<Rekeyed> | undefined
  #last: Promise<Rekeyed> | undefined
  #isRotating = false

  constructor(engine: KeyChangeEngine) {
    this.#engine = engine
  }

  get lastRekey(): Promise<Rekeyed> | undefined {
    return this.#last
  }

  async rekey(renewal: KeyRenewal, newKey?: string): Promise<Rekeyed> {
    // A renewal after a salvage does not replace the key of the store.
    if (!this.#isRotating) await this.#running?.catch(() => undefined)
    if (this.#running !== undefined) {
      if (newKey !== undefined) await this.#engine.beginRotation(newKey)
      return this.#running
    }
    this.#isRotating = true
    return this.#alone(() => this.#rekey(renewal, newKey))
  }

  async resumeRekey(renewal: KeyRenewal): Promise<Rekeyed | undefined> {
    const engine = this.#engine
    if (await engine.isRotating()) {
      return this.#running === undefined ? this.rekey(renewal) : undefined
    }
    const isDue = await renewal.isDue(renewedStoreOf(engine))
    if (!isDue || this.#running !== undefined) return undefined
    return this.#alone(async () => {
      const renewed = await renewEverything(engine, renewal)
      await engine.end(undefined)
      return { ...renewed, isResumed: true, isOwn: false }
    })
  }

  #alone(change: () => Promise<Rekeyed>): Promise<Rekeyed> {
    this.#running = change().finally(() => {
      this.#running = undefined
      this.#isRotating = false
    })
    this.#last = this.#running
    // The caller who began the change may no longer wait for it.
    this.#last.catch(() => undefined)
    return this.#running
  }

  async #rekey(renewal: KeyRenewal, newKey: string | undefined): Promise<Rekeyed> {
    const engine = this.#engine
    // A rotation could not renew values that a newer program has encrypted, and would never end.
    for (const name of encryptedCollections) {
      await engine.readAll(name, async (records) => {
        for (const record of records) requireKnownFormats(name, record)
      })
    }
    const { rotation, isResumed } = await engine.beginRotation(newKey)
    const renewed = await renewEverything(engine, renewal, rotation)
    await engine.end(rotation)
    return { ...renewed, isResumed, isOwn: rotation.isOwn }
  }
}

const changeLength = 16

type Renewed = Pick<Rekeyed, 'renewed' | 'damaged'>

/** Skips damaged values: otherwise it would never end. */
async function renewEverything(
  engine: KeyChangeEngine,
  renewal: KeyRenewal,
  rotation?: KeyRotation,
): Promise<Renewed> {
  const change = rotation && hash('sha256', rotation.keyCheck).slice(0, changeLength)
  const ofPersons = await renewal.run(renewedStoreOf(engine), change)
  // Nobody needs the former keys of persons any more.
  engine.vault.forget()
  const damaged = new Set(
    ofPersons.damaged.map(({ collection, record, field }) =>
      describeDamage(collection, record, field),
    ),
  )
  for (let { renewed } = ofPersons; ; ) {
    const found = await renewAll(engine)
    for (const one of found.damaged) damaged.add(one)
    if (found.renewed === 0) return { renewed, damaged: [...damaged] }
    renewed += found.renewed
  }
}

function renewedStoreOf({ read, readAll, transact, settle }: KeyChangeEngine): RenewedStore {
  return {
    read,
    settle,
    readAll: (name, onBatch) => readAll(name, (records) => onBatch(records as never)),
    write: (work) => transact((transaction) => runWork(transaction, work, undefined)),
  }
}

const recordsPerWrite = 100

/** Encrypts again every record that has values of the old key. */
async function renewAll({ vault, readAll, transact }: KeyChangeEngine): Promise<Renewed> {
  let renewed = 0
  const ofStore = new EncryptedFields(vault, { isOfStore: true })
  for (const name of encryptedCollections) {
    const collection: Collection<object> = collections[name]
    await readAll(name, async (records) => {
      ofStore.open(name, records)
      const stale = records.filter((record) => renewRecord(record, vault) !== record)
      for (let at = 0; at < stale.length; at += recordsPerWrite) {
        await transact(async (transaction) => {
          for (const record of stale.slice(at, at + recordsPerWrite)) {
            const found = await transaction.get(collection, collection.key.valuesOf(record))
            // A record that is put as it was found is not stored.
            if (found) await transaction.put(collection, renewRecord(found.record, vault))
          }
        })
      }
      renewed += stale.length
    })
  }
  return { renewed, damaged: ofStore.problems }
}
