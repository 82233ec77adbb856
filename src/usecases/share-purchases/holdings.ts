import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { type Holding, openHolding } from '../../domain/holdings/holding.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import {
  type Dependencies,
  maximumDependents,
  mayDepend,
  resolveDependencies,
} from '../../domain/share-purchases/dependencies.ts'
import {
  holdingErrors,
  tooManyDependents,
  unpaidSharesError,
} from '../../domain/share-purchases/share-purchase-errors.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { PositionKey } from '../../ports/collections.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { requireInvestor } from '../investors/investors.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'

export interface ListHoldings {
  readonly organizationId: string
  readonly investorId: string
  readonly page: PageRequest
}

export function listHoldings(
  { store }: Service,
  { organizationId, investorId: id, page }: ListHoldings,
): Promise<Page<Holding>> {
  return store.read(async (records) => {
    const { investorId } = await requireInvestor(records, organizationId, id)
    return records.holdings.pageByInvestor(organizationId, investorId, page)
  })
}

/** The part of an order that says where it belongs. */
interface Placement {
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId?: string | undefined
  readonly shareCount?: number | undefined
  /** Whether the order is in the file of an operator, where its cooperative may be unpublished. */
  readonly isOfFile?: boolean | undefined
}

/** What an order would change, and what it depends on. */
export interface Position {
  readonly cooperative: Cooperative
  /** A new one is not stored yet. */
  readonly holding: Holding
  readonly dependencies: Dependencies
  /** Errors of the share count given what the investor already holds. */
  readonly errors: FieldErrors
}

/** Returns undefined if the cooperative or the share count is unknown. For partners, unpublished cooperatives are. */
export async function readPosition(
  records: ReadableRecords,
  service: Pick<Service, 'random' | 'clock'>,
  { organizationId, investorId: id, cooperativeId, shareCount, isOfFile = false }: Placement,
): Promise<Position | undefined> {
  if (cooperativeId === undefined || shareCount === undefined) return undefined
  // The catalogue is cached, so this needs no round trip.
  const cooperative = await records.cooperatives.get(cooperativeId)
  if (!cooperative || !(cooperative.published || isOfFile)) return undefined
  const position = { organizationId, investorId: id.toLowerCase(), cooperativeId }
  const { holding, possible } = await readTogether({
    holding: findOrOpenHolding(records, service, position, service.clock.now()),
    // They change only together with the holding, which proves them.
    possible: mayDepend(shareCount, cooperative)
      ? records.sharePurchases.listOldestPossibleDependencies(position)
      : [],
  })
  const rules = { rules: cooperative, holding }
  const dependencies = resolveDependencies(shareCount, rules, possible)
  const isOneTooMany = await exceedsDependents(records, holding, dependencies)
  return {
    cooperative,
    holding,
    dependencies,
    errors: {
      ...(isOneTooMany && tooManyDependents),
      ...holdingErrors({ shareCount }, cooperative, holding),
      ...unpaidSharesError(holding),
    },
  }
}

/** Returns the holding of the position; a new one is not stored yet. */
export async function findOrOpenHolding(
  { holdings }: ReadableRecords,
  { random }: Pick<Service, 'random'>,
  { organizationId, investorId, cooperativeId }: PositionKey,
  now: Timestamp,
): Promise<Holding> {
  const found = await holdings.find(organizationId, investorId, cooperativeId)
  return found ?? openHolding({ id: random.id(), organizationId, investorId, cooperativeId }, now)
}

/**
 * Whether an order would depend on others although `maximumDependents` of its position already do.
 */
export async function exceedsDependents(
  { sharePurchases }: ReadableRecords,
  holding: Holding,
  { restsOn }: Pick<Dependencies, 'restsOn'>,
): Promise<boolean> {
  // Each order has at least one share, so most positions need no check.
  if (restsOn.length === 0 || holding.pendingShares < maximumDependents) return false
  const last = { offset: maximumDependents - 1, limit: 1 }
  return (await sharePurchases.listPendingDependents(holding, last)).length > 0
}
