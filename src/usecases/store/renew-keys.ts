import type { StoredInvestor } from '../../domain/investors/investor.ts'
import {
  isOfErasedPerson,
  type SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { KeyRenewalStep, Settings } from '../../ports/collections.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type {
  DamagedValue,
  KeyRenewal,
  RenewedKeys,
  RenewedStore,
} from '../../ports/store-admin.ts'
import type { Vault } from '../../ports/vault.ts'
import { encryptInvestor, openInvestor } from '../investors/investors.ts'
import { readSearchTerms } from '../investors/search-terms.ts'
import { termsOfOrder } from '../share-purchases/place-share-purchase.ts'

/** The maximum number of records in one write, so that it takes only a few milliseconds. */
const recordsPerWrite = 50

const nextSteps: Readonly<Record<KeyRenewalStep, KeyRenewalStep | undefined>> = {
  investors: 'orders',
  orders: 'former keys',
  'former keys': undefined,
}

/**
 * Replaces the search key and the keys of all investors while others read and write. Each step is safe to repeat, so an
 * interrupted change continues with its step, and several instances may do the same step at the same time.
 *
 * A write that stores search terms, or values of an investor, has read the settings or the investor, which its commit
 * proves. So once a step has begun, nobody adds values of the keys before it.
 */
export function createKeyRenewal({ vault }: { readonly vault: Vault }): KeyRenewal {
  return {
    isDue: async (store) => (await readSettings(store)).keyRenewal !== undefined,
    async run(store, change) {
      const before = await readSettings(store)
      const resumed = before.keyRenewal ? await finish(store, vault) : nothing
      if (change === undefined || before.keyChange === change) return resumed
      await begin(store, vault, change)
      await store.settle()
      return finish(store, vault)
    },
  }
}

const nothing: RenewedKeys = { renewed: 0, damaged: [] }

function readSettings(store: RenewedStore): Promise<Settings> {
  return store.read(requireSettings)
}

async function requireSettings({ settings }: ReadableRecords): Promise<Settings> {
  const stored = await settings.get()
  if (!stored) throw new Error('The store has no settings.')
  return stored
}

/** From now on, all writes use the new search key. A search finds the terms of both keys. */
async function begin(store: RenewedStore, vault: Vault, change: string): Promise<void> {
  await store.write(async (records) => {
    const { encryptedSearchKey: former, ...stored } = await requireSettings(records)
    if (stored.keyRenewal || stored.keyChange === change) return
    await records.settings.put({
      ...stored,
      encryptedSearchKey: vault.createKey(),
      ...(canOpen(vault, former) && { encryptedFormerSearchKey: former }),
      keyChange: change,
      keyRenewal: 'investors',
    })
  })
}

function canOpen(vault: Vault, encrypted: Encrypted): boolean {
  try {
    return vault.decrypt(encrypted) !== undefined
  } catch {
    return false
  }
}

async function finish(store: RenewedStore, vault: Vault): Promise<RenewedKeys> {
  let renewed = 0
  const damaged: DamagedValue[] = []
  for (;;) {
    const { keyRenewal: step } = await readSettings(store)
    if (step === undefined) return { renewed, damaged }
    const pass = new Pass(store, { vault, step })
    await passes[step](pass)
    await store.write((records) => endStep(records, step))
    if (step !== 'former keys') renewed += pass.renewed
    damaged.push(...pass.damaged)
  }
}

/** Another instance may have ended the step first. */
async function endStep(records: Records, step: KeyRenewalStep): Promise<void> {
  const { keyRenewal, ...others } = await requireSettings(records)
  if (keyRenewal !== step) return
  const next = nextSteps[step]
  const { encryptedFormerSearchKey: _, ...finished } = others
  await records.settings.put(next ? { ...others, keyRenewal: next } : finished)
}

