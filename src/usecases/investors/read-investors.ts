import type { Holding } from '../../domain/holdings/holding.ts'
import { isUuid } from '../../domain/ids.ts'
import { type Investor, referenceOf, type StoredInvestor } from '../../domain/investors/investor.ts'
import type { PageOfPeriod } from '../../domain/page.ts'
import type { Debtor } from '../../domain/payments/debit-collection.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { deriveAnnouncementId, deriveEventId } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { type EventWithDeliveries, readEventsWithDeliveries } from '../webhooks/read-events.ts'
import { tryOpen, withoutData } from './investors.ts'

/** An investor as operators see them. */
export interface Person {
  readonly investor: Investor
  /** null once the person has been erased. */
  readonly partnerCustomerRef: string | null
  readonly erasedAt: Timestamp | null
  readonly erasedBecause: string | null
  readonly organizationName: string
  /** Whether the personal data cannot be decrypted, and therefore counts as missing here. */
  readonly isDamaged: boolean
}

export interface InvestorSelection extends PageOfPeriod {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  readonly isOldestFirst?: boolean | undefined
  /** Only persons who were erased, by the time of erasing. */
  readonly onlyErased?: boolean | undefined
}

/** Newest first, in batches. */
export async function* listPersons(
  { store, vault }: Service,
  { organization, onlyErased, limit, after, ...filter }: InvestorSelection,
): AsyncGenerator<readonly Person[]> {
  const owner =
    organization === undefined
      ? undefined
      : await store.read((records) => requireOrganization(records, organization))
  const organizationId = owner?.organizationId
  yield* readInBatches(store, {
    list: async (records, page) => {
      const found = onlyErased
        ? await records.investors.listErased(page)
        : await records.investors.list({ ...filter, organizationId, ...page })
      return Promise.all(found.map((stored) => describePerson(records, vault, stored)))
    },
    idOf: ({ investor }) => investor.investorId,
    after,
    limit,
  })
}

export async function describePerson(
  { organizations }: ReadableRecords,
  vault: Vault,
  stored: StoredInvestor,
): Promise<Person> {
  const organization = await organizations.get(stored.organizationId)
  const opened = tryOpen(vault, stored)
  return {
    investor: opened ?? { ...withoutData(stored), email: null, profile: null },
    isDamaged: opened === undefined,
    partnerCustomerRef: referenceOf(stored),
    erasedAt: stored.erasedAt ?? null,
    erasedBecause: stored.erasedBecause ?? null,
    organizationName: organization?.name ?? '',
  }
}

/** Operators see investors of all organizations. */
export async function requireAnyInvestor(
  { investors }: ReadableRecords,
  investorId: string,
): Promise<StoredInvestor> {
  const id = investorId.toLowerCase()
  const found = isUuid(id) ? await investors.find(id) : undefined
  if (found) return found
  throw new Problem(
    'INVESTOR_NOT_FOUND',
    `No investor has the id ${investorId}. "coopshare find" also finds a name, an e-mail address, an IBAN or a reference.`,
  )
}

/** The history of an order: its transitions, and which events and e-mails the partner and the investor got. */
export interface OrderHistory {
  readonly sharePurchase: SharePurchase
  readonly cooperativeName: string
  /** undefined if the order has none. */
  readonly payment: Payment | undefined
  /** The events that have not been removed because of their age, oldest first. */
  readonly events: readonly EventWithDeliveries[]
}

export async function readOrderHistory(
  records: ReadableRecords,
  sharePurchase: SharePurchase,
): Promise<OrderHistory> {
  const { sharePurchaseId, transitions } = sharePurchase
  const [cooperative, { payment, announcements }, ...events] = await Promise.all([
    records.cooperatives.get(sharePurchase.cooperativeId),
    readPaymentStory(records, sharePurchaseId),
    ...transitions.map(({ to }) => records.events.get(deriveEventId(sharePurchaseId, to))),
  ])
  const remaining = [...events, ...announcements]
    .filter((event) => event !== undefined)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
  return {
    sharePurchase,
    cooperativeName: cooperative?.name ?? '',
    payment,
    events: await readEventsWithDeliveries(records, remaining),
  }
}

