import { openHolding } from '../src/domain/holdings/holding.ts'
import type { StoredInvestor } from '../src/domain/investors/investor.ts'
import { pageRequest } from '../src/domain/page.ts'
import type { SharePurchase } from '../src/domain/share-purchases/share-purchase.ts'
import type { Records } from '../src/ports/store.ts'
import type { Service } from '../src/usecases/service.ts'
import { recordTransition } from '../src/usecases/share-purchases/record-transition.ts'

const investorsPerWrite = 50

interface Model {
  readonly investor: StoredInvestor
  readonly orders: readonly SharePurchase[]
}

/** Adds `count` orders with their events and positions, for copies of a stored investor. */
export async function cloneOrders(
  service: Service,
  {
    organizationId,
    investorId,
    count,
  }: { organizationId: string; investorId: string; count: number },
): Promise<void> {
  const model = await service.store.read(async ({ investors, sharePurchases }) => ({
    investor: await investors.get(organizationId, investorId),
    orders: (await sharePurchases.pageByInvestor(organizationId, investorId, pageRequest(1, 100)))
      .items,
  }))
  const { investor, orders } = model
  if (!investor) throw new Error(`There is no investor ${investorId}.`)
  for (let left = count / orders.length; left > 0; left -= investorsPerWrite) {
    await service.store.write('test', async (records) => {
      for (let more = Math.min(left, investorsPerWrite); more > 0; more--) {
        await cloneInvestor(records, service, { investor, orders })
      }
    })
  }
}

async function cloneInvestor(
  records: Records,
  service: Service,
  { investor, orders }: Model,
): Promise<void> {
  const { random, clock } = service
  const { organizationId } = investor
  const investorId = random.id()
  await records.investors.put({ ...investor, investorId, partnerCustomerRef: investorId })
  for (const order of orders) {
    const { cooperativeId } = order
    const ids = { organizationId, investorId, cooperativeId }
    const holding =
      (await records.holdings.find(organizationId, investorId, cooperativeId)) ??
      openHolding({ id: random.id(), ...ids }, clock.now())
    const clone = { ...order, ...ids, sharePurchaseId: random.id() }
    await recordTransition(records, service, clone, holding)
  }
}
