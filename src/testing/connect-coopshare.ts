import type {
  BenchClock,
  Coopshare,
  DeliverOptions,
  Events,
  ExchangeFilter,
  Faults,
  Journal,
  NewFault,
  NewReceiver,
  Orders,
  Receiver,
} from './coopshare.ts'
import { deliverEvents } from './deliver-events.ts'
import { OperatorClient } from './operator-client.ts'
import type { Coverage, EventRecord, Exchange, Fault, Order } from './results.ts'
import type { StartedService } from './start-service.ts'

/** The handle of a started service, over HTTP. */
export function connectCoopshare(service: StartedService): Coopshare {
  const { url, operatorUrl, operatorToken, clientId, clientSecret } = service
  const operator = new OperatorClient({ url: operatorUrl, token: operatorToken })
  const receivers = new Map<string, Receiver>()
  const orders = createOrders(operator)
  const { approve, settle, reject, bankReturn } = orders
  return {
    ...{ url, operatorUrl, operatorToken, clientId, clientSecret },
    ...{ orders, approve, settle, reject, bankReturn },
    clock: createClock(operator),
    faults: createFaults(operator),
    journal: createJournal(operator),
    events: createEvents(operator, receivers),
    tokens: { expire: async (which = {}) => void (await operator.post(tokensPath, which)) },
    fault: ({ on, retryAfter, ...fault }: NewFault) =>
      operator.post<Fault>('/bench/faults', { operation: on, retry_after: retryAfter, ...fault }),
    webhooks: (receiver) => registerReceiver(operator, receivers, receiver),
    maintenance: async (on, { retryAfter } = {}) =>
      void (await operator.post('/bench/maintenance', { on, retry_after: retryAfter })),
    async reset() {
      await operator.post('/bench/reset')
      receivers.clear()
    },
    coverage: () => operator.get<Coverage>('/bench/coverage'),
    operation: (name, input) => operator.operation(name, input),
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service.close(),
  }
}

const tokensPath = '/bench/tokens/expire'

interface Now {
  readonly now: string
}

function createClock(operator: OperatorClient): BenchClock {
  const move = async (body: object) => (await operator.post<Now>('/bench/clock', body)).now
  return {
    now: async () => (await operator.get<Now>('/bench/clock')).now,
    advance: (time, options) => move({ advance: time, ...options }),
    to: (instant, options) => move({ to: instant, ...options }),
  }
}

function createFaults(operator: OperatorClient): Faults {
  return {
    list: () => operator.get('/bench/faults'),
    remove: (id) => operator.delete(`/bench/faults/${encodeURIComponent(id)}`),
    clear: () => operator.delete('/bench/faults'),
  }
}

function createJournal(operator: OperatorClient): Journal {
  const list = (operation?: string, filter: ExchangeFilter = {}) => {
    const given = Object.entries({ operation, ...filter }).filter(
      ([, value]) => value !== undefined,
    )
    const query = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    )
    return operator.get<readonly Exchange[]>(`/bench/journal?${query}`)
  }
  return Object.assign(list, {
    await: (awaited: object) => operator.post<readonly Exchange[]>('/bench/journal/await', awaited),
    clear: () => operator.delete('/bench/journal'),
  })
}

const returned = 'Direct debit returned: AC04'

function createOrders(operator: OperatorClient): Orders {
  const decide = (name: string, share_purchase_id: string, more: object = {}) =>
    operator.operation<Order>(`purchase.${name}`, { share_purchase_id, ...more })
  const reject = (id: string, reason?: string) => decide('reject', id, { reason })
  return {
    list: (filter) => operator.operation('purchase.list', filter),
    show: (share_purchase_id) => operator.operation('purchase.show', { share_purchase_id }),
    approve: (id) => decide('approve', id),
    settle: (id) => decide('settle', id),
    cancel: (id) => decide('cancel', id),
    reject,
    bankReturn: (id, reason = returned) => reject(id, reason),
  }
}

function createEvents(operator: OperatorClient, receivers: ReadonlyMap<string, Receiver>): Events {
  const show = (event_id: string) => operator.operation<EventRecord>('event.show', { event_id })
  return {
    show,
    list: (filter) => operator.operation('event.list', filter),
    replay: (which) => {
      const selected = typeof which === 'string' ? { event_id: which } : which
      return operator.operation('event.replay', selected)
    },
    async deliver(events, options: DeliverOptions = {}) {
      const ids = typeof events === 'string' ? [events] : events
      return deliverEvents(await Promise.all(ids.map(show)), [...receivers.values()], options)
    },
  }
}

interface MintedEndpoint {
  readonly webhook_endpoint_id: string
  readonly organization_id: string
  readonly url: string
  readonly signing_secret: string
}

async function registerReceiver(
  operator: OperatorClient,
  receivers: Map<string, Receiver>,
  { organization, to, secret }: NewReceiver,
): Promise<Receiver> {
  const input = { organization, url: to, signing_secret: secret }
  const minted = await operator.operation<MintedEndpoint>('webhook.register', input)
  const which = { webhook_endpoint_id: minted.webhook_endpoint_id }
  const state = { secret: minted.signing_secret }
  const receiver: Receiver = {
    id: minted.webhook_endpoint_id,
    organizationId: minted.organization_id,
    url: minted.url,
    get secret() {
      return state.secret
    },
    async rotateSecret() {
      const rotated = await operator.operation<MintedEndpoint>('webhook.rotate_secret', which)
      state.secret = rotated.signing_secret
      return state.secret
    },
    async remove() {
      await operator.operation('webhook.remove', which)
      receivers.delete(receiver.id)
    },
  }
  receivers.set(receiver.id, receiver)
  return receiver
}