/** The payment of the order, with the e-mails that announced its direct debits. */
async function readPaymentStory({ payments, events }: ReadableRecords, sharePurchaseId: string) {
  const payment = await payments.get(sharePurchaseId)
  const { attempts = [] } = payment ?? {}
  const announcements = await Promise.all(
    attempts.map(({ endToEndId }) => events.get(deriveAnnouncementId(endToEndId))),
  )
  return { payment, announcements }
}

export interface InvestorFile {
  readonly person: Person
  /** Newest first. */
  readonly stories: readonly OrderHistory[]
  /** The number of all orders; `stories` may contain only the newest. */
  readonly orderCount: number
  readonly holdings: readonly HoldingOf[]
}

export interface HoldingOf {
  readonly holding: Holding
  readonly cooperativeName: string
}

const shownOrders = 20

/** The person with their newest orders. */
export function readInvestorFile(service: Service, investorId: string): Promise<InvestorFile> {
  return readFile(service, investorId, shownOrders)
}

/** Everything that the store has about a person, with their bank accounts. */
export interface InvestorExport extends InvestorFile {
  readonly exportedAt: Timestamp
  /** The IBANs by order. Empty once the person has been erased. */
  readonly debtorIbans: ReadonlyMap<string, string>
  /** The payers as the files for banks name them, by end-to-end reference. Empty once the person has been erased. */
  readonly debtors: ReadonlyMap<string, Debtor>
}

export async function exportInvestor(
  service: Service,
  investorId: string,
): Promise<InvestorExport> {
  const file = await readFile(service, investorId)
  if (file.person.isDamaged) throw damagedPerson(investorId)
  const cipher = service.vault.of(file.person.investor.encryptedKey)
  const debtorIbans = new Map<string, string>()
  for (const { sharePurchase } of file.stories) {
    const { sharePurchaseId, sepaMandate } = sharePurchase
    try {
      debtorIbans.set(sharePurchaseId, cipher.decrypt(sepaMandate.encryptedDebtorIban))
    } catch {
      throw damagedPerson(investorId)
    }
  }
  const debtors = await readDebtors(service, file).catch(() => {
    throw damagedPerson(investorId)
  })
  return { ...file, exportedAt: service.clock.now(), debtorIbans, debtors }
}

async function readDebtors(
  { store, vault }: Service,
  { person, stories }: InvestorFile,
): Promise<ReadonlyMap<string, Debtor>> {
  if (person.erasedAt !== null) return new Map()
  const cipher = vault.of(person.investor.encryptedKey)
  const attempts = stories.flatMap(({ payment }) => payment?.attempts ?? [])
  const found = await store.read(({ directDebits }) =>
    Promise.all(attempts.map(({ endToEndId }) => directDebits.get(endToEndId))),
  )
  return new Map(
    found.flatMap((debit) =>
      debit ? [[debit.endToEndId, JSON.parse(cipher.decrypt(debit.encryptedDebtor))]] : [],
    ),
  )
}

/** A copy without the data of the person would be a wrong answer. */
function damagedPerson(investorId: string): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `The personal data of ${investorId} is damaged and cannot be read. \`coopshare store check\` names each damaged value; a backup may still have it.`,
  )
}

function readFile(
  { store, vault }: Service,
  id: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<InvestorFile> {
  return store.read(async (records) => {
    const stored = await requireAnyInvestor(records, id)
    const { organizationId, investorId } = stored
    const [person, orders] = await Promise.all([
      describePerson(records, vault, stored),
      records.sharePurchases.listByInvestors(organizationId, [investorId]),
    ])
    const stories = orders
      .slice(-limit)
      .reverse()
      .map((order) => readOrderHistory(records, order))
    return {
      person,
      stories: await Promise.all(stories),
      orderCount: orders.length,
      holdings: await readHoldings(records, orders),
    }
  })
}

/** The holdings to which orders belong, empty ones included. */
async function readHoldings(
  records: ReadableRecords,
  orders: readonly SharePurchase[],
): Promise<readonly HoldingOf[]> {
  const positions = new Map(orders.map((order) => [order.cooperativeId, order]))
  const found = [...positions].map(async ([cooperativeId, { organizationId, investorId }]) => {
    const [holding, cooperative] = await Promise.all([
      records.holdings.find(organizationId, investorId, cooperativeId),
      records.cooperatives.get(cooperativeId),
    ])
    return holding ? [{ holding, cooperativeName: cooperative?.name ?? '' }] : []
  })
  return (await Promise.all(found)).flat()
}