const passes: Readonly<Record<KeyRenewalStep, (pass: Pass) => Promise<void>>> = {
  investors: (pass) => pass.over('investors', renewInvestor),
  async orders(pass) {
    await pass.over('sharePurchases', renewOrder)
    await pass.over('idempotencyRecords', renewIdempotencyRecord)
    await pass.over('directDebits', renewDirectDebit)
  },
  'former keys': (pass) => pass.over('investors', dropFormerKey),
}

interface PassOptions {
  readonly vault: Vault
  readonly step: KeyRenewalStep
}

/** One step, through all records of its collections. */
class Pass {
  renewed = 0
  readonly vault: Vault
  readonly #store: RenewedStore
  readonly #step: KeyRenewalStep
  readonly #damaged = new Map<string, DamagedValue>()

  constructor(store: RenewedStore, { vault, step }: PassOptions) {
    this.#store = store
    this.vault = vault
    this.#step = step
  }

  get damaged(): readonly DamagedValue[] {
    return [...this.#damaged.values()]
  }

  /** Calls `renewOne` within writes. It returns whether it has changed the record. */
  over<Name extends DamagedValue['collection']>(
    name: Name,
    renewOne: (pass: Pass, records: Records, record: RecordOf<Name>) => Promise<boolean>,
  ): Promise<void> {
    return this.#store.readAll(name, async (found) => {
      for (let at = 0; at < found.length; at += recordsPerWrite) {
        const part = found.slice(at, at + recordsPerWrite)
        this.renewed += await this.#store.write(async (records) => {
          // Another instance may have ended the step. What this one would do then could contradict the next step.
          if ((await requireSettings(records)).keyRenewal !== this.#step) return 0
          let count = 0
          for (const record of part) if (await renewOne(this, records, record)) count += 1
          return count
        })
      }
    })
  }

  /** A write may run several times. */
  noteDamaged(id: string, value: DamagedValue): void {
    this.#damaged.set(`${id} ${value.field}`, value)
  }

  /** Returns undefined for a value that no key decrypts. */
  attempt<Result>(id: string, value: DamagedValue, work: () => Result): Result | undefined {
    try {
      return work()
    } catch {
      this.noteDamaged(id, value)
      return undefined
    }
  }
}

type RecordOf<Name extends DamagedValue['collection']> = Parameters<Records[Name]['put']>[0]

/** Values that no key decrypts stay as they are, because a person may still want to examine them. */
async function renewInvestor(
  pass: Pass,
  records: Records,
  { organizationId, investorId }: StoredInvestor,
): Promise<boolean> {
  const { vault } = pass
  const stored = await records.investors.get(organizationId, investorId)
  const { encryptedKey } = stored ?? {}
  // An erased person has no key.
  if (!stored || encryptedKey === undefined) return false
  const inKey = { collection: 'investors', record: stored, field: 'encryptedKey' } as const
  const cipher = pass.attempt(investorId, inKey, () => vault.of(encryptedKey))
  const isDone = cipher?.hasFormerKey ?? false
  if (isDone) return false
  const inData = { ...inKey, field: 'encryptedPersonalData' } as const
  const investor = cipher && pass.attempt(investorId, inData, () => openInvestor(vault, stored))
  if (cipher && investor) {
    const renewed = { ...investor, encryptedKey: vault.replacePersonalKey(encryptedKey) }
    await records.investors.put(await encryptInvestor(records, { vault }, renewed))
    return true
  }
  const { partnerCustomerRef } = stored
  const terms = await readSearchTerms(records, { vault })
  await records.investors.put({
    ...stored,
    ...(cipher && { encryptedKey: vault.replacePersonalKey(encryptedKey) }),
    searchTerms: terms.ofInvestor({ partnerCustomerRef, email: null, profile: null }),
  })
  return true
}

