import t from 'tap'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { answerWith, startReceiver, verifySignature } from '../../../fixtures/servers/receiver.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  exportFixtureFile,
} from '../../../fixtures/world/fixture-files.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  exhaustAttempts,
  findEvent,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import { createWorld } from '../../../fixtures/world/world.ts'
import { runOperation } from '../../../src/operations/operations.ts'
import { Dispatcher } from '../../../src/usecases/webhooks/dispatcher.ts'

/** Runs an operation on the first endpoint of the market. */
function change(market: WebhookMarket, name: string, input: object = {}): Promise<unknown> {
  const { service } = market.world
  const { webhookEndpointId: webhook_endpoint_id } = market
  return runOperation(service, name, { webhook_endpoint_id, ...input })
}

function typesReceived({ receiver }: WebhookMarket): readonly unknown[] {
  return receiver.received.map(({ headers }) => headers['x-service-webhook-event'])
}

t.test(
  'a paused endpoint gets no events and uses up no attempts until it is resumed',
  async (t) => {
    const market = await createWebhookMarket(t)
    t.match(await change(market, 'webhook.pause'), { paused_at: market.world.clock.now() })
    const id = await placeAccepted(market)
    await decide(market, id, 'approved', 'settled')
    await market.dispatcher.dispatchDue()
    market.world.clock.advance(7 * 24 * 60 * 60)
    await market.dispatcher.dispatchDue()
    t.equal(market.receiver.received.length, 0)
    const [delivery] = await deliveriesOf(market, await findEvent(market, id))
    t.match(delivery, exactArrays({ state: 'pending', attempts: [] }))
    t.match(await change(market, 'webhook.resume'), { paused_at: null })
    await market.dispatcher.dispatchDue()
    const types = ['submitted', 'approved', 'settled'].map((status) => `share_purchase.${status}`)
    t.strictSame(typesReceived(market), types, 'in the order of the events')
  },
)

t.test('a paused endpoint stays paused for an instance that starts later', async (t) => {
  const market = await createWebhookMarket(t)
  await change(market, 'webhook.pause')
  await placeAccepted(market)
  const { service, logger } = market.world
  const later = new Dispatcher(service, { logger })
  await later.dispatchDue()
  t.equal(market.receiver.received.length, 0)
  await later.stop()
})

t.test('an endpoint that is paused between retries keeps its remaining attempts', async (t) => {
  const market = await createWebhookMarket(t)
  market.receiver.answer = answerWith(500)
  const id = await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  await change(market, 'webhook.pause')
  market.world.clock.advance(3600)
  await market.dispatcher.dispatchDue()
  const event = await findEvent(market, id)
  t.match(await deliveriesOf(market, event), exactArrays([{ attemptsInRound: 1 }]))
  market.receiver.answer = answerWith(204)
  await change(market, 'webhook.resume')
  await market.dispatcher.dispatchDue()
  t.match(
    await deliveriesOf(market, event),
    exactArrays([{ attemptsInRound: 2, state: 'delivered' }]),
  )
})

t.test('the doctor first reports that an endpoint is paused', async (t) => {
  const market = await createWebhookMarket(t)
  await change(market, 'webhook.pause')
  const { checks } = (await change(market, 'webhook.doctor')) as { checks: readonly unknown[] }
  t.match(checks[0], { check: 'paused', result: 'warning', detail: /webhook resume/ })
  t.match(checks[1], { check: 'url' })
})

t.test('an endpoint with types gets only events of these types', async (t) => {
  const market = await createWebhookMarket(t)
  const { service, partner } = market.world
  const settledOnly = await startReceiver(t)
  const registered = await runOperation(service, 'webhook.register', {
    organization: partner.organizationId,
    url: settledOnly.url,
    types: ['share_purchase.settled', 'share_purchase.rejected', 'share_purchase.settled'],
  })
  t.match(registered, exactArrays({ types: ['share_purchase.settled', 'share_purchase.rejected'] }))
  const id = await placeAccepted(market)
  await decide(market, id, 'approved', 'settled')
  await market.dispatcher.dispatchDue()
  t.equal(market.receiver.received.length, 3)
  const types = settledOnly.received.map(({ headers }) => headers['x-service-webhook-event'])
  t.strictSame(types, ['share_purchase.settled'])
  t.equal((await deliveriesOf(market, await findEvent(market, id))).length, 1)
  t.equal((await deliveriesOf(market, await findEvent(market, id, 'settled'))).length, 2)
})

