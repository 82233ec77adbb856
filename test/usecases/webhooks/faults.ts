import t from 'tap'
import { FaultyDisk } from '../../../fixtures/faulty-disk.ts'
import { placed } from '../../../fixtures/market.ts'
import { answerWith } from '../../../fixtures/receiver.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores.ts'
import { until } from '../../../fixtures/until.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/webhook-market.ts'
import type { Sealed } from '../../../src/domain/sealed.ts'
import type { Delivery } from '../../../src/domain/webhooks/delivery.ts'
import { removeWebhookEndpoint } from '../../../src/usecases/webhooks/remove-webhook-endpoint.ts'

async function deliveryOf(market: WebhookMarket, id: string, status?: 'approved' | 'settled') {
  const [delivery] = await deliveriesOf(market, await findEvent(market, id, status))
  return delivery as Delivery
}

async function breakSecret({ world, webhookEndpointId }: WebhookMarket, sealed: string) {
  return world.service.store.write(async ({ webhookEndpoints }) => {
    const endpoint = await webhookEndpoints.get(webhookEndpointId)
    if (!endpoint) throw new Error('no endpoint')
    await webhookEndpoints.put({ ...endpoint, sealedSigningSecret: sealed as Sealed })
    return endpoint.sealedSigningSecret
  })
}

t.test('a fault of ours uses up no attempt, and is counted and logged apart', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, dispatcher, receiver, dispatched } = market
  const sealed = await breakSecret(market, 'v1.broken')
  const id = await placed(market)
  for (let round = 0; round < 8; round += 1) {
    await dispatcher.dispatchDue()
    t.match(await deliveryOf(market, id), {
      state: 'pending',
      attemptsInRound: 0,
      attempts: { length: 0 },
    })
    world.clock.advance(30)
  }
  t.equal(receiver.received.length, 0)
  const faults = dispatched.filter(({ outcome }) => outcome === 'own_fault')
  t.equal(faults.length, 8, 'more often than there are attempts')
  const lines = world.logger.lines.filter(({ level }) => level === 'error')
  t.equal(lines.length, 8)
  t.match(lines[0]?.fields, { kind: 'webhook', error: Error })
  t.notMatch(JSON.stringify(lines), market.secret)
  await breakSecret(market, sealed)
  await dispatcher.dispatchDue()
  t.match(await deliveryOf(market, id), { state: 'delivered', attemptsInRound: 1 })
})

t.test('one delivery that we cannot send does not keep the others of its endpoint', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, dispatcher, receiver } = market
  const { store } = world.service
  const poisoned = await findEvent(market, await placed(market))
  await store.write(({ events }) => events.put({ ...poisoned, body: 5 as unknown as string }))
  const id = await placed(market)
  await dispatcher.dispatchDue()
  world.clock.advance(1)
  await dispatcher.dispatchDue()
  t.match(await deliveryOf(market, id), { state: 'delivered' })
  t.equal(receiver.received.length, 1)
})

t.test('while the store takes no writes, nothing is sent that could not be recorded', async (t) => {
  const disk = new FaultyDisk()
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory, openFile: disk.openFile })
  const market = await createWebhookMarket(t, { store })
  const { dispatcher, receiver } = market
  const id = await placed(market)
  await placed(market)
  receiver.answer = (request, response) => {
    disk.breakAt('sync', 'EIO')
    answerWith(200)(request, response)
  }
  await dispatcher.dispatchDue()
  const sent = receiver.received.length
  t.ok(sent > 0)
  t.match(await deliveryOf(market, id), { state: 'pending', attempts: { length: 0 } })
  market.world.clock.advance(3600)
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, sent)
  disk.repair()
  await store.close()
  const again = await openStore(t, { directory })
  const stored = await again.read(({ deliveries }) =>
    deliveries.listUnfinished(market.webhookEndpointId, 10),
  )
  t.equal(stored.length, 2, 'the next start sends them: twice rather than never')
})

t.test('an endpoint that is removed ends what was meant for it', async (t) => {
  const market = await createWebhookMarket(t)
  const { receiver, dispatcher, world } = market
  receiver.answer = answerWith(500)
  const [first, second] = [await placed(market), await placed(market)]
  await decide(market, first, 'approved', 'settled')
  await dispatcher.dispatchDue()
  const removed = await removeWebhookEndpoint(world.service, market.webhookEndpointId)
  t.equal(removed.endedDeliveries, 4)
  const ended = { state: 'dead', deadBecause: 'endpoint_removed', nextAttemptAt: null } as const
  t.match(await deliveryOf(market, first), { ...ended, attempts: [{ status: 500 }] })
  t.match(await deliveryOf(market, first, 'approved'), { ...ended, attempts: { length: 0 } })
  t.match(await deliveryOf(market, first, 'settled'), ended)
  t.match(await deliveryOf(market, second), ended)
  t.match(await findEvent(market, first), { deliveries: { pending: 0, dead: 1 } })
  world.clock.advance(600)
  const sent = receiver.received.length
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, sent)
  const later = await findEvent(market, await placed(market))
  t.equal(later.deliveries.pending, 0, 'and nothing new is')
})

