import { validate } from 'superstruct'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  exhaustAttempts,
  findEvent,
  type WebhookMarket,
} from '../../fixtures/world/webhook-market.ts'
import { eventOperations } from '../../src/operations/events.ts'
import { removeWebhookEndpoint } from '../../src/usecases/webhooks/webhook-endpoints.ts'

const {
  'event.list': list,
  'event.show': show,
  'event.count': count,
  'event.replay': replay,
  'event.follow': follow,
  'event.follow_from_now': followFromNow,
} = eventOperations

const unknownId = '0198c0de-0000-5000-8000-00000000ffff'

/** Makes an approved order whose events were delivered, and an order whose event is dead. */
async function createHistory(market: WebhookMarket) {
  const { dispatcher, receiver, world } = market
  const first = await placeAccepted(market)
  await dispatcher.dispatchDue()
  world.clock.advance(1)
  receiver.answer = answerWith(500)
  const second = await placeAccepted(market)
  await dispatcher.dispatchDue()
  await exhaustAttempts(market)
  receiver.answer = answerWith(200)
  await decide(market, first, 'approved')
  return { first, second }
}

t.test(
  'list shows all events oldest first, with their state and a count of attempts',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { service, partner } = market.world
    const start = market.world.clock.now()
    const { first, second } = await createHistory(market)
    const rows = await list.run(service, {})
    t.match(
      rows,
      exactArrays([
        {
          event_id: (await findEvent(market, first)).eventId,
          type: 'share_purchase.submitted',
          share_purchase_id: first,
          organization_id: partner.organizationId,
          state: 'delivered',
          attempts: 1,
          created_at: start,
        },
        { share_purchase_id: second, state: 'dead', attempts: 6 },
        {
          share_purchase_id: first,
          type: 'share_purchase.approved',
          state: 'pending',
          attempts: 0,
        },
      ]),
    )
    const orders = async (input: Parameters<typeof list.run>[1]) =>
      (await list.run(service, input)).map((row) => row.share_purchase_id)
    t.same(await orders({ state: 'dead' }), [second])
    t.same(await orders({ state: 'none' }), [])
    t.same(await orders({ type: 'share_purchase.approved' }), [first])
    t.same(await orders({ organization: 'Demo Bank', limit: 1 }), [first])
    t.same(await orders({ organization: 'Nordlicht Versicherung' }), [])
    const later = new Date(Date.parse(start) + 500).toISOString()
    t.same(await orders({ since: later.replace('Z', '+00:00') }), [second, first])
    t.same(await orders({ until: later }), [first])
    t.same(await count.run(service, {}), { none: 0, pending: 1, delivered: 1, dead: 1 })
    t.match(await count.run(service, { organization: 'Nordlicht Versicherung' }), { dead: 0 })
  },
)

t.test('event show has the whole history of one event', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, receiver, webhookEndpointId } = market
  const { second } = await createHistory(market)
  const { eventId, body } = await findEvent(market, second)
  const shown = await show.run(world.service, { event_id: eventId })
  t.match(
    shown,
    exactArrays({
      event_id: eventId,
      type: 'share_purchase.submitted',
      share_purchase_id: second,
      state: 'dead',
      body,
      transition: { from: null, to: 'submitted', at: shown.created_at },
      deliveries: [
        {
          webhook_endpoint_id: webhookEndpointId,
          url: receiver.url,
          state: 'dead',
          next_attempt_at: null,
          dead_because: 'attempts_used_up',
        },
      ],
      mail: { state: 'delivered', attempts: [{ status: 250, delivered: true }] },
    }),
  )
  t.equal(shown.attempts.length, 6)
  const [attempt] = shown.attempts
  t.match(attempt, {
    webhook_endpoint_id: webhookEndpointId,
    attempt_id: String,
    at: shown.created_at,
    delivered: false,
    status: 500,
    failure: 'status',
    detail: /500/,
    address: '127.0.0.1',
    first_byte_ms: Number,
    duration_ms: Number,
  })
  await removeWebhookEndpoint(world.service, webhookEndpointId)
  const after = await show.run(world.service, { event_id: eventId })
  t.match(
    after.deliveries,
    exactArrays([{ url: null }]),
    'the endpoint was removed, but its attempts are still shown',
  )
})

