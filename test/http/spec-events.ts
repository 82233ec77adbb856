import t, { type Test } from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { startTcpPeer } from '../../fixtures/servers/peer.ts'
import { answerWith, type Received, startReceiver } from '../../fixtures/servers/receiver.ts'
import { collectionOf, get, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  exhaustAttempts,
  findEvent,
  register,
  type WebhookMarket,
} from '../../fixtures/world/webhook-market.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { isUuid } from '../../src/domain/ids.ts'
import { replayEvent } from '../../src/usecases/webhooks/replay-events.ts'

/** Delivers events and returns those that arrived since the last call. */
async function nextEvents({ dispatcher, receiver }: WebhookMarket): Promise<Received[]> {
  await dispatcher.dispatchDue()
  return receiver.received.splice(0)
}

async function cancel(market: Market, id: string): Promise<void> {
  const { token } = market.world.partner
  const path = `${collectionOf(market)}/${id}/cancel`
  const { status } = await market.world.request('POST', path, { token })
  if (status !== 200) throw new Error(`The cancellation was answered ${status}.`)
}

async function told(market: WebhookMarket): Promise<string> {
  const id = await placeAccepted(market)
  await nextEvents(market)
  return id
}

async function approved(market: WebhookMarket): Promise<string> {
  const id = await told(market)
  await decide(market, id, 'approved')
  await nextEvents(market)
  return id
}

t.test('each event type has its trigger and its terminal flag [S-events-1]', async (t) => {
  const market = await createWebhookMarket(t)
  const placing = () => placeAccepted(market)
  const cancelling = (id: string) => cancel(market, id)
  const deciding = (to: 'approved' | 'settled' | 'rejected' | 'cancelled') => (id: string) =>
    decide(market, id, to)
  const rows = [
    ['submitted', false, 'POST .../share-purchases', placing, async () => {}],
    ['approved', false, 'service-side review', told, deciding('approved')],
    ['settled', true, 'service-side settlement', approved, deciding('settled')],
    ['rejected', true, 'service-side refusal', told, deciding('rejected')],
    ['rejected', true, 'rejection after a review', approved, deciding('rejected')],
    ['cancelled', true, 'POST .../cancel', told, cancelling],
    ['cancelled', true, 'service side', told, deciding('cancelled')],
  ] as const
  for (const [status, terminal, emittedBy, before, emit] of rows) {
    const share_purchase_id = await before(market)
    await emit(share_purchase_id)
    const [received, ...others] = await nextEvents(market)
    t.equal(others.length, 0, `${emittedBy}: one event`)
    const type = `share_purchase.${status}`
    t.match(received?.event, { type, data: { share_purchase_id, status, terminal } }, emittedBy)
    t.equal(
      received?.headers['x-service-webhook-event'],
      type,
      'the header has the same id as the body',
    )
    const { body } = await get(market, `${collectionOf(market)}/${share_purchase_id}`)
    t.equal(body.status, status, 'the same as in the API')
  }
})

t.test(
  'an event about a settlement comes together with the changed holding [S-events-2]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const shares = async () => {
      const { body } = await get(market, `/v1/investors/${market.investorId}/holdings`)
      return body.items[0].shares
    }
    const id = await approved(market)
    t.equal(await shares(), 0)
    await decide(market, id, 'settled')
    const [received] = await nextEvents(market)
    t.match(received?.event, { type: 'share_purchase.settled', data: { share_count: 5 } })
    t.equal(await shares(), 5)
  },
)

