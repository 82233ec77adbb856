import { buildCooperative, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { createPartner } from '../../fixtures/world/partner.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { energyCategories } from '../../src/domain/cooperatives/cooperative.ts'
import type { Investor } from '../../src/domain/investors/investor.ts'
import { deriveEventId } from '../../src/domain/webhooks/event.ts'
import { newEndpoint, type WebhookEndpoint } from '../../src/domain/webhooks/webhook-endpoint.ts'
import type { Records } from '../../src/ports/store.ts'
import { sealAudit } from '../../src/usecases/audit/audit-chain.ts'
import { openInvestor, sealInvestor } from '../../src/usecases/investors/investors.ts'
import { createOperator } from '../../src/usecases/operators/operators.ts'
import type { Service } from '../../src/usecases/service.ts'
import { type Customer, operatorName, putPastOrder } from './past-order.ts'

const organizations = ['Demo Bank', 'Example Utility', 'Example Bank']
const cooperativeCount = 50
const ordersPerInvestor = 20
const ordersPerWrite = 500

/** All people have the first of these names, and half of them have the second. */
export const frequentNames = ['Frieda', 'Sonnenschein'] as const
/** Every tenth person pays from this account. */
const sharedIban = 'DE12500105170648489890'

/** The values that the measured requests contain. */
export interface History {
  readonly organizationId: string
  readonly cooperativeId: string
  readonly investorId: string
  readonly partnerCustomerRef: string
  readonly email: string
  readonly iban: string
  readonly sharedIban: string
  readonly lastName: string
  readonly sharePurchaseId: string
  readonly eventId: string
  readonly mandateReference: string
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Stores orders of the last 400 days, with their events, deliveries and audit entries, and with
 * their investors and partners. It writes records directly, because the use cases would take an
 * hour.
 */
export function fillHistory(orders: number): (service: Service) => Promise<History> {
  return async (service) => {
    const model = await seedOrders(0)(service)
    const partners = [model]
    for (const name of organizations.slice(1))
      partners.push({ ...model, ...(await createPartner(service, name)) })
    const { operator } = await createOperator(service, { name: operatorName, role: 'operator' })
    const cooperatives = buildCooperatives()
    await storeCooperatives(service.store, ...cooperatives)
    const endpoints = partners.map(({ organizationId }) => buildEndpoint(service, organizationId))
    await service.store.write('test', async ({ webhookEndpoints }) => {
      for (const endpoint of endpoints) await webhookEndpoints.put(endpoint)
    })
    const person = await readModel(service, model)
    const count = Math.ceil(orders / ordersPerInvestor)
    const customers: Customer[] = []
    for (let first = 0; first < count; first += ordersPerWrite) {
      await service.store.write('test', async (records) => {
        for (let number = first; number < Math.min(count, first + ordersPerWrite); number += 1) {
          const place = number % partners.length
          const organizationId = partners[place]?.organizationId ?? ''
          const investor = { ...buildPerson(service, person, number), organizationId }
          const customer = await putInvestor(records, service, investor)
          customers.push({ ...customer, endpoint: endpoints[place] as WebhookEndpoint })
        }
      })
    }
    const { operatorId } = operator
    const middle = Math.floor(orders / 2)
    let sharePurchaseId = ''
    for (let first = 0; first < orders; first += ordersPerWrite) {
      await service.store.write('test', async (records) => {
        for (let number = first; number < Math.min(orders, first + ordersPerWrite); number += 1) {
          // Customers take turns, so that the orders of one customer are spread over the whole
          // time.
          const customer = customers[number % count] as Customer
          const cooperative =
            cooperatives[(number * 7 + Math.floor(number / count)) % cooperatives.length]
          const part = number / orders
          if (!cooperative) continue
          const past = { number, part, customer, cooperative, operatorId }
          const id = await putPastOrder(records, service, past)
          if (number === middle) sharePurchaseId = id
        }
      })
    }
    await sealAudit(service)
    // A store that has grown over months does not have a long journal.
    await service.storeAdmin.compact()
    const asked = customers[Math.floor(count / 2) + 1] ?? customers[0]
    if (!asked) throw new Error('There is no order.')
    return {
      organizationId: asked.investor.organizationId,
      cooperativeId: cooperatives[7]?.id ?? '',
      investorId: asked.investor.investorId,
      partnerCustomerRef: asked.investor.partnerCustomerRef,
      email: asked.investor.email ?? '',
      iban: asked.investor.profile?.bankAccount?.iban ?? '',
      sharedIban,
      lastName: asked.investor.profile?.lastName ?? '',
      sharePurchaseId,
      eventId: deriveEventId(sharePurchaseId, 'submitted'),
      mandateReference: `M-${Math.floor(orders / 20) * 10}`,
      clientId: model.clientId,
      clientSecret: model.clientSecret,
    }
  }
}

function buildCooperatives() {
  return Array.from({ length: cooperativeCount }, (_, number) =>
    buildCooperative({
      key: `eg-${number}`,
      name: `Energiegenossenschaft ${number}`,
      energyCategory: energyCategories[number % energyCategories.length] ?? 'solar',
    }),
  )
}

function buildEndpoint({ random, clock, vault }: Service, organizationId: string): WebhookEndpoint {
  return {
    ...newEndpoint,
    webhookEndpointId: random.id(),
    organizationId,
    url: 'https://partner.example/webhooks',
    sealedSigningSecret: vault.seal(`whsec_${random.secret()}`),
    // Pending deliveries stay pending during the measurement.
    pausedAt: clock.now(),
    createdAt: clock.now(),
    updatedAt: clock.now(),
  }
}

async function readModel(
  { store, vault }: Service,
  { organizationId, investorId }: { organizationId: string; investorId: string },
): Promise<Investor> {
  const stored = await store.read(({ investors }) => investors.get(organizationId, investorId))
  if (!stored) throw new Error('The investor to copy does not exist.')
  return openInvestor(vault, stored)
}

function buildPerson({ random }: Service, model: Investor, number: number): Investor {
  const { sealedKey: _, firstSent: __, profile, ...others } = model
  const account = profile?.bankAccount
  if (!profile || !account) throw new Error('The investor to copy has no account.')
  return {
    ...others,
    investorId: random.id(),
    partnerCustomerRef: `KD-${100000 + number}`,
    email: `person-${number}@mail.example`,
    profile: {
      ...profile,
      firstName: frequentNames[0],
      lastName: number % 2 === 0 ? frequentNames[1] : `Beispiel${number}`,
      bankAccount: { ...account, iban: number % 10 === 0 ? sharedIban : ibanOf(number) },
    },
  }
}

/** ISO 13616: the check digits of a German account. */
function ibanOf(number: number): string {
  const account = `37040044${String(number).padStart(10, '0')}`
  const check = 98n - (BigInt(`${account}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${account}`
}

async function putInvestor(records: Records, service: Service, investor: Investor) {
  const stored = await sealInvestor(records, service, investor)
  await records.investors.put(stored)
  return { investor: { ...investor, ...(stored.sealedKey && { sealedKey: stored.sealedKey }) } }
}
