import t, { type Test } from 'tap'
import { anything } from '../../fixtures/builders/subject.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { place } from '../../fixtures/world/market.ts'
import { recordingMailer } from '../../fixtures/world/recorders.ts'
import {
  createWebhookMarket,
  decide,
  exhaustAttempts,
  findEvent,
  type WebhookMarket,
} from '../../fixtures/world/webhook-market.ts'
import type { ReadableRecords, Records, Store } from '../../src/ports/store.ts'
import type { Subject } from '../../src/ports/subjects.ts'
import { updateOrganization } from '../../src/usecases/organizations/organizations.ts'
import { type PurgedKind, Retention, type RetentionOptions } from '../../src/usecases/retention.ts'
import type { Service } from '../../src/usecases/service.ts'
import { purgeEvents } from '../../src/usecases/webhooks/purge-events.ts'
import { readDeliveries } from '../../src/usecases/webhooks/read-events.ts'
import { replayEvent } from '../../src/usecases/webhooks/replay-events.ts'

const day = 24 * 60 * 60
const eventSeconds = 90 * day

interface RetainedMarket extends WebhookMarket {
  readonly mailer: ReturnType<typeof recordingMailer>
  readonly counts: Record<PurgedKind, number>
  readonly retention: Retention
  /** Makes another retention, such as that of another instance or one with other settings. */
  also(options?: Partial<RetentionOptions>, service?: Service): Retention
}

async function createRetainedMarket(t: Test): Promise<RetainedMarket> {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  const { service, logger, partner } = market.world
  const { organizationId: organization } = partner
  await updateOrganization(service, { organization, investorMail: true })
  const counts = { events: 0, deliveries: 0, idempotency_records: 0 }
  const observe = (kind: PurgedKind, count: number) => {
    counts[kind] += count
  }
  const also = (options: Partial<RetentionOptions> = {}, of = service) =>
    new Retention(of, { eventSeconds, logger, observe, ...options })
  return { ...market, mailer, counts, retention: also(), also }
}

/** Places an order with a new token, so that it works at any time of the clock. */
async function placeOrder(market: WebhookMarket): Promise<string> {
  const token = await market.world.tokenWith('applications:write')
  const answer = await place(market, {}, { token })
  return answer.body.share_purchase_id
}

async function deliver(market: WebhookMarket): Promise<string> {
  const id = await placeOrder(market)
  await market.dispatcher.dispatchDue()
  return id
}

async function isThere({ world }: WebhookMarket, eventId: string): Promise<boolean> {
  const event = await world.service.store.read(({ events }) => events.get(eventId))
  return event !== undefined
}

/** Makes a service that records which events are read. */
function noteLooks(service: Service) {
  const looks: string[] = []
  const { store } = service
  const noting = {
    read: store.read.bind(store),
    write: <Result>(subject: Subject, work: (records: Records) => Promise<Result>) =>
      store.write(subject, (records) => {
        const own = records.events
        const get = (id: string) => {
          looks.push(id)
          return own.get(id)
        }
        const events = { ...own, get }
        return work(
          new Proxy(records, {
            get: (all, name) => (name === 'events' ? events : Reflect.get(all, name, all)),
          }),
        )
      }),
  }
  return { looks, service: { ...service, store: noting as Store } }
}

t.test(
  'an event and its deliveries are removed when the retention after the end of the event is over',
  async (t) => {
    const market = await createRetainedMarket(t)
    const { world, retention, counts } = market
    const event = await findEvent(market, await deliver(market))
    t.equal(event.deliveryIds.length, 2, 'a webhook and an e-mail')
    world.clock.advance(eventSeconds)
    await retention.purgeEvents()
    t.ok(await isThere(market, event.eventId), 'the event exists until that moment')
    t.equal(world.logger.lines.filter(({ message }) => message === 'purged').length, 0)
    world.clock.advance(1)
    await retention.purgeEvents()
    t.notOk(await isThere(market, event.eventId))
    t.same(await world.service.store.read((r) => readDeliveries(r, event)), [])
    t.match(counts, { events: 1, deliveries: 2 })
    t.match(world.logger.lines.at(-1), { message: 'purged', fields: { events: 1, deliveries: 2 } })
    await t.rejects(replayEvent(world.service, { eventId: event.eventId }), {
      code: 'EVENT_NOT_FOUND',
      message: /may have been purged/,
    })
  },
)

