import t from 'tap'
import { completeProvision } from '../../../fixtures/builders/investors.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { answerWith, startReceiver, verifySignature } from '../../../fixtures/servers/receiver.ts'
import { applyFixtureFile, buildFixtureFile } from '../../../fixtures/world/fixture-files.ts'
import { createMarket, placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  displayStatesOf,
  exhaustAttempts,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import { systemRandom } from '../../../src/adapters/clock.ts'
import { createWebhookSender } from '../../../src/adapters/webhook-sender/webhook-sender.ts'
import { isUuid } from '../../../src/domain/ids.ts'
import type { Delivery } from '../../../src/domain/webhooks/delivery.ts'
import { Dispatcher } from '../../../src/usecases/webhooks/dispatcher.ts'
import { rotateSigningSecret } from '../../../src/usecases/webhooks/webhook-endpoints.ts'

async function deliveryOf(market: WebhookMarket, ...which: [string, 'approved'?]) {
  const [delivery] = await deliveriesOf(market, await findEvent(market, ...which))
  return delivery as Delivery
}

function at(market: WebhookMarket): Date {
  return new Date(market.world.clock.now())
}

t.test(
  'a delivery has a method, headers, a body and a valid signature [S-signing-1]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const id = await placeAccepted(market)
    market.world.clock.advance(7)
    await market.dispatcher.dispatchDue()
    const [received, ...others] = market.receiver.received
    t.equal(others.length, 0)
    if (!received) return
    const event = await findEvent(market, id)
    t.equal(received.bytes.toString(), event.body, 'the bytes that were stored with the order')
    t.match(received.headers, {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(event.body)}`,
      'x-service-webhook-event': 'share_purchase.submitted',
      'x-service-webhook-signature': new RegExp(
        `^t=${at(market).getTime() / 1000},v1=[\\da-f]{64}$`,
      ),
    })
    t.ok(isUuid(String(received.headers['x-service-webhook-id'])))
    t.same(verifySignature(received, market.secret, at(market)), received.event)
    t.match(await deliveryOf(market, id), { state: 'delivered', attemptsInRound: 1 })
    await market.dispatcher.dispatchDue()
    t.equal(market.receiver.received.length, 1, 'nothing is sent again')
  },
)

t.test(
  'any 2xx is a success, and any other answer is a failed attempt [S-delivery-2]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const rows = [
      [200, 'delivered', null],
      [202, 'delivered', null],
      [299, 'delivered', null],
      [302, 'pending', 'redirect'],
      [304, 'pending', 'redirect'],
      [400, 'pending', 'status'],
      [410, 'pending', 'status'],
      [429, 'pending', 'status'],
      [500, 'pending', 'status'],
    ] as const
    for (const [status, state, failure] of rows) {
      market.receiver.answer = answerWith(status)
      const id = await placeAccepted(market)
      await market.dispatcher.dispatchDue()
      const delivery = await deliveryOf(market, id)
      t.match(
        delivery,
        exactArrays({ state, attempts: [{ status, failure, address: '127.0.0.1' }] }),
        `${status}`,
      )
    }
  },
)

t.test(
  'a delivery has six attempts with waits that double from 30 s, and is then dead [S-signing-2] [D31]',
  async (t) => {
    const market = await createWebhookMarket(t, {
      random: { ...systemRandom, fraction: () => 0.5 },
    })
    const { clock } = market.world
    market.receiver.answer = answerWith(500)
    const id = await placeAccepted(market)
    const start = Date.parse(clock.now())
    await market.dispatcher.dispatchDue()
    const body = market.receiver.received[0]?.bytes
    await exhaustAttempts(market)
    const delivery = await deliveryOf(market, id)
    t.match(delivery, { state: 'dead', deadBecause: 'attempts_used_up', nextAttemptAt: null })
    const times = delivery.attempts.map((attempt) => (Date.parse(attempt.at) - start) / 1000)
    t.same(times, [0, 31.5, 94.5, 220.5, 472.5, 976.5], 'a twentieth longer')
    t.equal(market.receiver.received.length, 6)
    for (const received of market.receiver.received) t.same(received.bytes, body)
    const ids = market.receiver.received.map(({ headers }) => headers['x-service-webhook-id'])
    t.equal(new Set(ids).size, 6, 'the delivery-attempt id changes on every retry')
    t.same(
      ids,
      delivery.attempts.map(({ attemptId }) => attemptId),
    )
    const signatures = market.receiver.received.map(
      ({ headers }) => headers['x-service-webhook-signature'],
    )
    t.equal(new Set(signatures).size, 6, 'each attempt has a new signature')
    t.match(await findEvent(market, id), { deliveries: { pending: 0, delivered: 0, dead: 1 } })
    t.equal(await market.dispatcher.nextDueAt(), undefined, 'delivery stops')
  },
)

t.test('each attempt uses the secret of its time', async (t) => {
  const market = await createWebhookMarket(t)
  market.receiver.answer = answerWith(500)
  await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  const rotated = await rotateSigningSecret(market.world.service, market)
  market.receiver.answer = answerWith(200)
  market.world.clock.advance(33)
  await market.dispatcher.dispatchDue()
  const [first, second] = market.receiver.received
  if (!first || !second) return t.fail('two attempts')
  const later = at(market)
  t.ok(verifySignature(first, market.secret, later))
  t.ok(verifySignature(second, rotated.signingSecret, later))
  t.throws(
    () => verifySignature(second, market.secret, later),
    'the old secret is not valid any more',
  )
})

t.test('the events of an order arrive in order, even if attempts fail [D31]', async (t) => {
  const market = await createWebhookMarket(t)
  const { receiver, dispatcher, world } = market
  const id = await placeAccepted(market)
  await decide(market, id, 'approved', 'settled')
  const answers = [500, 500, 200, 500, 200, 200]
  receiver.answer = (request, response) => answerWith(answers.shift() ?? 200)(request, response)
  await dispatcher.dispatchDue()
  t.match(await deliveryOf(market, id, 'approved'), { attempts: { length: 0 } })
  t.same(await displayStatesOf(market, await findEvent(market, id, 'approved')), ['waiting'])
  while (answers.length > 0) {
    world.clock.advance(600)
    await dispatcher.dispatchDue()
  }
  const types = receiver.received.map(({ event }) => event.data.status)
  const [submitted, approved, settled] = ['submitted', 'approved', 'settled']
  t.same(types, [submitted, submitted, submitted, approved, approved, settled])
})

t.test('a dead event never blocks the next event [D31]', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placeAccepted(market)
  await decide(market, id, 'approved')
  market.receiver.answer = (request, response) => {
    const isFirst = request.headers['x-service-webhook-event'] === 'share_purchase.submitted'
    answerWith(isFirst ? 500 : 200)(request, response)
  }
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  t.match(await deliveryOf(market, id), { state: 'dead' })
  t.match(await deliveryOf(market, id, 'approved'), { state: 'delivered' })
})

t.test('each endpoint has its own outcome', async (t) => {
  const market = await createWebhookMarket(t)
  await register(market, 'http://127.0.0.1:1/nobody-listens')
  const id = await placeAccepted(market)
  await decide(market, id, 'approved')
  await market.dispatcher.dispatchDue()
  t.equal(
    market.receiver.received.length,
    2,
    'each endpoint gets its events in order, without waiting for other endpoints',
  )
  const [first, second] = await deliveriesOf(market, await findEvent(market, id))
  t.match(first, { state: 'delivered' })
  t.match(
    second,
    exactArrays({ state: 'pending', attempts: [{ failure: 'connect', address: '127.0.0.1' }] }),
  )
  t.match(await findEvent(market, id), { deliveries: { pending: 1, delivered: 1, dead: 0 } })
})

t.test(
  'an address that is no longer public is refused at delivery time [S-webhooks-7]',
  async (t) => {
    const answers = [['93.184.215.14'], ['127.0.0.1'], ['8.8.8.8', '10.0.0.1']]
    const webhookSender = createWebhookSender({ resolve: async () => answers.shift() ?? [] })
    const market = await createMarket({}, { webhookSender })
    const { service, clock, logger } = market.world
    const receiver = await startReceiver(t)
    const { port } = new URL(receiver.url)
    await register(market, `https://rebinding.example:${port}/`)
    const event = await findEvent(market, await placeAccepted(market))
    const dispatcher = new Dispatcher(service, { logger })
    await dispatcher.dispatchDue()
    clock.advance(40)
    await dispatcher.dispatchDue()
    const refused = { failure: 'refused_address', status: null } as const
    const attempts = [
      { ...refused, address: '127.0.0.1' },
      { ...refused, address: '10.0.0.1' },
    ]
    t.match(await deliveriesOf(market, event), exactArrays([{ state: 'pending', attempts }]))
    t.same(answers, [], 'the name was resolved each time')
    t.same(receiver.received, [])
  },
)

t.test('an order that a fixture file ends has all its events in order', async (t) => {
  const market = await createWebhookMarket(t)
  const settled = { cooperative: 'sun', share_count: 5, status: 'settled' }
  const investor = completeProvision({
    partner_customer_ref: 'from-a-file',
    share_purchases: [settled],
  })
  const organizations = [{ name: 'Demo Bank', investors: [investor] }]
  const { cooperatives } = buildFixtureFile()
  await applyFixtureFile(market.world.service, { organizations, cooperatives })
  await market.dispatcher.dispatchDue()
  const statuses = market.receiver.received.map(({ event }) => event.data.status)
  t.same(statuses, ['submitted', 'approved', 'settled'])
})

t.test(
  'the log has each attempt with endpoint and number, and the reason why a delivery is dead',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, dispatcher, receiver, webhookEndpointId } = market
    receiver.answer = answerWith(500)
    const { eventId, organizationId } = await findEvent(market, await placeAccepted(market))
    await dispatcher.dispatchDue()
    await exhaustAttempts(market)
    const told = world.logger.lines.filter(({ fields }) => fields.kind === 'webhook')
    const numbers = told
      .filter(({ message }) => message === 'delivery attempted')
      .map(({ fields }) => fields.attempt)
    t.same(numbers, [1, 2, 3, 4, 5, 6])
    t.match(told[0], { level: 'info', fields: { organizationId, webhookEndpointId, status: 500 } })
    const [death, ...others] = told.filter(({ level }) => level === 'warn')
    t.same(others, [])
    const fields = { eventId, organizationId, webhookEndpointId, cause: 'attempts_used_up' }
    t.match(death, { message: 'delivery died', fields })
  },
)

t.test('a retry that becomes due while the dispatcher polls is not forgotten', async (t) => {
  const market = await createWebhookMarket(t)
  const { receiver, dispatcher } = market
  const { clock } = market.world
  receiver.answer = answerWith(500)
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  const calledAt = clock.now()
  const due = await dispatcher.nextDueAt()
  t.ok(due)
  clock.advance(60)
  t.equal(await dispatcher.nextDueAt(calledAt), due)
})
