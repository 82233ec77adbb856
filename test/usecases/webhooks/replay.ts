import t from 'tap'
import { anything } from '../../../fixtures/builders/subject.ts'
import { answerWith, verifySignature } from '../../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
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
import { replayEvent, replayEvents } from '../../../src/usecases/webhooks/replay-events.ts'
import {
  removeWebhookEndpoint,
  rotateSigningSecret,
} from '../../../src/usecases/webhooks/webhook-endpoints.ts'

type Status = 'submitted' | 'approved' | 'settled'

async function statesOf(market: WebhookMarket, id: string, status: Status = 'submitted') {
  return displayStatesOf(market, await findEvent(market, id, status))
}

/** Makes an order whose events are all dead at the endpoint. */
async function deadOrder(market: WebhookMarket, ...decisions: ('approved' | 'settled')[]) {
  market.receiver.answer = answerWith(500)
  const id = await placeAccepted(market)
  await decide(market, id, ...decisions)
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  market.receiver.received.length = 0
  market.receiver.answer = answerWith(200)
  return id
}

t.test('a replay sends the same body, signed with the current secret [S-signing-3]', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, dispatcher, receiver, webhookEndpointId } = market
  const id = await deadOrder(market)
  const event = await findEvent(market, id)
  const { signingSecret } = await rotateSigningSecret(world.service, { webhookEndpointId })
  const replayed = await replayEvent(world.service, { eventId: event.eventId })
  t.match(replayed, { replayed: 1, event: { deliveries: { pending: 1, dead: 0 } } })
  await dispatcher.dispatchDue()
  const [received] = receiver.received
  if (!received) return t.fail('nothing arrived')
  t.equal(received.bytes.toString(), event.body, 'body, id and created_at stay the same')
  t.ok(verifySignature(received, signingSecret, new Date(world.clock.now())))
  const [delivery] = await deliveriesOf(market, event)
  t.match(delivery, { state: 'delivered', attemptsInRound: 1, deadBecause: null })
  t.equal(delivery?.attempts.length, 7, 'the attempts of the first round stay recorded')
})

t.test('a replay starts one new round of attempts', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await deadOrder(market)
  market.receiver.answer = answerWith(500)
  const { eventId } = await findEvent(market, id)
  await replayEvent(market.world.service, { eventId })
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  t.equal(market.receiver.received.length, 6)
  t.same(await statesOf(market, id), ['dead'])
})

t.test('a replay sends dead and delivered events again, or only dead ones [D34]', async (t) => {
  const market = await createWebhookMarket(t)
  const { world } = market
  const taken = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  const other = await register(market, `${market.receiver.url}/2`)
  market.receiver.answer = (request, response) =>
    answerWith(request.url === '/hook' ? 500 : 200)(request, response)
  const id = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  await exhaustAttempts(market)
  t.same(await statesOf(market, id), ['dead', 'delivered'])
  const { eventId } = await findEvent(market, id)
  const { skipReason, replayed } = await replayEvent(world.service, {
    eventId: (await findEvent(market, taken)).eventId,
    onlyDead: true,
  })
  t.same({ skipReason, replayed }, { skipReason: 'delivered', replayed: 0 })
  const dry = await replayEvent(world.service, { eventId, dryRun: true })
  t.match(dry, { replayed: 2, event: { deliveries: { delivered: 1, dead: 1 } } })
  t.same(await statesOf(market, id), ['dead', 'delivered'], 'a dry run changes nothing')
  t.match(dry, { stateAfter: 'pending', skipReason: null })
  t.match(await replayEvent(world.service, { eventId, onlyDead: true }), { replayed: 1 })
  t.same(await statesOf(market, id), ['pending', 'delivered'])
  t.match(
    await replayEvent(world.service, { eventId }),
    { replayed: 1 },
    'without deliveries that are in progress',
  )
  t.same(await statesOf(market, id), ['pending', 'pending'])
  await removeWebhookEndpoint(world.service, other.webhookEndpointId)
  t.match(
    await replayEvent(world.service, { eventId }),
    { replayed: 0 },
    'without deliveries to removed endpoints',
  )
  await t.rejects(replayEvent(world.service, { eventId: 'none' }), { code: 'EVENT_NOT_FOUND' })
})

