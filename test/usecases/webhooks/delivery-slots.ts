import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { answerWith } from '../../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import { createWebhookMarket, register } from '../../../fixtures/world/webhook-market.ts'

t.test('first attempts that never end leave a slot for a retry', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 4 } })
  const { receiver, dispatcher, world } = market
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  receiver.answer = answerWith(500)
  const retried = await placeAccepted(market)
  await dispatcher.dispatchDue()
  receiver.answer = answerWith(200)
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  const bodies: string[] = []
  const held: (() => void)[] = []
  receiver.answer = (_request, response) => {
    bodies.push(String(receiver.received.at(-1)?.bytes))
    held.push(() => response.writeHead(200).end())
  }
  for (let order = 0; order < 8; order += 1) await placeAccepted(market)
  world.clock.advance(60)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => held.length === 4)
  t.equal(
    bodies.filter((body) => body.includes(retried)).length,
    1,
    'one of four attempts is the retry',
  )
  for (let released = 0; released < 9; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
})

t.test('a fast receiver does not wait for the next poll, and gets each event once', async (t) => {
  let endPause = () => {}
  let isPausing = false
  const pauseBetweenReads = () =>
    isPausing ? new Promise<void>((resolve) => (endPause = resolve)) : Promise.resolve()
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 2, pauseBetweenReads } })
  const { receiver, dispatcher } = market
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  for (let order = 0; order < 8; order += 1) await placeAccepted(market)
  isPausing = true
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => receiver.received.length === 9)
  isPausing = false
  endPause()
  await dispatching
  t.equal(receiver.received.length, 9, 'two deliveries in slots, and six from the same poll')
})

t.test('receivers take turns if there are few slots', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 1, total: 2 } })
  const { receiver, dispatcher } = market
  for (const path of ['/second', '/third', '/fourth']) await register(market, receiver.url + path)
  await placeAccepted(market)
  await dispatcher.dispatchDue()
  const paths: string[] = []
  const held: (() => void)[] = []
  receiver.answer = (request, response) => {
    paths.push(String(request.url))
    held.push(() => response.writeHead(200).end())
  }
  for (let order = 0; order < 5; order += 1) await placeAccepted(market)
  const dispatching = dispatcher.dispatchDue()
  for (let released = 0; released < 20; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
  t.equal(paths.length, 20)
  for (let turn = 0; turn < 20; turn += 4) {
    t.equal(
      new Set(paths.slice(turn, turn + 4)).size,
      4,
      'each receiver has a turn before any has a second one',
    )
  }
})