t.test(
  'id and created_at are the same at every endpoint, retry and redelivery [S-envelope-2] [D31]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, receiver } = market
    const elsewhere = await startReceiver(t)
    await register(market, elsewhere.url)
    receiver.answer = answerWith(500)
    const occurredAt = world.clock.now()
    const id = await placeAccepted(market)
    world.clock.advance(90)
    await market.dispatcher.dispatchDue()
    await exhaustAttempts(market)
    const { eventId } = await findEvent(market, id)
    await replayEvent(world.service, { eventId })
    receiver.answer = answerWith(200)
    await market.dispatcher.dispatchDue()
    t.ok(isUuid(eventId))
    t.equal(receiver.received.length, 7, 'six attempts and a replay')
    t.equal(elsewhere.received.length, 2, 'an attempt and a replay')
    for (const { event } of [...receiver.received, ...elsewhere.received]) {
      t.match(event, { id: eventId, created_at: occurredAt })
    }
    await decide(market, id, 'approved')
    t.not((await findEvent(market, id, 'approved')).eventId, eventId, 'another transition')
  },
)

/** Returns the attempts to deliver to an endpoint with this URL. */
async function attemptsAt(t: Test, url: string, sender: Parameters<typeof createWebhookSender>[0]) {
  const webhookSender = createWebhookSender({ allowPrivate: true, ...sender })
  const market = await createWebhookMarket(t, { webhookSender })
  const { webhookEndpointId } = await register(market, url)
  const id = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  const deliveries = await deliveriesOf(market, await findEvent(market, id))
  return deliveries.find(
    ({ target }) => target.kind === 'webhook' && target.webhookEndpointId === webhookEndpointId,
  )
}

t.test(
  'a timeout, a TLS failure or a DNS failure counts as a failed attempt [S-delivery-5]',
  async (t) => {
    const silent = await startTcpPeer(t, () => {})
    const noTls = await startTcpPeer(t, (socket) => socket.end('no TLS\r\n'))
    const answers = [['127.0.0.1']]
    const resolveOnce = async () => answers.shift() ?? []
    const rows = [
      ['timeout', `http://127.0.0.1:${silent}/`, { readTimeoutMs: 50 }],
      ['tls', `https://127.0.0.1:${noTls}/`, {}],
      ['dns', 'https://receiver.example/', { resolve: resolveOnce }],
    ] as const
    for (const [failure, url, sender] of rows) {
      const delivery = await attemptsAt(t, url, sender)
      t.match(delivery, { state: 'dead', deadBecause: 'attempts_used_up', attemptsInRound: 6 })
      t.same(
        delivery?.attempts.map((attempt) => attempt.failure),
        Array(6).fill(failure),
      )
    }
  },
)

t.test('attempts are counted for each delivery of an event [S-limits-5]', async (t) => {
  const market = await createWebhookMarket(t)
  await register(market, `${market.receiver.url}/dead`)
  market.receiver.answer = (request, response) =>
    answerWith(request.url?.endsWith('/dead') ? 500 : 200)(request, response)
  const orders = [await placeAccepted(market), await placeAccepted(market)]
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  for (const order of orders) {
    const deliveries = await deliveriesOf(market, await findEvent(market, order))
    t.match(
      deliveries,
      exactArrays([
        { state: 'delivered', attemptsInRound: 1 },
        { state: 'dead', attemptsInRound: 6 },
      ]),
    )
  }
  t.equal(market.receiver.received.length, 2 * (1 + 6))
})

t.test('the list of orders shows what lost events reported [S-delivery-8]', async (t) => {
  const market = await createWebhookMarket(t)
  market.receiver.answer = answerWith(500)
  const [lost, heard] = [await placeAccepted(market), await placeAccepted(market)]
  await decide(market, lost, 'approved')
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  market.receiver.received.length = 0
  market.receiver.answer = answerWith(200)
  await decide(market, heard, 'rejected')
  const events = await nextEvents(market)
  t.same(
    events.map(({ event }) => event.data.share_purchase_id),
    [heard],
    'delivery has stopped',
  )
  const token = await market.world.tokenWith('applications:read')
  const { body } = await get(market, collectionOf(market), token)
  t.match(
    body.items,
    exactArrays([
      { share_purchase_id: heard, status: 'rejected' },
      { share_purchase_id: lost, status: 'approved' },
    ]),
  )
})
