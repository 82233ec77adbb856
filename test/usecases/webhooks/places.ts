import t, { type Test } from 'tap'
import { EndingLeases, withLeases } from '../../../fixtures/ending-leases.ts'
import { placed } from '../../../fixtures/market.ts'
import { answerWith } from '../../../fixtures/receiver.ts'
import { until } from '../../../fixtures/until.ts'
import {
  createWebhookMarket,
  deliveriesOf,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/webhook-market.ts'
import { openWorldStore } from '../../../fixtures/world-store.ts'

async function leasedMarket(t: Test) {
  const leases = new EndingLeases()
  const store = withLeases(await openWorldStore(), leases)
  return { leases, market: await createWebhookMarket(t, { store }) }
}

async function deliveryOf(market: WebhookMarket, id: string) {
  const [delivery] = await deliveriesOf(market, await findEvent(market, id))
  return delivery
}

const untouched = { state: 'pending', attemptsInRound: 0, attempts: { length: 0 } } as const

t.test('what is on the wire when a lease ends is cut off, and nothing is recorded', async (t) => {
  const { leases, market } = await leasedMarket(t)
  const { receiver, dispatcher, dispatched } = market
  let cutOff = 0
  receiver.answer = (_request, response) => response.on('close', () => (cutOff += 1))
  const id = await placed(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => receiver.received.length === 1)
  await dispatcher.renewLeases()
  t.equal(cutOff, 0, 'a lease that is renewed lets it go on')
  leases.isEnded = true
  await dispatcher.renewLeases()
  await dispatching
  await until(t, () => cutOff === 1)
  t.match(await deliveryOf(market, id), untouched)
  t.same(
    dispatched.filter(({ kind }) => kind === 'webhook'),
    [],
    'nor is it a fault of ours',
  )
  leases.isEnded = false
  receiver.answer = answerWith(200)
  await dispatcher.dispatchDue()
  t.match(await deliveryOf(market, id), { state: 'delivered', attemptsInRound: 1 })
})

t.test('what was fetched before the lease ended is not sent after it', async (t) => {
  const { leases, market } = await leasedMarket(t)
  const { receiver, dispatcher } = market
  const id = await placed(market)
  leases.isEndingAfterLook = true
  await dispatcher.dispatchDue()
  t.ok(leases.isEnded, 'it was looked for')
  t.equal(receiver.received.length, 0)
  t.match(await deliveryOf(market, id), untouched)
})

t.test('first attempts that never end leave a place to a retry', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 4 } })
  const { receiver, dispatcher, world } = market
  await placed(market)
  await dispatcher.dispatchDue()
  receiver.answer = answerWith(500)
  const retried = await placed(market)
  await dispatcher.dispatchDue()
  receiver.answer = answerWith(200)
  await placed(market)
  await dispatcher.dispatchDue()
  const bodies: string[] = []
  const held: (() => void)[] = []
  receiver.answer = (_request, response) => {
    bodies.push(String(receiver.received.at(-1)?.bytes))
    held.push(() => response.writeHead(200).end())
  }
  for (let order = 0; order < 8; order += 1) await placed(market)
  world.clock.advance(60)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => held.length === 4)
  t.equal(bodies.filter((body) => body.includes(retried)).length, 1, 'one of four is the retry')
  for (let released = 0; released < 9; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
})

t.test('receivers take turns where there is room for few', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perReceiver: 1, inAll: 2 } })
  const { receiver, dispatcher } = market
  await placed(market)
  await dispatcher.dispatchDue()
  await register(market, `${receiver.url}/second`)
  await register(market, `${receiver.url}/third`)
  const paths: string[] = []
  receiver.answer = (request, response) => {
    paths.push(String(request.url))
    response.writeHead(200).end()
  }
  for (let order = 0; order < 10; order += 1) await placed(market)
  await dispatcher.dispatchDue()
  t.equal(paths.length, 30)
  const early = new Set(paths.slice(0, 15))
  t.same([...early].sort(), ['/hook', '/hook/second', '/hook/third'], 'none waits for another')
})
