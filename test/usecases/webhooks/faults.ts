import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { answerWith } from '../../../fixtures/servers/receiver.ts'
import { FaultyDisk } from '../../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  findEvent,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import type { Encrypted } from '../../../src/domain/text.ts'
import { addSeconds } from '../../../src/domain/timestamp.ts'
import type { Delivery } from '../../../src/domain/webhooks/delivery.ts'
import { removeWebhookEndpoint } from '../../../src/usecases/webhooks/webhook-endpoints.ts'

async function deliveryOf(market: WebhookMarket, id: string, status?: 'approved' | 'settled') {
  const [delivery] = await deliveriesOf(market, await findEvent(market, id, status))
  return delivery as Delivery
}

async function breakSecret({ world, webhookEndpointId }: WebhookMarket, encrypted: string) {
  return world.service.store.write(anything, async ({ webhookEndpoints }) => {
    const endpoint = await webhookEndpoints.get(webhookEndpointId)
    if (!endpoint) throw new Error('no endpoint')
    await webhookEndpoints.put({ ...endpoint, encryptedSigningSecret: encrypted as Encrypted })
    return endpoint.encryptedSigningSecret
  })
}

t.test(
  'a fault of the service uses up no attempt, and is counted and logged separately [D33]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, dispatcher, receiver, dispatched } = market
    const encrypted = await breakSecret(market, 'v1.broken')
    const id = await placeAccepted(market)
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
    t.equal(faults.length, 8, 'more faults than the number of attempts')
    const lines = world.logger.lines.filter(({ level }) => level === 'error')
    t.equal(lines.length, 8)
    t.match(lines[0]?.fields, { kind: 'webhook', error: Error })
    t.notMatch(JSON.stringify(lines), market.secret)
    await breakSecret(market, encrypted)
    await dispatcher.dispatchDue()
    t.match(await deliveryOf(market, id), { state: 'delivered', attemptsInRound: 1 })
  },
)

t.test(
  'a delivery that the service cannot send does not delay other deliveries of its endpoint',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, dispatcher, receiver } = market
    const { store } = world.service
    const poisoned = await findEvent(market, await placeAccepted(market))
    // An HTTP header cannot contain this text.
    await store.write(anything, ({ events }) =>
      events.put({ ...poisoned, type: 'two\nlines' as never }),
    )
    const id = await placeAccepted(market)
    await dispatcher.dispatchDue()
    world.clock.advance(1)
    await dispatcher.dispatchDue()
    t.match(await deliveryOf(market, id), { state: 'delivered' })
    const [kept] = await deliveriesOf(market, poisoned)
    t.match(kept, { state: 'pending', attempts: { length: 0 } })
    t.equal(receiver.received.length, 1)
  },
)

t.test(
  'while the store accepts no writes, nothing is sent whose outcome could not be recorded',
  async (t) => {
    const disk = new FaultyDisk()
    const directory = temporaryDirectory(t)
    const store = await openStore(t, { directory, openFile: disk.openFile })
    const market = await createWebhookMarket(t, { store })
    const { dispatcher, receiver } = market
    const id = await placeAccepted(market)
    await placeAccepted(market)
    receiver.answer = (request, response) => {
      disk.failAt('sync', 'EIO')
      answerWith(200)(request, response)
    }
    await dispatcher.dispatchDue()
    const sent = receiver.received.length
    t.ok(sent > 0)
    t.match(await deliveryOf(market, id), { state: 'pending', attempts: { length: 0 } })
    const { clock } = market.world
    clock.advance(3600)
    await dispatcher.dispatchDue()
    t.equal(receiver.received.length, sent)
    t.equal(
      await dispatcher.nextDueAt(),
      addSeconds(clock.now(), 1),
      'the store is not tried constantly',
    )
    disk.repair()
    await store.close()
    const again = await openStore(t, { directory })
    const stored = await again.read(({ deliveries }) =>
      deliveries.listPending(market.webhookEndpointId, 10),
    )
    t.equal(stored.length, 2, 'the next start sends them a second time rather than not at all')
  },
)

t.test('removing an endpoint ends its deliveries', async (t) => {
  const market = await createWebhookMarket(t)
  const { receiver, dispatcher, world } = market
  receiver.answer = answerWith(500)
  const [first, second] = [await placeAccepted(market), await placeAccepted(market)]
  await decide(market, first, 'approved', 'settled')
  await dispatcher.dispatchDue()
  const removed = await removeWebhookEndpoint(world.service, market.webhookEndpointId)
  t.equal(removed.endedDeliveries, 4)
  const ended = { state: 'dead', deadBecause: 'endpoint_removed', nextAttemptAt: null } as const
  t.match(await deliveryOf(market, first), exactArrays({ ...ended, attempts: [{ status: 500 }] }))
  t.match(await deliveryOf(market, first, 'approved'), { ...ended, attempts: { length: 0 } })
  t.match(await deliveryOf(market, first, 'settled'), ended)
  t.match(await deliveryOf(market, second), ended)
  t.match(await findEvent(market, first), { deliveries: { pending: 0, dead: 1 } })
  world.clock.advance(600)
  const sent = receiver.received.length
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, sent)
  const later = await findEvent(market, await placeAccepted(market))
  t.equal(later.deliveries.pending, 0, 'no new event is sent')
})

t.test('an endpoint whose removal was interrupted gets no further events', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placeAccepted(market)
  await decide(market, id, 'approved')
  await market.world.service.store.write(anything, ({ webhookEndpoints }) =>
    webhookEndpoints.remove(market.webhookEndpointId),
  )
  await market.dispatcher.dispatchDue()
  const ended = { state: 'dead', deadBecause: 'endpoint_removed', attempts: { length: 0 } } as const
  t.match(await deliveryOf(market, id), ended)
  t.match(await deliveryOf(market, id, 'approved'), ended)
  t.equal(market.receiver.received.length, 0)
})

for (const [status, state] of [
  [500, 'dead'],
  [200, 'delivered'],
] as const) {
  t.test(
    `an attempt that is in progress when its endpoint is removed is recorded: ${state}`,
    async (t) => {
      const market = await createWebhookMarket(t)
      const { receiver, dispatcher, world } = market
      receiver.answer = async (request, response) => {
        await removeWebhookEndpoint(world.service, market.webhookEndpointId)
        answerWith(status)(request, response)
      }
      const id = await placeAccepted(market)
      await dispatcher.dispatchDue()
      t.match(await deliveryOf(market, id), exactArrays({ state, attempts: [{ status }] }))
      const counts = { pending: 0, delivered: 0, dead: 0, [state]: 1 }
      t.same((await findEvent(market, id)).deliveries, counts)
    },
  )
}

t.test('a delivery that is abandoned at a stop is neither an attempt nor a fault', async (t) => {
  const market = await createWebhookMarket(t)
  const { dispatcher, receiver, dispatched } = market
  receiver.answer = () => {}
  const id = await placeAccepted(market)
  void dispatcher.startDue()
  await until(t, () => receiver.received.length === 1)
  const stopped = dispatcher.stop()
  dispatcher.abortAll()
  await stopped
  t.match(await deliveryOf(market, id), { state: 'pending', attempts: { length: 0 } })
  t.same(
    dispatched.filter(({ kind }) => kind === 'webhook'),
    [],
  )
})