t.test('event show says since when an event is due', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, dispatcher, receiver } = market
  receiver.answer = answerWith(500)
  const start = world.clock.now()
  const { eventId: event_id } = await findEvent(market, await placeAccepted(market))
  const progress = async () => {
    const { deliveries, mail } = await show.run(world.service, { event_id })
    return [...deliveries, mail].map((each) => [each?.next_attempt_at, each?.due_since])
  }
  t.same(await progress(), [
    [null, start],
    [null, start],
  ])
  await dispatcher.dispatchDue()
  const [next] = (await progress())[0] ?? []
  t.ok(next && next > start)
  t.same(await progress(), [
    [next, null],
    [null, null],
  ])
  world.clock.advance(60)
  t.same((await progress())[0], [null, next])
})

t.test('replay takes an id', async (t) => {
  const market = await createWebhookMarket(t)
  const { service } = market.world
  const { first, second } = await createHistory(market)
  const { eventId: event_id } = await findEvent(market, second)
  t.match(
    await replay.run(service, { event_id }),
    exactArrays([{ event_id, replayed: 1, state: 'pending' }]),
  )
  t.match(
    await replay.run(service, { event_id }),
    exactArrays([{ event_id, replayed: 0, state: 'pending' }]),
  )
  const delivered = (await findEvent(market, first)).eventId
  const dead = await replay.run(service, { event_id: delivered, dead: true })
  t.match(dead, exactArrays([{ replayed: 0, state: 'delivered' }]), 'only dead deliveries')
  await t.rejects(replay.run(service, { event_id: unknownId }), {
    code: 'EVENT_NOT_FOUND',
    message: /coopshare event list/,
  })
})

t.test('replay takes a filter, and a dry run shows the effect', async (t) => {
  const market = await createWebhookMarket(t)
  const { service } = market.world
  const { first, second } = await createHistory(market)
  const dry = await replay.run(service, { dead: true, dry_run: true })
  t.match(dry, exactArrays([{ share_purchase_id: second, replayed: 1, state: 'dead' }]))
  const type = 'share_purchase.submitted' as const
  const both = await replay.run(service, { type, dry_run: true })
  t.match(
    both,
    exactArrays([
      { share_purchase_id: first, replayed: 1, state: 'delivered' },
      { share_purchase_id: second, replayed: 1, state: 'dead' },
    ]),
  )
  t.match(
    await replay.run(service, { dead: true, organization: 'Nordlicht Versicherung' }),
    exactArrays([]),
  )
  t.match(
    await replay.run(service, { dead: true }),
    exactArrays([{ replayed: 1, state: 'pending' }]),
  )
  t.same(await replay.run(service, { dead: true }), [])
  const everything = replay.run(service, { limit: 5 })
  await t.rejects(everything, { code: 'VALIDATION_ERROR', message: /^Select events by id/ })
})

t.test('follow continues after the last seen event', async (t) => {
  const market = await createWebhookMarket(t)
  const { service, clock } = market.world
  const organization = 'Demo Bank'
  const { first } = await createHistory(market)
  const page = await follow.run(service, { organization, limit: 2 })
  t.equal(page.length, 2)
  t.equal(page[0]?.body, (await findEvent(market, first)).body, 'with the bytes to send')
  const after = page[1]?.event_id ?? ''
  const rest = await follow.run(service, { organization, after: after.toUpperCase() })
  t.match(rest, exactArrays([{ type: 'share_purchase.approved', share_purchase_id: first }]))
  const last = rest[0]?.event_id ?? ''
  t.same(await follow.run(service, { organization, after: last }), [])
  t.equal((await follow.run(service, { organization, since: clock.now() })).length, 1)
  t.same(await follow.run(service, { organization: 'Nordlicht Versicherung' }), [])
  t.same(await followFromNow.run(service, { organization }), {
    organization_id: market.world.partner.organizationId,
    name: organization,
    since: clock.now(),
  })
  for (const input of [
    { organization, after: unknownId },
    { organization: 'Nordlicht Versicherung', after },
  ]) {
    await t.rejects(follow.run(service, input), { code: 'EVENT_NOT_FOUND' })
  }
})

t.test('the inputs of event operations are checked', async (t) => {
  for (const [input, shape] of [
    [{ state: 'lost' }, list.input],
    [{ type: 'webhook.test' }, list.input],
    [{ since: 'yesterday' }, list.input],
    [{ limit: 0 }, list.input],
    [{}, show.input],
    [{ dead: 'yes' }, replay.input],
    [{ ids: [] }, replay.input],
    [{}, follow.input],
    [{ organization: 'Demo Bank', limit: 1001 }, follow.input],
  ] as const) {
    t.ok(validate(input, shape as typeof list.input)[0], JSON.stringify(input))
  }
})
