import type { ImagePlace } from '../domain/cooperatives/image.ts'
import { zeroMoney } from '../domain/money.ts'
import { type CursorPage, maximumCounted } from '../domain/page.ts'
import { earliestDueDate } from '../domain/payments/due-dates.ts'
import { addDays, platformDay, type Timestamp } from '../domain/timestamp.ts'
import { readImage } from '../usecases/cooperatives/catalogue.ts'
import { suggest } from '../usecases/investors/find-investors.ts'
import { readCollectionPart } from '../usecases/payments/collections.ts'
import { listUnmatched, readStatementPart } from '../usecases/payments/statements.ts'
import type { Service } from '../usecases/service.ts'
import {
  type AskedOrderPage,
  countOrders,
  readOrderPage,
} from '../usecases/share-purchases/read-order-page.ts'
import { readSharePurchases } from '../usecases/share-purchases/read-share-purchases.ts'
import { directDebit, listedCollection } from './collections.ts'
import { checkInput, type Input } from './operations.ts'
import { listed, selectionOf } from './share-purchases.ts'
import { listedStatement, statementEntry } from './statements.ts'

/** Later than any attempt. */
const lastInstant = '9999-01-01T00:00:00.000Z' as Timestamp
/** Only these events, the oldest dead and pending ones, name the partners that may be in trouble. */
const mostTroubled = 100

