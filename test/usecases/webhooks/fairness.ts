import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
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

/**
 * The timeout is longer than the specified one, because on a busy machine other deliveries may need
 * more time while answers are held.
 */
const webhookSender = createWebhookSender({ allowPrivate: true, readTimeoutMs: 120_000 })

/** Makes the receiver hold its answers until the test releases them. */
function holdAnswers(market: WebhookMarket, path: string) {
  const held: (() => void)[] = []
  market.receiver.answer = (request, response) => {
    if (request.url === path) held.push(() => response.writeHead(200).end())
    else answerWith(200)(request, response)
  }
  return held
}

t.test(
  'an unresponsive endpoint does not delay other endpoints and has its own limit [D35]',
  async (t) => {
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
    t.equal(
      held.length,
      4,
      'the unresponsive endpoint has the maximum number of deliveries in progress',
    )
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
  },
)

t.test('half of all slots are reserved for endpoints that respond [D35]', async (t) => {
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
  t.equal(receiver.received.length, 1 + 20 + 9 * 20, 'the other endpoints get their events')
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
  // The first delivery is now due again, while the other deliveries are still in progress.
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
  '10,000 events for a dead endpoint stay within the limit of deliveries in progress',
  async (t) => {
    const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 8, total: 64 } })
    const { dispatcher, world, receiver } = market
    const { store } = world.service
    const held = holdAnswers(market, '/hook')
    const event = await findEvent(market, await placeAccepted(market))
    const [delivery] = await deliveriesOf(market, event)
    if (!delivery) return t.fail('nothing to deliver')
    await store.write(anything, async ({ deliveries }) => {
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
    t.equal(receiver.received.length, 8, 'a stopped dispatcher begins no deliveries')
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
    // The second attempt is now due.
    world.clock.advance(40)
    void dispatcher.startDue()
    await until(t, () => receiver.received.length > before)
  }
  t.equal(receiver.received.length, 40)
})

t.test('many deliveries in progress cause no warning about a listener leak', async (t) => {
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