async function renewOrder(
  pass: Pass,
  records: Records,
  { organizationId, sharePurchaseId, investorId }: SharePurchase,
): Promise<boolean> {
  const { vault } = pass
  const [order, investor] = await Promise.all([
    records.sharePurchases.get(organizationId, sharePurchaseId),
    records.investors.get(organizationId, investorId),
  ])
  if (!order || !investor) return false
  const { sepaMandate } = order
  const { reference, encryptedDebtorIban } = sepaMandate
  const { encryptedKey } = investor
  // Of an erased person, and of one whose key is damaged, nothing can be decrypted.
  const isLost =
    encryptedKey === undefined || isOfErasedPerson(order) || !canOpen(vault, encryptedKey)
  const place = {
    collection: 'sharePurchases',
    record: order,
    field: 'encryptedDebtorIban',
  } as const
  const renewed = isLost
    ? undefined
    : pass.attempt(sharePurchaseId, place, () => {
        const cipher = vault.of(encryptedKey)
        const encrypted = cipher.renew(encryptedDebtorIban)
        return { encrypted, debtorIban: cipher.decrypt(encrypted) }
      })
  const searchTerms = termsOfOrder(
    await readSearchTerms(records, { vault }),
    { reference, ...(renewed && { debtorIban: renewed.debtorIban }) },
    sharePurchaseId,
  )
  const encrypted = renewed?.encrypted ?? encryptedDebtorIban
  const isSame = encrypted === encryptedDebtorIban && isSameList(searchTerms, order.searchTerms)
  if (isSame) return false
  const mandate = { ...sepaMandate, encryptedDebtorIban: encrypted }
  await records.sharePurchases.put({ ...order, searchTerms, sepaMandate: mandate })
  return true
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.join() === right.join()
}

async function renewIdempotencyRecord(
  pass: Pass,
  records: Records,
  { organizationId, key }: RecordOf<'idempotencyRecords'>,
): Promise<boolean> {
  const { vault } = pass
  const record = await records.idempotencyRecords.get(organizationId, key)
  const order = record && (await records.sharePurchases.get(organizationId, record.sharePurchaseId))
  const investor = order && (await records.investors.get(organizationId, order.investorId))
  const { encryptedKey } = investor ?? {}
  if (!record || encryptedKey === undefined || !canOpen(vault, encryptedKey)) return false
  const collection = 'idempotencyRecords'
  const place = { collection, record, field: 'encryptedRequestDigest' } as const
  const before = record.encryptedRequestDigest
  const encrypted = pass.attempt(record.sharePurchaseId, place, () =>
    vault.of(encryptedKey).renew(before),
  )
  if (encrypted === undefined || encrypted === before) return false
  await records.idempotencyRecords.put({ ...record, encryptedRequestDigest: encrypted })
  return true
}

/** Of an erased person, nothing can be decrypted. */
async function renewDirectDebit(
  pass: Pass,
  records: Records,
  { endToEndId, organizationId, investorId }: RecordOf<'directDebits'>,
): Promise<boolean> {
  const { vault } = pass
  const [debit, investor] = await Promise.all([
    records.directDebits.get(endToEndId),
    records.investors.get(organizationId, investorId),
  ])
  const { encryptedKey } = investor ?? {}
  if (!debit || encryptedKey === undefined || !canOpen(vault, encryptedKey)) return false
  const place = { collection: 'directDebits', record: debit, field: 'encryptedDebtor' } as const
  const encrypted = pass.attempt(endToEndId, place, () =>
    vault.of(encryptedKey).renew(debit.encryptedDebtor),
  )
  if (encrypted === undefined || encrypted === debit.encryptedDebtor) return false
  await records.directDebits.put({ ...debit, encryptedDebtor: encrypted })
  return true
}

async function dropFormerKey(
  { vault }: Pass,
  records: Records,
  { organizationId, investorId }: StoredInvestor,
): Promise<boolean> {
  const stored = await records.investors.get(organizationId, investorId)
  if (!stored?.encryptedKey || !canOpen(vault, stored.encryptedKey)) return false
  if (!vault.of(stored.encryptedKey).hasFormerKey) return false
  await records.investors.put({ ...stored, encryptedKey: vault.dropFormerKey(stored.encryptedKey) })
  return true
}