t.test('an endpoint whose removal was cut off gets nothing more', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placed(market)
  await decide(market, id, 'approved')
  await market.world.service.store.write(({ webhookEndpoints }) =>
    webhookEndpoints.remove(market.webhookEndpointId),
  )
  await market.dispatcher.dispatchDue()
  const ended = { state: 'dead', deadBecause: 'endpoint_removed', attempts: { length: 0 } } as const
  t.match(await deliveryOf(market, id), ended)
  t.match(await deliveryOf(market, id, 'approved'), ended)
  t.equal(market.receiver.received.length, 0)
})

t.test('an attempt that is under way when its endpoint is removed is still told', async (t) => {
  for (const [status, state] of [
    [500, 'dead'],
    [200, 'delivered'],
  ] as const) {
    const market = await createWebhookMarket(t)
    const { receiver, dispatcher, world } = market
    receiver.answer = async (request, response) => {
      await removeWebhookEndpoint(world.service, market.webhookEndpointId)
      answerWith(status)(request, response)
    }
    const id = await placed(market)
    await dispatcher.dispatchDue()
    t.match(await deliveryOf(market, id), { state, attempts: [{ status }] })
    const counts = { pending: 0, delivered: 0, dead: 0, [state]: 1 }
    t.same((await findEvent(market, id)).deliveries, counts)
  }
})

/** A receiver that takes requests and answers when it is told to. */
function holdAnswers(market: WebhookMarket, path: string) {
  const held: (() => void)[] = []
  market.receiver.answer = (request, response) => {
    if (request.url === path) held.push(() => response.writeHead(200).end())
    else answerWith(200)(request, response)
  }
  return held
}

t.test('a hanging endpoint delays nobody else, and has a bound of its own', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perLane: 4, inAll: 100 } })
  const { receiver, dispatcher, world } = market
  const { webhookEndpointId } = await register(market, `${receiver.url}/slow`)
  const held = holdAnswers(market, '/hook/slow')
  const healthy = () => receiver.received.length - held.length
  for (let order = 0; order < 20; order += 1) await placed(market)
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => healthy() === 20 && held.length === 4)
  t.equal(healthy(), 20, 'every event has reached the other endpoint')
  t.equal(held.length, 4, 'as many are under way to the hanging one as may be')
  const { store } = world.service
  const waiting = await store.read(({ deliveries }) =>
    deliveries.listUnfinished(webhookEndpointId, 100),
  )
  t.equal(waiting.length, 20)
  for (let released = 0; released < 20; released += 1) {
    await until(t, () => held.length > released)
    held[released]?.()
  }
  await dispatching
  t.equal(healthy(), 20)
})

t.test('10 000 events for a dead endpoint: no more are in hand than may be', async (t) => {
  const market = await createWebhookMarket(t, { dispatcher: { perLane: 8, inAll: 64 } })
  const { dispatcher, world, receiver } = market
  const { store } = world.service
  const held = holdAnswers(market, '/hook')
  const event = await findEvent(market, await placed(market))
  const delivery = await deliveryOf(market, event.sharePurchaseId)
  await store.write(async ({ deliveries }) => {
    for (let copy = 0; copy < 10_000; copy += 1) {
      await deliveries.put({ ...delivery, deliveryId: `copy-${copy}` })
    }
  })
  const before = process.memoryUsage().heapUsed
  void dispatcher.dispatchDue()
  await until(t, () => held.length === 8)
  const rest = await store.deliveryClaims.claimDue({
    now: world.clock.now(),
    leaseSeconds: 60,
    limit: 20_000,
    perLane: 20_000,
    exceptions: new Map(),
  })
  t.equal(rest.length, 10_000 - 7, 'all others are still in the store alone')
  t.equal(receiver.received.length, 8)
  const grownMb = (process.memoryUsage().heapUsed - before) / 1024 / 1024
  t.ok(grownMb < 20, `the heap grew by ${grownMb.toFixed(1)} MB`)
  const stopped = dispatcher.stop()
  for (const release of held) release()
  await stopped
  t.equal(receiver.received.length, 8, 'a dispatcher that is stopped begins nothing more')
})

t.test('what is given up at a stop is neither an attempt nor a fault', async (t) => {
  const market = await createWebhookMarket(t)
  const { dispatcher, receiver, dispatched } = market
  receiver.answer = () => {}
  const id = await placed(market)
  void dispatcher.startDue()
  await until(t, () => receiver.received.length === 1)
  const stopped = dispatcher.stop()
  dispatcher.giveUp()
  await stopped
  t.match(await deliveryOf(market, id), { state: 'pending', attempts: { length: 0 } })
  t.same(
    dispatched.filter(({ kind }) => kind === 'webhook'),
    [],
  )
})