/** What pages of the console show and no command prints. Each reads little, however large the store is. */
export function pageReads(service: Service) {
  const { store, storeAdmin, clock } = service
  return {
    /** How much waits for an operator, what happened on each of the last days, and which partners may be in trouble. */
    today: (dayCount: number) => {
      const until = addDays(platformDay(clock.now()), 1)
      const period = { from: addDays(until, -dayCount), until }
      return store.read(async ({ sharePurchases, events }) => {
        const [orders, byState, placed, settled, dead, pending] = await Promise.all([
          sharePurchases.sumByStatus(),
          events.countByState({ limit: maximumCounted }),
          sharePurchases.sumByDay('placed', period),
          sharePurchases.sumByDay('settled', period),
          events.list({ state: 'dead', limit: mostTroubled }),
          events.list({ state: 'pending', limit: mostTroubled }),
        ])
        const none = { count: 0, total: zeroMoney }
        const days = Array.from({ length: dayCount }, (_, index) => {
          const day = addDays(period.from, index)
          return { day, placed: placed.get(day) ?? none, settled: settled.get(day) ?? none }
        })
        const owners = new Set([...dead, ...pending].map(({ organizationId }) => organizationId))
        return { orders, events: byState, days, owners }
      })
    },
    /** A page of orders with its place in the list, and the number of orders of each status. */
    orders: async (filter: OrderFilter, asked: Omit<AskedOrderPage, 'selection'>) => {
      const { orders, ...page } = await readOrderPage(service, {
        selection: orderSelectionOf(service, filter),
        ...asked,
      })
      return { ...page, orders: orders.map(listed.render) }
    },
    /** How many orders of each status a filter selects. */
    countOrders: async (filter: Omit<OrderFilter, 'status'>) =>
      (await countOrders(service, orderSelectionOf(service, filter))).counts,
    /** The orders with these ids that exist. */
    ordersOf: async (ids: readonly string[]) =>
      (await readSharePurchases(service, ids)).map(listed.render),
    /** For whom payments are collected, and what waits there. */
    creditors: () =>
      store.read(async ({ cooperatives, payments }) => {
        const found = (await cooperatives.list()).flatMap(({ id, key, name, creditor }) =>
          creditor ? [{ id, key, name, creditor }] : [],
        )
        const sums = await payments.sumByState(
          found.map(({ id }) => id),
          ['due', 'collecting', 'returned'],
        )
        const today = platformDay(clock.now())
        const none = { count: 0, total: zeroMoney }
        return found
          .map(({ id, key, name, creditor }) => ({
            cooperative_id: id,
            cooperative_key: key,
            cooperative: name,
            next_due_date: earliestDueDate(creditor, today),
            ...(sums.get(id) ?? { due: none, collecting: none, returned: none }),
          }))
          .toSorted((one, other) => (one.cooperative_key < other.cooperative_key ? -1 : 1))
      }),
    /** The ids and names of all cooperatives, by key. */
    cooperativeNames: () =>
      store.read(
        async ({ cooperatives }) =>
          new Map((await cooperatives.list()).map(({ id, key, name }) => [key, { id, name }])),
      ),
    /** Whether any payments are collected. */
    hasCreditor: () =>
      store.read(async ({ cooperatives }) =>
        (await cooperatives.list()).some(({ creditor }) => creditor !== undefined),
      ),
    /** A collection with some of its direct debits. */
    collection: async (collectionId: string, page: CursorPage) => {
      const { debits, needsConfirmation, ...found } = await readCollectionPart(
        service,
        collectionId,
        page,
      )
      return {
        ...listedCollection.render(found),
        creditor: found.collection.creditor.name,
        refused: found.collection.refusedCount,
        announced: found.collection.announcedCount,
        needs_confirmation: needsConfirmation,
        debits: debits.map((one) => ({
          ...directDebit.render(one),
          is_announced: one.isAnnounced,
        })),
      }
    },
    /** A statement with some of its entries. */
    statement: async (statementId: string, page: CursorPage) => {
      const { statement, entries } = await readStatementPart(service, statementId, page)
      return { ...listedStatement.render(statement), rows: entries.map(statementEntry.render) }
    },
    /** The oldest entries of statements that wait for a person. */
    unmatched: async (most: number) =>
      (await listUnmatched(service, most)).map((one) => ({
        ...statementEntry.render(one),
        statement_id: one.entry.statementId,
      })),
    /** The number of pending deliveries of an endpoint, at most this number, and why they fail. */
    pendingOf: async (webhookEndpointId: string, most: number) => {
      const [pending, [failing]] = await store.read(({ deliveries }) =>
        Promise.all([
          deliveries.countPending(webhookEndpointId, most),
          deliveries.listDue(webhookEndpointId, { attempts: 'retry', now: lastInstant, limit: 1 }),
        ]),
      )
      const last = failing?.attempts.at(-1)
      return {
        pending,
        /** Why the one that is attempted again next has failed so far, for people. */
        failure: last?.detail ?? last?.failure ?? null,
      }
    },
    /** The names of records by id, and the hosts of endpoints. Each is read once, and others are not read. */
    namesOf: ({ organizations, clients, cooperatives, operators, endpoints }: Ids) =>
      store.read(async (records) => {
        const found = await Promise.all([
          ...each(organizations, async (id) => (await records.organizations.get(id))?.name),
          ...each(clients, async (id) => (await records.clients.get(id))?.name),
          ...each(cooperatives, async (id) => (await records.cooperatives.get(id))?.name),
          ...each(operators, async (id) => (await records.operators.get(id))?.name),
          ...each(endpoints, async (id) => {
            const endpoint = await records.webhookEndpoints.get(id)
            return endpoint && new URL(endpoint.url).host
          }),
        ])
        return new Map(found.flatMap(([id, name]) => (name ? [[id, name] as const] : [])))
      }),
    /** How many shares orders buy, and what they cost, by id. */
    amountsOf: (ids: readonly string[]) =>
      store.read(async ({ sharePurchases }) => {
        const found = await Promise.all([...new Set(ids)].map((id) => sharePurchases.find(id)))
        return new Map(
          found.flatMap((order) => {
            if (!order) return []
            const { sharePurchaseId, shareCount: share_count, total, currency } = order
            return [[sharePurchaseId, { share_count, total, currency }] as const]
          }),
        )
      }),
    /** What a text may mean that somebody types into the search box. `most` limits each kind. */
    suggest: (text: string, most: number) => suggest(service, text, most),
    /** Even of a cooperative that is not published. */
    image: (place: ImagePlace) => readImage(service, place),
    /** Whether the store accepts writes, and the state of its files; null for a database. */
    store: async () => ({ isReady: (await store.health()).ready, files: storeAdmin.stats() }),
  }
}

type OrderFilter = Omit<Input<'purchase.list'>, 'after' | 'sort' | 'limit'>

function orderSelectionOf(service: Service, filter: OrderFilter): AskedOrderPage['selection'] {
  const { status, after: _, sort: __, ...others } = checkInput(service, 'purchase.list', filter)
  return { ...selectionOf(others), status }
}

interface Ids {
  readonly organizations?: readonly string[]
  readonly clients?: readonly string[]
  readonly cooperatives?: readonly string[]
  readonly operators?: readonly string[]
  readonly endpoints?: readonly string[]
}

function each(
  ids: readonly string[] = [],
  nameOf: (id: string) => Promise<string | null | undefined>,
): Promise<readonly [id: string, name: string | null | undefined]>[] {
  return [...new Set(ids)].map(async (id) => [id, await nameOf(id)] as const)
}
