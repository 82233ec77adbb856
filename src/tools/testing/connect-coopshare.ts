import { randomUUID } from 'node:crypto'
import { createDeliveryHeaders, signWebhook } from '../../usecases/webhooks/sign-webhook.ts'
import type {
  BenchClock,
  Coopshare,
  DeliveredEvent,
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
import { OperatorClient } from './operator-client.ts'
import { postEvent } from './post-event.ts'
import type { Coverage, EventRecord, Exchange, Fault, Order } from './results.ts'
import type { StartedService } from './start-service.ts'

/** Returns an object that controls a started service over HTTP. */
export function connectCoopshare(service: StartedService): Coopshare {
  const { url, operatorUrl, operatorToken, clientId, clientSecret } = service
  const operator = new OperatorClient({ url: operatorUrl, token: operatorToken })
  const receivers = new Map<string, Receiver>()
  const orders = createOrders(operator)
  const { approve, settle, reject, bankReturn } = orders
  return {
    url,
    operatorUrl,
    operatorToken,
    clientId,
    clientSecret,
    orders,
    approve,
    settle,
    reject,
    bankReturn,
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
    bankReturn: (id, reason = 'Direct debit returned (AC04).') => reject(id, reason),
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
      requireDeliverable(options, receivers)
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

/** Without types, a typing error in an option would silently choose the default. */
export function requireKnownOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${what} has no option "${unknown}". Its options are ${known.join(', ')}.`)
}

const deliverOptions = ['times', 'order', 'to', 'at', 'secret', 'type']

function requireDeliverable(
  options: DeliverOptions,
  receivers: ReadonlyMap<string, Receiver>,
): void {
  requireKnownOptions('events.deliver', options, deliverOptions)
  const { times = 1, order = 'given', to, at = new Date() } = options
  if (!(Number.isInteger(times) && times > 0)) {
    throw new TypeError(`times must be a whole number of at least 1, not ${times}.`)
  }
  if (order !== 'given' && order !== 'reversed') {
    throw new TypeError(`order must be "given" or "reversed", not "${order}".`)
  }
  if (to !== undefined && !receivers.has(to)) {
    throw new TypeError(`to must be the id of a receiver that \`webhooks\` returned, not "${to}".`)
  }
  if (Number.isNaN(new Date(at).getTime())) {
    throw new TypeError(`at must be an instant such as 2026-11-20T10:00:00Z, not "${at}".`)
  }
}

/** Sends events to receivers as the service does (spec: Delivery headers), in the order of the list. */
async function deliverEvents(
  events: readonly EventRecord[],
  receivers: readonly Receiver[],
  { times = 1, order = 'given', to, ...signing }: DeliverOptions,
): Promise<readonly DeliveredEvent[]> {
  const inOrder = order === 'reversed' ? [...events].reverse() : events
  const repeated = inOrder.flatMap((event) => Array<EventRecord>(times).fill(event))
  const delivered: DeliveredEvent[] = []
  for (const event of repeated) {
    for (const receiver of receivers) {
      const isFor = receiver.organizationId === event.organization_id
      if (to === undefined ? !isFor : receiver.id !== to) continue
      const status = await send(event, receiver, signing)
      delivered.push({ eventId: event.event_id, receiver: receiver.id, status })
    }
  }
  if (delivered.length > 0) return delivered
  throw new Error('There is no receiver of these events. Register one with `webhooks` first.')
}

async function send(
  event: EventRecord,
  receiver: Receiver,
  {
    at = new Date(),
    secret = receiver.secret,
    type = event.type,
  }: Pick<DeliverOptions, 'at' | 'secret' | 'type'>,
): Promise<number> {
  const isAltered = type !== event.type
  const body = isAltered ? JSON.stringify({ ...JSON.parse(event.body), type }) : event.body
  const signature = signWebhook({
    secret,
    body: Buffer.from(body),
    at: new Date(at).toISOString(),
  })
  const headers = createDeliveryHeaders({ type, attemptId: randomUUID(), signature })
  return postEvent(receiver.url, { headers, body })
}