t.test('the retention of an event without deliveries begins with its creation', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, also, counts } = market
  const settings = { ...world.service.settings, investorMail: false }
  await world.service.store.write(anything, ({ webhookEndpoints }) =>
    webhookEndpoints.remove(market.webhookEndpointId),
  )
  await updateOrganization(world.service, {
    organization: world.partner.organizationId,
    investorMail: false,
  })
  const event = await findEvent(market, await placeOrder(market))
  t.same(event.deliveryIds, [])
  world.clock.advance(eventSeconds + 1)
  await also({}, { ...world.service, settings }).purgeEvents()
  t.notOk(await isThere(market, event.eventId))
  t.match(counts, { events: 1, deliveries: 0 })
})

t.test('a retention of 0 keeps events for ever, and keys are still purged', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, also, counts } = market
  const event = await findEvent(market, await deliver(market))
  world.clock.advance(36_500 * day)
  const forEver = also({ eventSeconds: 0 })
  await forEver.purgeEvents()
  await forEver.purgeKeys()
  t.ok(await isThere(market, event.eventId))
  t.equal(counts.events, 0)
})

t.test('a dead event or e-mail stays until it is replayed [D37]', async (t) => {
  for (const kind of ['webhook', 'mail'] as const) {
    const market = await createRetainedMarket(t)
    const { world, retention, mailer, receiver, dispatcher } = market
    if (kind === 'webhook') receiver.answer = answerWith(500)
    else mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
    const { eventId } = await findEvent(market, await deliver(market))
    await exhaustAttempts(market)
    world.clock.advance(eventSeconds + 1)
    await retention.purgeEvents()
    t.ok(await isThere(market, eventId), `${kind}: it stays because it is dead`)
    receiver.answer = answerWith(200)
    mailer.answer = () => ({})
    world.clock.advance(day)
    await replayEvent(world.service, { eventId, onlyDead: true })
    await dispatcher.dispatchDue()
    world.clock.advance(eventSeconds)
    await retention.purgeEvents()
    t.ok(await isThere(market, eventId), `${kind}: it ended exactly one retention period ago`)
    world.clock.advance(1)
    await retention.purgeEvents()
    t.notOk(await isThere(market, eventId), `${kind}: it is removed a second later`)
  }
})

t.test('a retained event is examined once in each retention period [D37]', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, receiver, also } = market
  receiver.answer = answerWith(500)
  const dead = await findEvent(market, await deliver(market))
  await exhaustAttempts(market)
  receiver.answer = answerWith(200)
  const young = await findEvent(market, await deliver(market))
  const { looks, service } = noteLooks(world.service)
  const retention = also({}, service)
  const look = async (seconds: number) => {
    looks.length = 0
    world.clock.advance(seconds)
    await retention.purgeEvents()
    return [...looks]
  }
  const lag = Date.parse(young.createdAt) - Date.parse(dead.createdAt)
  t.same(
    await look(eventSeconds - lag / 1000 + 1),
    [dead.eventId],
    'only events that are old enough',
  )
  for (let run = 0; run < 3; run += 1)
    t.same(await look(1), [], 'the events are not examined again')
  t.same(await look(day * 2), [young.eventId])
  t.same(await look(eventSeconds), [dead.eventId])
})

t.test('a pending event stays even if it is old', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, retention, dispatcher } = market
  const { eventId } = await findEvent(market, await placeOrder(market))
  world.clock.advance(2 * eventSeconds)
  await retention.purgeEvents()
  t.ok(await isThere(market, eventId))
  await dispatcher.dispatchDue()
  await retention.purgeEvents()
  t.ok(await isThere(market, eventId), 'the event has just been delivered')
  world.clock.advance(eventSeconds + 1)
  await retention.purgeEvents()
  t.notOk(await isThere(market, eventId))
})

t.test('two instances that also send deliveries remove each old event once', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, retention, also, counts, dispatcher } = market
  const old = await placedMany(market, 120)
  await dispatcher.dispatchDue()
  world.clock.advance(eventSeconds + 1)
  const fresh = await placedMany(market, 20)
  await Promise.all([
    retention.purgeEvents(),
    also().purgeEvents(),
    dispatcher.dispatchDue(),
    ...old.slice(0, 5).map((id) => decide(market, id, 'approved')),
  ])
  await dispatcher.dispatchDue()
  t.match(counts, { events: 120, deliveries: 240 })
  const { store } = world.service
  const states = await store.read(({ events }) => events.countByState())
  t.match(states, { delivered: 25, pending: 0, dead: 0, none: 0 }, 'all new events have arrived')
  for (const id of fresh) t.ok(await findEvent(market, id))
  const orders = await store.read(({ sharePurchases }) => sharePurchases.list({}))
  t.equal(orders.length, 140, 'orders stay')
})

