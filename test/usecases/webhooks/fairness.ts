import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { answerWith } from '../../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  deliveriesOf,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import { createWebhookSender } from '../../../src/adapters/webhook-sender/webhook-sender.ts'

/** Longer than the specified timeout: on a busy machine, others need more than that while answers are held. */
const webhookSender = createWebhookSender({ allowPrivate: true, readTimeoutMs: 120_000 })

/** A receiver that answers when the test says so. */
function holdAnswers(market: WebhookMarket, path: string) {
  const held: (() => void)[] = []
  market.receiver.answer = (request, response) => {
    if (request.url === path) held.push(() => response.writeHead(200).end())
    else answerWith(200)(request, response)
  }
  return held
}

t.test('an unresponsive endpoint delays no other and has its own limit [D35]', async (t) => {
  const market = await createWebhookMarket(t, {
    webhookSender,
    dispatcher: { perReceiver: 4, total: 100 },
  })
  const { receiver, dispatcher, world } = market
  const { webhookEndpointId } = await register(market, `${receiver.url}/slow`)
  const held = holdAnswers(market, '/hook/slow')
  const healthy = () => receiver.received.length - held.length
  for (let order = 0; order < 20; order += 1) await placeAccepted(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => healthy() === 20 && held.length === 4)
  t.equal(healthy(), 20, 'every event has reached the other endpoint')
  t.equal(held.length, 4, 'as many are under way to the hanging one as may be')
  const { store } = world.service
  const waiting = await store.read(({ deliveries }) =>
    deliveries.listPending(webhookEndpointId, 100),
  )
  t.equal(waiting.length, 20)
  for (let released = 0; released < 20; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
  t.equal(healthy(), 20)
})

t.test('half of all slots are kept for endpoints that respond [D35]', async (t) => {
  const market = await createWebhookMarket(t, {
    webhookSender,
    dispatcher: { perReceiver: 2, total: 8 },
  })
  const { receiver, dispatcher } = market
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  for (let slow = 0; slow < 9; slow += 1) await register(market, `${receiver.url}/slow?${slow}`)
  const held: (() => void)[] = []
  market.receiver.answer = (request, response) => {
    if (request.url !== '/hook') held.push(() => response.writeHead(200).end())
    else answerWith(200)(request, response)
  }
  for (let order = 0; order < 20; order += 1) await placeAccepted(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => receiver.received.length - held.length === 21)
  t.equal(held.length, 4)
  for (let released = 0; released < 9 * 20; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
  t.equal(receiver.received.length, 1 + 20 + 9 * 20, 'and the others get theirs')
})

t.test('a failing endpoint gets fewer deliveries at a time until one succeeds [D35]', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 4 } })
  const { receiver, dispatcher, world } = market
  receiver.answer = answerWith(500)
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  world.clock.advance(20)
  const held = holdAnswers(market, '/hook')
  for (let order = 0; order < 8; order += 1) await placeAccepted(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => held.length === 2)
  // The first one is due again now, while the others are still in flight.
  world.clock.advance(20)
  await dispatcher.startDue()
  t.equal(held.length, 2)
  held[0]?.()
  await until(t, () => held.length === 5)
  for (let released = 1; released < 9; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
  t.equal(receiver.received.length, 10)
})

t.test(
  '10,000 events for a dead endpoint stay within the limit of deliveries under way',
  async (t) => {
    const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 8, total: 64 } })
    const { dispatcher, world, receiver } = market
    const { store } = world.service
    const held = holdAnswers(market, '/hook')
    const event = await findEvent(market, await placeAccepted(market))
    const [delivery] = await deliveriesOf(market, event)
    if (!delivery) return t.fail('nothing to deliver')
    await store.write('test', async ({ deliveries }) => {
      for (let copy = 0; copy < 10_000; copy += 1) {
        const deliveryId = `copy-${copy}`
        await deliveries.put({ ...delivery, deliveryId, orderingKey: deliveryId })
      }
    })
    void dispatcher.dispatchDue()
    // On a busy machine, the first poll of a table of this size may take long.
    await until(t, () => held.length === 8, 60_000)
    t.equal(receiver.received.length, 8)
    const stopped = dispatcher.stop()
    for (const release of held) release()
    await stopped
    t.equal(receiver.received.length, 8, 'a dispatcher that is stopped begins nothing more')
  },
)

t.test('a delivery that is announced during a poll is noticed', async (t) => {
  const market = await createWebhookMarket(t)
  const { receiver, dispatcher, world } = market
  for (let turns = 0; turns < 20; turns += 1) {
    receiver.answer = answerWith(500)
    await placeAccepted(market)
    await dispatcher.dispatchDue()
    receiver.answer = answerWith(200)
    const before = receiver.received.length
    void dispatcher.startDue()
    for (let turn = 0; turn < turns; turn += 1) await undefined
    // From now on the second attempt is due.
    world.clock.advance(40)
    void dispatcher.startDue()
    await until(t, () => receiver.received.length > before)
  }
  t.equal(receiver.received.length, 40)
})

t.test('many deliveries under way cause no warning about a listener leak', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 20 } })
  const held: (() => void)[] = []
  market.receiver.answer = (_request, response) => {
    held.push(() => response.writeHead(200).end())
  }
  for (let order = 0; order < 20; order += 1) await placeAccepted(market)
  const dispatching = market.dispatcher.dispatchDue()
  await until(t, () => held.length === 20)
  for (const answer of held) answer()
  await dispatching
  t.strictSame(warnings, [])
})