t.test('a fixture file sets the types of an endpoint, changes them and exports them', async (t) => {
  const { service } = await createWorld()
  const types = ['share_purchase.settled']
  const file = (webhook: object) => {
    const { organizations, cooperatives } = buildFixtureFile()
    const [organization] = organizations
    const webhooks = [{ url: 'https://127.0.0.1/hooks', ...webhook }]
    return { organizations: [{ ...organization, webhooks }], cooperatives }
  }
  await applyFixtureFile(service, file({ types }))
  const exported = JSON.stringify(await exportFixtureFile(service))
  t.match(exported, `"url":"https://127.0.0.1/hooks","types":${JSON.stringify(types)}`)
  t.match(await applyFixtureFile(service, file({})), { unchanged: { webhooks: 1 } })
  t.match(await applyFixtureFile(service, file({ types: null })), { updated: { webhooks: 1 } })
  t.match(
    await runOperation(service, 'webhook.list', { organization: 'Musterbank' }),
    exactArrays([{ types: null }]),
  )
})

t.test('with an overlap both secrets are valid until its end', async (t) => {
  const market = await createWebhookMarket(t)
  const rotated = (await change(market, 'webhook.rotate_secret', { overlap: '10m' })) as {
    signing_secret: string
    previous_secret_until: string
  }
  t.match(rotated.previous_secret_until, String)
  await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  const at = () => new Date(market.world.clock.now())
  const [during] = market.receiver.received.splice(0)
  if (!during) return t.fail('nothing arrived')
  t.match(during.headers['x-service-webhook-signature'], /^t=\d+,v1=[\da-f]{64},v1=[\da-f]{64}$/)
  t.ok(verifySignature(during, rotated.signing_secret, at()))
  t.ok(verifySignature(during, market.secret, at()))
  market.world.clock.advance(600)
  await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  const [after] = market.receiver.received.splice(0)
  if (!after) return t.fail('nothing arrived')
  t.ok(verifySignature(after, rotated.signing_secret, at()))
  t.throws(() => verifySignature(after, market.secret, at()))
})

t.test('an overlap is a time from 1s to 7d', async (t) => {
  const market = await createWebhookMarket(t)
  for (const overlap of ['8d', '0s', '1500ms', '600', '']) {
    await t.rejects(
      change(market, 'webhook.rotate_secret', { overlap }),
      { code: 'VALIDATION_ERROR', extra: { errors: { overlap: /from 1s to 7d/ } } },
      overlap,
    )
  }
})

t.test('a second rotation without an overlap ends the overlap of the first rotation', async (t) => {
  const market = await createWebhookMarket(t)
  await change(market, 'webhook.rotate_secret', { overlap: '1d' })
  t.match(await change(market, 'webhook.rotate_secret'), { previous_secret_until: null })
  await placeAccepted(market)
  await market.dispatcher.dispatchDue()
  const [received] = market.receiver.received
  t.match(received?.headers['x-service-webhook-signature'], /^t=\d+,v1=[\da-f]{64}$/)
})

t.test(
  'an operator can send a pending delivery now, and the order of events is kept',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { service } = market.world
    market.receiver.answer = answerWith(500)
    const id = await placeAccepted(market)
    await decide(market, id, 'approved')
    await market.dispatcher.dispatchDue()
    market.receiver.answer = answerWith(204)
    market.receiver.received.splice(0)
    const { eventId: event_id } = await findEvent(market, id, 'approved')
    const waiting = await runOperation(service, 'event.send_now', { event_id })
    t.match(waiting, exactArrays({ deliveries: [{ state: 'waiting' }] }))
    await market.dispatcher.dispatchDue()
    t.equal(market.receiver.received.length, 0, 'the earlier event is sent first')
    const first = await findEvent(market, id)
    const due = await runOperation(service, 'event.send_now', { event_id: first.eventId })
    t.match(
      due,
      exactArrays({ deliveries: [{ state: 'pending', due_since: market.world.clock.now() }] }),
    )
    await market.dispatcher.dispatchDue()
    t.strictSame(typesReceived(market), ['share_purchase.submitted', 'share_purchase.approved'])
  },
)

t.test(
  'a delivered or dead event cannot be sent now, and the refusal names the replay',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { service } = market.world
    const delivered = await findEvent(market, await placeAccepted(market))
    await market.dispatcher.dispatchDue()
    market.receiver.answer = answerWith(500)
    const dead = await findEvent(market, await placeAccepted(market))
    await market.dispatcher.dispatchDue()
    await exhaustAttempts(market)
    for (const { eventId: event_id } of [delivered, dead]) {
      const refused = runOperation(service, 'event.send_now', { event_id })
      await t.rejects(refused, { code: 'EVENT_NOT_PENDING', message: /coopshare event replay/ })
    }
  },
)
