import { buildSharePurchaseRequest } from '../fixtures/builders/share-purchases.ts'
import { type SeededOrders, seedOrders } from '../fixtures/world/seed-orders.ts'
import type { Records } from '../src/ports/store.ts'
import { updateOrganization } from '../src/usecases/organizations/organizations.ts'
import type { Service } from '../src/usecases/service.ts'
import { placeSharePurchaseIn } from '../src/usecases/share-purchases/place-share-purchase.ts'

const ordersPerInvestor = 20
const investorsPerWrite = 50
const keptOrders = 1000

export interface FilledOrders extends SeededOrders {
  /** Paths of the oldest orders, oldest first. */
  readonly oldOrders: string[]
}

type Prepare = (service: Service, organizationId: string) => Promise<void>

/**
 * Creates `count` orders with the use case that also handles requests: many orders in one write,
 * and twenty for each investor. It sends no e-mails, because measured requests would wait for them.
 */
export function fillOrders(
  count: number,
  prepare: Prepare = async () => {},
): (service: Service) => Promise<FilledOrders> {
  return async (service) => {
    const oldOrders: string[] = []
    const seeded = await seedOrders(1)(service)
    const { organizationId: organization } = seeded
    await updateOrganization(service, { organization, investorMail: false })
    await prepare(service, organization)
    for (let left = count / ordersPerInvestor; left > 0; left -= investorsPerWrite) {
      const investors = Math.min(left, investorsPerWrite)
      await service.store.write('test', async (records) => {
        for (let number = 0; number < investors; number++) {
          const paths = await addInvestor(records, service, seeded)
          if (oldOrders.length < keptOrders) oldOrders.push(...paths)
        }
      })
    }
    return { ...seeded, oldOrders }
  }
}

async function addInvestor(
  records: Records,
  service: Service,
  { organizationId, investorId: model, cooperativeId }: SeededOrders,
): Promise<string[]> {
  const known = await records.investors.get(organizationId, model)
  if (!known) throw new Error('The investor to copy does not exist.')
  const investorId = service.random.id()
  await records.investors.put({ ...known, investorId, partnerCustomerRef: investorId })
  const request = buildSharePurchaseRequest({ cooperativeId })
  const paths: string[] = []
  for (let order = 0; order < ordersPerInvestor; order++) {
    const input = { organizationId, investorId, request }
    const { sharePurchase } = await placeSharePurchaseIn(records, service, input)
    paths.push(`/v1/investors/${investorId}/share-purchases/${sharePurchase.sharePurchaseId}`)
  }
  return paths
}
