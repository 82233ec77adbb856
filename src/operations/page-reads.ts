import type { ImagePlace } from '../domain/cooperatives/image.ts'
import { maximumCounted } from '../domain/page.ts'
import { addSeconds } from '../domain/timestamp.ts'
import { readImage } from '../usecases/cooperatives/catalogue.ts'
import type { Service } from '../usecases/service.ts'

const daysOfChart = 14
/** Only these events, the oldest dead and pending ones, name the partners that may be in trouble. */
const mostTroubled = 100

/** What pages of the console show and no command prints. Each reads little, however large the store is. */
export function pageReads(service: Service) {
  const { store, storeAdmin, clock } = service
  return {
    /** How much waits for an operator, and for which partners. */
    today: () => {
      const now = clock.now()
      const days = Array.from({ length: daysOfChart }, (_, ago) =>
        addSeconds(now, -ago * 24 * 3600),
      )
      return store.read(async ({ sharePurchases, events }) => {
        const [orders, byState, perDay, dead, pending] = await Promise.all([
          sharePurchases.countByStatus(maximumCounted),
          events.countByState({ limit: maximumCounted }),
          sharePurchases.countByDay(days, maximumCounted),
          events.list({ state: 'dead', limit: mostTroubled }),
          events.list({ state: 'pending', limit: mostTroubled }),
        ])
        const chart = days.map((day) => ({ day: day.slice(0, 10), count: perDay[day] ?? 0 }))
        const owners = new Set([...dead, ...pending].map(({ organizationId }) => organizationId))
        return { orders, events: byState, chart: chart.toReversed(), owners }
      })
    },
    /** The oldest pending deliveries of an endpoint. */
    pendingOf: async (webhookEndpointId: string, most: number) => {
      const pending = await store.read(({ deliveries }) =>
        deliveries.listPending(webhookEndpointId, most),
      )
      const last = pending.find(({ attempts }) => attempts.length > 0)?.attempts.at(-1)
      return {
        pending: pending.length,
        /** Why the oldest one that was attempted has failed so far, for people. */
        failure: last?.detail ?? last?.failure ?? null,
      }
    },
    /** The names of partners and clients, by id. Each is read once, and others are not read. */
    namesOf: ({ organizations = [], clients = [] }: Ids) =>
      store.read(async (records) => {
        const [partners, programs] = await Promise.all([
          Promise.all([...new Set(organizations)].map((id) => records.organizations.get(id))),
          Promise.all([...new Set(clients)].map((id) => records.clients.get(id))),
        ])
        return new Map([
          ...partners.flatMap((each) => (each ? [[each.organizationId, each.name] as const] : [])),
          ...programs.flatMap((each) =>
            each ? [[each.clientId, each.name ?? each.clientId] as const] : [],
          ),
        ])
      }),
    /** Even of a cooperative that is not published. */
    image: (place: ImagePlace) => readImage(service, place),
    /** Whether the store accepts writes, and the state of its files; null for a database. */
    store: async () => ({ isReady: (await store.health()).ready, files: storeAdmin.stats() }),
  }
}

interface Ids {
  readonly organizations?: readonly string[]
  readonly clients?: readonly string[]
}
