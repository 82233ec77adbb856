import { isDeepStrictEqual } from 'node:util'
import { type Cooperative, withPrice } from '../../domain/cooperatives/cooperative.ts'
import type { Money } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { isSameText } from '../../domain/text.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'

/** All cooperatives for operators, sorted by key. */
export async function listCooperatives({ store }: Service): Promise<readonly Cooperative[]> {
  const cooperatives = await store.read((records) => records.cooperatives.list())
  return cooperatives.toSorted((left, right) => (left.key < right.key ? -1 : 1))
}

/** Operators also read unpublished cooperatives; partners read the catalogue. */
export function readCooperative({ store }: Service, idOrKey: string): Promise<Cooperative> {
  return store.read((records) => requireCooperative(records, idOrKey))
}

export function publishCooperative(service: Service, idOrKey: string): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { published: true })
}

/** Partners can no longer see the cooperative or place orders for it. Existing orders are not affected. */
export function unpublishCooperative(service: Service, idOrKey: string): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { published: false })
}

/** Sets the price for later orders. The terms of existing orders are frozen (spec: What the service does). */
export function setSharePrice(
  service: Service,
  idOrKey: string,
  sharePrice: Money,
): Promise<Cooperative> {
  return changeCooperative(service, idOrKey, { sharePrice })
}

/** The fields of a cooperative that a command can change one by one. */
export type CooperativeChanges = Partial<
  Omit<
    Cooperative,
    | 'id'
    | 'key'
    | 'projects'
    | 'hasHeroImage'
    | 'hasCardImage'
    | 'hasLogoImage'
    | 'creditor'
    | 'priceHistory'
    | 'createdAt'
    | 'updatedAt'
  >
>

/** Writes nothing if nothing changes, so that `updatedAt` and entity tags stay the same. */
export function changeCooperative(
  { store, clock }: Service,
  idOrKey: string,
  { sharePrice, ...changes }: CooperativeChanges,
): Promise<Cooperative> {
  const now = clock.now()
  return store.write(subjects.all('cooperatives'), async (records) => {
    const cooperative = await requireCooperative(records, idOrKey)
    const others = { ...cooperative, ...changes }
    const changed = sharePrice === undefined ? others : withPrice(others, sharePrice, now)
    if (isDeepStrictEqual(changed, cooperative)) return cooperative
    const stamped = { ...changed, updatedAt: now }
    await records.cooperatives.put(stamped)
    return stamped
  })
}

/** An old key may be in a form other than NFC. */
export async function findCooperative(
  { cooperatives }: Pick<ReadableRecords, 'cooperatives'>,
  key: string,
): Promise<Cooperative | undefined> {
  const found = await cooperatives.findByKey(key)
  return found ?? (await cooperatives.list()).find((one) => isSameText(one.key, key))
}

/** Operators also see unpublished cooperatives, and know them by key. */
export async function requireCooperative(
  { cooperatives }: Pick<ReadableRecords, 'cooperatives'>,
  idOrKey: string,
): Promise<Cooperative> {
  const cooperative =
    (await cooperatives.get(idOrKey.toLowerCase())) ??
    (await findCooperative({ cooperatives }, idOrKey))
  if (!cooperative) {
    throw new Problem(
      'COOPERATIVE_NOT_FOUND',
      `No cooperative has the id or key ${idOrKey}. "coopshare cooperative list" lists all cooperatives.`,
    )
  }
  return cooperative
}