async function placedMany(market: WebhookMarket, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) ids.push(await placeOrder(market))
  return ids
}

t.test('a run that is stopped ends after its batch', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, also, counts, dispatcher } = market
  await placedMany(market, 101)
  await dispatcher.dispatchDue()
  world.clock.advance(eventSeconds + 1)
  const retention: Retention = also({ pause: async () => retention.stop() })
  await retention.purgeEvents()
  t.equal(counts.events, 100)
  await also().purgeEvents()
  t.equal(counts.events, 101, 'another run continues')
})

t.test('expired keys are purged even if there are no orders', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, retention, counts } = market
  const { organizationId } = world.partner
  const expiring = async (key: string, seconds: number) => {
    const id = await placeOrder(market)
    const now = Date.parse(world.clock.now())
    const expiresAt = new Date(now + seconds * 1000).toISOString() as never
    await world.service.store.write(anything, ({ idempotencyRecords }) =>
      idempotencyRecords.put({
        organizationId,
        key,
        expiresAt,
        sharePurchaseId: id,
        encryptedRequestDigest: world.service.vault.encrypt('digest'),
      }),
    )
  }
  await expiring('soon', 60)
  await expiring('later', 120)
  const find = (key: string) =>
    world.service.store.read((r: ReadableRecords) => r.idempotencyRecords.get(organizationId, key))
  await retention.purgeKeys()
  t.equal(counts.idempotency_records, 0)
  world.clock.advance(60)
  await retention.purgeKeys()
  t.equal(await find('soon'), undefined)
  t.ok(await find('later'))
  t.equal(counts.idempotency_records, 1)
  t.match(world.logger.lines.at(-1), { message: 'purged', fields: { idempotency_records: 1 } })
})

t.test(
  'an operator can remove finished or dead events, and first sees their number [D37]',
  async (t) => {
    const market = await createRetainedMarket(t)
    const { world, receiver, mailer } = market
    const { service, clock } = world
    receiver.answer = answerWith(500)
    const dead = await findEvent(market, await deliver(market))
    await exhaustAttempts(market)
    receiver.answer = answerWith(200)
    mailer.answer = () => ({ status: 550, failure: 'mail_refused', isFinal: true })
    const deadMail = await findEvent(market, await deliver(market))
    mailer.answer = () => ({})
    const finished = await findEvent(market, await deliver(market))
    const pending = await findEvent(market, await placeOrder(market))
    clock.advance(1)
    const before = clock.now()
    const late = await findEvent(market, await placeOrder(market))
    const { organizationId } = world.partner
    const ask = (purge: object) => purgeEvents(service, { before, ...purge })
    t.same(await ask({ dryRun: true }), { events: 1, deliveries: 2 })
    t.same(await ask({ dryRun: true, dead: true }), { events: 3, deliveries: 6 })
    t.same(await ask({ organization: world.otherPartner.organizationId }), {
      events: 0,
      deliveries: 0,
    })
    t.same(await ask({ before: dead.createdAt, dead: true }), { events: 0, deliveries: 0 })
    for (const { eventId } of [dead, deadMail, finished]) t.ok(await isThere(market, eventId))
    t.same(await ask({ organization: organizationId }), { events: 1, deliveries: 2 })
    t.notOk(await isThere(market, finished.eventId))
    t.same(await ask({ dead: true }), { events: 2, deliveries: 4 })
    for (const { eventId } of [pending, late]) t.ok(await isThere(market, eventId))
    await market.dispatcher.dispatchDue()
    t.same(await ask({}), { events: 1, deliveries: 2 }, 'after the event has been delivered')
    await t.rejects(ask({ organization: 'unknown' }), { code: 'ORGANIZATION_NOT_FOUND' })
  },
)

t.test('a purge of many events skips events that stay', async (t) => {
  const market = await createRetainedMarket(t)
  const { world, mailer, dispatcher } = market
  let mails = 0
  mailer.answer = () =>
    mails++ % 2 === 0 ? {} : { status: 550, failure: 'mail_refused', isFinal: true }
  await placedMany(market, 250)
  await dispatcher.dispatchDue()
  world.clock.advance(1)
  const before = world.clock.now()
  t.same(await purgeEvents(world.service, { before, dryRun: true }), {
    events: 125,
    deliveries: 250,
  })
  t.same(await purgeEvents(world.service, { before }), { events: 125, deliveries: 250 })
  t.same(await purgeEvents(world.service, { before }), { events: 0, deliveries: 0 })
  t.same(await purgeEvents(world.service, { before, dead: true }), { events: 125, deliveries: 250 })
})