t.test('replayed events of one order keep their order [D34]', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, dispatcher, receiver } = market
  const id = await deadOrder(market, 'approved', 'settled')
  const rows = await replayEvents(world.service, { state: 'dead' }, { onlyDead: true })
  t.same(
    rows.map(({ replayed }) => replayed),
    [1, 1, 1],
  )
  t.same(await statesOf(market, id), ['pending'])
  t.same(await statesOf(market, id, 'approved'), ['waiting'])
  t.same(await statesOf(market, id, 'settled'), ['waiting'])
  await dispatcher.dispatchDue()
  const statuses = receiver.received.map(({ event }) => event.data.status)
  t.same(statuses, ['submitted', 'approved', 'settled'])
})

t.test(
  'a later event that waits for a retry does not overtake a replayed event [D31]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, dispatcher, receiver } = market
    const id = await deadOrder(market, 'approved')
    receiver.answer = answerWith(500)
    await decide(market, id, 'settled')
    await dispatcher.dispatchDue()
    const { eventId } = await findEvent(market, id, 'approved')
    await replayEvent(world.service, { eventId })
    t.same(await statesOf(market, id, 'settled'), ['waiting'])
    await dispatcher.dispatchDue()
    receiver.answer = answerWith(200)
    receiver.received.length = 0
    await exhaustAttempts(market)
    const statuses = receiver.received.map(({ event }) => event.data.status)
    t.same(statuses, ['approved', 'settled'])
    t.same(await statesOf(market, id, 'settled'), ['delivered'])
  },
)

t.test('a filter selects by organization, type and time', async (t) => {
  const market = await createWebhookMarket(t)
  const { world } = market
  const first = await deadOrder(market, 'approved')
  const between = world.clock.now()
  const { organizationId } = world.otherPartner
  const dryRun = { dryRun: true }
  const count = async (selection: Parameters<typeof replayEvents>[1]) =>
    (await replayEvents(world.service, selection, dryRun)).length
  t.equal(await count({ state: 'dead' }), 2)
  t.equal(await count({ state: 'dead', type: 'share_purchase.approved' }), 1)
  t.equal(await count({ state: 'dead', organization: 'Demo Bank' }), 2)
  t.equal(await count({ state: 'dead', organization: organizationId }), 0)
  t.equal(await count({ state: 'dead', since: between }), 0)
  t.equal(await count({ state: 'dead', until: between }), 2)
  t.equal(await count({ state: 'dead', limit: 1 }), 1)
  t.same(await statesOf(market, first), ['dead'])
})

t.test('events of a removed endpoint do not count towards the limit', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, webhookEndpointId, receiver } = market
  await placeAccepted(market)
  await register(market, `${receiver.url}/other`)
  const id = await deadOrder(market)
  await removeWebhookEndpoint(world.service, webhookEndpointId)
  const rows = await replayEvents(world.service, { state: 'dead', limit: 1 }, { onlyDead: true })
  t.same(
    rows.map(({ replayed }) => replayed),
    [0, 1],
  )
  t.same(await statesOf(market, id), ['dead', 'pending'])
})

t.test('many events are replayed in one call', async (t) => {
  const market = await createWebhookMarket(t)
  const { world } = market
  const id = await deadOrder(market)
  const event = await findEvent(market, id)
  const [delivery] = await deliveriesOf(market, event)
  await world.service.store.write(anything, async ({ events, deliveries }) => {
    for (let copy = 0; copy < 250; copy += 1) {
      const [eventId, deliveryId] = [`event-${copy}`, `delivery-${copy}`]
      await events.put({ ...event, eventId, deliveryIds: [deliveryId] })
      if (delivery) await deliveries.put({ ...delivery, eventId, deliveryId })
    }
  })
  const rows = await replayEvents(world.service, { state: 'dead' }, { onlyDead: true })
  t.equal(rows.length, 251)
  const counts = await world.service.store.read(({ events }) => events.countByState())
  t.match(counts, { dead: 0, pending: 251 })
})
