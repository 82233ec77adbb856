import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import {
  deliveryRecord,
  endpointRecord,
  eventRecord,
  minutesAfterNoon,
  noon,
  retryRecord,
} from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { type StoreEngine, storeEngines } from '../../fixtures/stores/engines.ts'
import type { Delivery } from '../../src/domain/webhooks/delivery.ts'
import type { Event } from '../../src/domain/webhooks/event.ts'
import {
  type ReadableRecords,
  type Records,
  type Store,
  UniquenessError,
} from '../../src/ports/store.ts'
import type { EventFilter } from '../../src/ports/webhook-records.ts'

for (const engine of storeEngines) {
  t.test(`webhooks in a store ${engine.name}`, async (t) => {
    await t.test('webhook endpoints can be listed, changed and removed', (t) =>
      testEndpoints(t, engine),
    )
    await t.test('an organization registers each URL once', (t) => testUrls(t, engine))
    await t.test('a list inside a write includes the endpoints that the write has put', (t) =>
      testOwnPuts(t, engine),
    )
    await t.test('events are listed oldest first by every filter', (t) => testEvents(t, engine))
    await t.test('events are followed in the order of their creation', (t) => testFollow(t, engine))
    await t.test('a long event log can be listed from any time', (t) => testLongLog(t, engine))
    await t.test('deliveries are counted and found by their state', (t) =>
      testDeliveries(t, engine),
    )
    await t.test('an e-mail saved as a file is counted separately [D39]', (t) =>
      testWrittenMails(t, engine),
    )
    await t.test('many deliveries are read together', (t) => testManyDeliveries(t, engine))
    await t.test('dead e-mails are found oldest first by every filter', (t) =>
      testDeadMails(t, engine),
    )
    await t.test('after a restart no webhook record has changed', (t) => testRestart(t, engine))
  })
}

async function testEndpoints(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const number of [3, 1, 2]) await put(store, (r) => r.webhookEndpoints.put(endpoint(number)))
  await put(store, (r) =>
    r.webhookEndpoints.put(endpoint(4, { organizationId: 'org-2', url: endpoint(1).url })),
  )
  const ids = async (organizationId: string) =>
    (await look(store, (r) => r.webhookEndpoints.listByOrganization(organizationId))).map(
      ({ webhookEndpointId }) => webhookEndpointId,
    )
  t.same(await ids('org-1'), ['endpoint-3', 'endpoint-1', 'endpoint-2'], 'oldest first')
  t.same(await ids('org-2'), ['endpoint-4'])
  t.same(await ids('org-3'), [])
  t.equal((await look(store, (r) => r.webhookEndpoints.list())).length, 4)
  const changed = endpoint(1, { updatedAt: minutesAfterNoon(1) })
  await put(store, (r) => r.webhookEndpoints.put(changed))
  await put(store, (r) => r.webhookEndpoints.remove('endpoint-3'))
  t.same(await ids('org-1'), ['endpoint-1', 'endpoint-2'])
  t.same(await look(store, (r) => r.webhookEndpoints.get('endpoint-1')), changed)
  t.equal(await look(store, (r) => r.webhookEndpoints.get('endpoint-3')), undefined)
}

async function testUrls(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const { url } = endpoint(1)
  await put(store, (r) => r.webhookEndpoints.put(endpoint(1)))
  const again = put(store, (r) => r.webhookEndpoints.put(endpoint(2, { url })))
  await t.rejects(again, new UniquenessError('url'))
  await put(store, (r) => r.webhookEndpoints.remove('endpoint-1'))
  await put(store, (r) => r.webhookEndpoints.put(endpoint(2, { url })))
}

async function testOwnPuts(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const number of [1, 2]) await put(store, (r) => r.webhookEndpoints.put(endpoint(number)))
  await store.write(anything, async ({ webhookEndpoints }) => {
    await webhookEndpoints.put(endpoint(3))
    await webhookEndpoints.put(endpoint(4, { organizationId: 'org-2' }))
    await webhookEndpoints.put(endpoint(2, { url: 'https://hooks.example/new' }))
    await webhookEndpoints.remove('endpoint-1')
    const listed = await webhookEndpoints.listByOrganization('org-1')
    t.same(
      listed.map(({ url }) => url),
      ['https://hooks.example/new', endpoint(3).url],
    )
  })
}

async function testEvents(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const dead = { deliveries: { pending: 1, delivered: 1, dead: 1 } }
  const delivered = { deliveries: { pending: 0, delivered: 1, dead: 0 } }
  await put(store, (r) => r.events.put(eventRecord(5, dead)))
  await put(store, (r) => r.events.put(eventRecord(2, { type: 'share_purchase.settled' })))
  await put(store, (r) => r.events.put(eventRecord(3, { ...delivered, organizationId: 'org-2' })))
  await put(store, (r) => r.events.put(eventRecord(1)))
  await put(store, (r) => r.events.put(eventRecord(4, { organizationId: 'org-2', ...dead })))
  await put(store, (r) => r.events.put(eventRecord(1, dead)))
  const rows: [EventFilter, number[]][] = [
    [{}, [1, 2, 3, 4, 5]],
    [{ limit: 2 }, [1, 2]],
    [{ organizationId: 'org-1' }, [1, 2, 5]],
    [{ organizationId: 'org-3' }, []],
    [{ state: 'dead' }, [1, 4, 5]],
    [{ state: 'none' }, [2]],
    [{ state: 'delivered' }, [3]],
    [{ state: 'dead', organizationId: 'org-1', limit: 1 }, [1]],
    [{ type: 'share_purchase.settled' }, [2]],
    [{ type: 'share_purchase.submitted', isNewestFirst: true, limit: 3 }, [5, 4, 3]],
    [{ type: 'share_purchase.submitted', after: 'event-3' }, [4, 5]],
    [{ type: 'share_purchase.submitted', state: 'dead', organizationId: 'org-2' }, [4]],
    [{ since: minutesAfterNoon(3) }, [3, 4, 5]],
    [{ until: minutesAfterNoon(3) }, [1, 2]],
    [{ since: minutesAfterNoon(2), until: minutesAfterNoon(5), state: 'dead' }, [4]],
    [{ since: minutesAfterNoon(6) }, []],
    [{ after: 'event-2' }, [3, 4, 5]],
    [{ after: 'event-2', limit: 1 }, [3]],
    [{ after: 'event-2', organizationId: 'org-1' }, [5]],
    [{ after: 'event-1', state: 'dead', until: minutesAfterNoon(5) }, [4]],
    [{ after: 'event-3', state: 'dead', organizationId: 'org-2' }, [4]],
    [{ after: 'event-5' }, []],
    [{ after: 'event-9' }, []],
  ]
  for (const [filter, expected] of rows) {
    const found = await look(store, (r) => r.events.list(filter))
    t.same(minutesOf(found), expected, JSON.stringify(filter))
  }
  const counts = { none: 1, pending: 0, delivered: 1, dead: 3 }
  t.same(await look(store, (r) => r.events.countByState()), counts)
  const upToTwo = await look(store, (r) => r.events.countByState({ limit: 2 }))
  t.same(upToTwo, { ...counts, dead: 2 })
  t.match(await look(store, (r) => r.events.countByState({ organizationId: 'org-2' })), {
    dead: 1,
    none: 0,
  })
}

async function testFollow(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  for (const minute of [3, 1, 2, 5])
    await put(store, (r) => r.events.put(eventRecord(minute, organizationOf(minute))))
  const after = async (id: string | undefined, limit = 10) =>
    minutesOf(
      await look(store, (r) => r.events.listAfter({ organizationId: 'org-1', after: id, limit })),
    )
  await logged(t, store, 3)
  t.same(await after(undefined), [3, 1, 5], 'even if a clock was set back in between')
  t.same(await after(undefined, 1), [3])
  t.same(await after('event-3'), [1, 5])
  t.same(await after('event-5'), [])
  t.same(await after('event-9'), [], 'after one that is not there')
  for (const [minute, expected] of [
    [1, [3, 1, 5]],
    [2, [3, 1, 5]],
    [3, [3, 1, 5]],
    [4, [5]],
    [6, []],
  ] as const) {
    const since = minutesAfterNoon(minute)
    const begun = { organizationId: 'org-1', after: undefined, since, limit: 10 }
    const found = minutesOf(await look(store, (r) => r.events.listAfter(begun)))
    t.same(found, expected, `from the first event that is not before ${minute}`)
  }
}

async function testLongLog(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const minutes = Array.from({ length: 2000 }, (_, index) => index)
  await store.write(anything, async ({ events }) => {
    for (const minute of minutes) await events.put(eventRecord(minute))
  })
  await logged(t, store, minutes.length)
  for (const minute of [0, 1, 255, 256, 511, 512, 513, 1023, 1024, 1536, 1998]) {
    const expected = [minute, minute + 1]
    const since = { since: minutesAfterNoon(minute), limit: 2 }
    t.same(minutesOf(await look(store, (r) => r.events.list(since))), expected, `from ${minute} on`)
    const begun = { organizationId: 'org-1', after: undefined, ...since }
    t.same(minutesOf(await look(store, (r) => r.events.listAfter(begun))), expected)
    const after = { organizationId: 'org-1', after: `event-${minute - 1}`, limit: 2 }
    if (minute === 0) continue
    t.same(minutesOf(await look(store, (r) => r.events.list(after))), expected)
    t.same(minutesOf(await look(store, (r) => r.events.listAfter(after))), expected)
  }
  await testSameInstant(t, store)
  const last = { since: minutesAfterNoon(1999) }
  t.same(minutesOf(await look(store, (r) => r.events.list(last))), [1999])
}

async function testSameInstant(t: Test, store: Store) {
  const names = ['c', 'a', 'b']
  for (const eventId of names) await put(store, (r) => r.events.put(eventRecord(-1, { eventId })))
  const found = async (after: string) => {
    const filter = { after, until: minutesAfterNoon(0) }
    return (await look(store, (r) => r.events.list(filter))).map(({ eventId }) => eventId)
  }
  t.same(await found('c'), ['a', 'b'], 'events of the same instant, in the order of creation')
  t.same(await found('a'), ['b'])
}

async function testDeliveries(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const finished = { nextAttemptAt: null }
  await store.write(anything, async ({ deliveries }) => {
    await deliveries.put(deliveryRecord(2))
    await deliveries.put(deliveryRecord(1))
    await deliveries.put(deliveryRecord(3, { orderingKey: 'another' }))
    await deliveries.put(deliveryRecord(4, { state: 'dead', ...finished }))
    await deliveries.put(deliveryRecord(5, { state: 'delivered', ...finished }))
    await deliveries.put(deliveryRecord(6, { target: { kind: 'mail' } }))
  })
  await store.read(async ({ deliveries }) => {
    t.same(
      await deliveries.get('delivery-5'),
      deliveryRecord(5, { state: 'delivered', ...finished }),
    )
    t.equal(await deliveries.get('delivery-9'), undefined)
    const unfinished = await deliveries.listPending('endpoint-1', 10)
    t.same(unfinished.map(({ deliveryId }) => deliveryId).sort(), [
      'delivery-1',
      'delivery-2',
      'delivery-3',
    ])
    t.equal((await deliveries.listPending('endpoint-1', 2)).length, 2)
    t.equal((await deliveries.listPending('mail-3', 10)).length, 0)
    const counts = { waiting: 1, pending: 2, delivered: 1, dead: 1, written: 0 }
    t.same(await deliveries.countByState('webhook'), counts)
    t.match(await deliveries.countByState('mail'), { pending: 1, dead: 0 })
    t.equal(
      (await deliveries.findOldestPending('webhook'))?.deliveryId,
      'delivery-2',
      'the other delivery waits',
    )
    t.equal((await deliveries.findOldestPending('mail'))?.deliveryId, 'delivery-6')
  })
}

async function testWrittenMails(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const {
    attempts: [failed],
  } = retryRecord(1)
  if (!failed) throw new Error('The record has an attempt.')
  const sent = { ...failed, status: 250, failure: null }
  const put = (minute: number, attempts: Delivery['attempts'], kind: 'mail' | 'webhook' = 'mail') =>
    putDelivery(
      store,
      deliveryRecord(minute, {
        ...(kind === 'mail' && { target: { kind } }),
        state: 'delivered',
        nextAttemptAt: null,
        attempts,
      }),
    )
  await put(1, [{ ...sent, written: true }])
  await put(2, [failed, { ...sent, written: true }])
  await put(3, [sent])
  await put(4, [{ ...sent, status: null }])
  await put(5, [sent], 'webhook')
  const countsOf = (kind: 'mail' | 'webhook') =>
    look(store, ({ deliveries }) => deliveries.countByState(kind))
  const none = { waiting: 0, pending: 0, dead: 0 }
  t.strictSame({ ...(await countsOf('mail')) }, { ...none, delivered: 2, written: 2 })
  t.strictSame({ ...(await countsOf('webhook')) }, { ...none, delivered: 1, written: 0 })
}

async function testDeadMails(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const dead = { target: { kind: 'mail' }, state: 'dead', nextAttemptAt: null } as const
  await putDelivery(store, deliveryRecord(4, dead))
  await putDelivery(store, deliveryRecord(1, dead))
  await putDelivery(store, deliveryRecord(2, { ...dead, organizationId: 'org-2' }))
  await putDelivery(store, deliveryRecord(3, { ...dead, target: deliveryRecord(3).target }))
  await putDelivery(store, deliveryRecord(5, { ...dead, state: 'delivered' }))
  await putDelivery(store, deliveryRecord(6, { target: { kind: 'mail' } }))
  const settled = { type: 'share_purchase.settled' } as const
  await putDelivery(store, deliveryRecord(7, dead), settled)
  const found = async (filter: Omit<EventFilter, 'state'>) =>
    minutesOf(await look(store, (r) => r.events.listWithDeadMail(filter)))
  t.same(await found({}), [1, 2, 4, 7])
  t.same(await found({ limit: 2 }), [1, 2])
  t.same(await found({ after: 'event-1' }), [2, 4, 7])
  t.same(await found({ after: 'event-2', organizationId: 'org-1', limit: 1 }), [4])
  t.same(await found({ after: 'event-7' }), [])
  t.same(await found({ after: 'event-3' }), [], 'after one without an e-mail')
  t.same(await found({ after: 'event-9' }), [], 'after one that is not there')
  t.same(await found({ ...settled, limit: 1 }), [7])
  t.same(await found({ organizationId: 'org-1' }), [1, 4, 7])
  t.same(await found({ organizationId: 'org-3' }), [])
  t.same(await found({ since: minutesAfterNoon(2) }), [2, 4, 7])
  t.same(await found({ organizationId: 'org-1', until: minutesAfterNoon(4) }), [1])
  const again = { ...dead, state: 'pending', nextAttemptAt: minutesAfterNoon(9) } as const
  await putDelivery(store, deliveryRecord(1, again))
  t.same(await found({}), [2, 4, 7], 'without deliveries that are sent again')
  t.same(await found({ after: 'event-1' }), [2, 4, 7], 'their place in the list is still known')
}

/** Puts a delivery and its event. */
function putDelivery(store: Store, delivery: Delivery, fields: Partial<Event> = {}) {
  const { createdAt, deliveryId, eventId, organizationId } = delivery
  const event = { eventId, organizationId, createdAt, deliveryIds: [deliveryId], ...fields }
  return store.write(anything, async ({ events, deliveries }) => {
    await events.put(eventRecord(0, event))
    await deliveries.put(delivery)
  })
}

async function testManyDeliveries(t: Test, engine: StoreEngine) {
  const { store } = await engine.open(t)
  const names = [1, 2, 3].map((minute) => `delivery-${minute}`)
  await store.write(anything, async ({ deliveries }) => {
    for (const minute of [1, 2, 3]) await deliveries.put(deliveryRecord(minute))
  })
  const found = async (ids: readonly string[]) => {
    const many = await look(store, ({ deliveries }) =>
      Promise.all(ids.map((id) => deliveries.get(id))),
    )
    return many.filter((delivery) => delivery !== undefined)
  }
  t.same(await found(names.slice(1)), [deliveryRecord(2), deliveryRecord(3)])
  t.same(await found(['delivery-3', 'none', 'a "quoted" \\ one']), [deliveryRecord(3)])
  t.same(await found([]), [])
  const changed = deliveryRecord(1, { attemptsInRound: 1 })
  await store.write(anything, async ({ deliveries }) => {
    await deliveries.put(changed)
    t.same(await deliveries.get('delivery-1'), changed, 'inside a write, as the write has put it')
  })
}

async function testRestart(t: Test, engine: StoreEngine) {
  const { store, reopen } = await engine.open(t)
  if (!reopen) return t.pass('this storage engine stores nothing durably')
  for (const minute of [3, 1]) {
    await store.write(anything, async (records) => {
      await records.webhookEndpoints.put(endpoint(minute))
      await records.events.put(eventRecord(minute))
      await records.deliveries.put(deliveryRecord(minute))
    })
  }
  await logged(t, store, 2)
  const everything = async (records: ReadableRecords) => [
    await records.webhookEndpoints.listByOrganization('org-1'),
    await records.events.list({}),
    await records.events.listAfter({ organizationId: 'org-1', after: undefined, limit: 9 }),
    await records.deliveries.listPending('endpoint-1', 9),
  ]
  const before = await store.read(everything)
  t.same(await (await reopen()).read(everything), before)
}

function endpoint(number: number, fields = {}) {
  const url = `https://hooks.example/${number}`
  return endpointRecord({ webhookEndpointId: `endpoint-${number}`, url, ...fields })
}

function organizationOf(minute: number) {
  return { organizationId: minute === 2 ? 'org-2' : 'org-1' }
}

function minutesOf(events: readonly { readonly createdAt: string }[]): number[] {
  return events.map(({ createdAt }) => (Date.parse(createdAt) - Date.parse(noon)) / 60_000)
}

function put(store: Store, work: (records: Records) => Promise<unknown>): Promise<unknown> {
  return store.write(anything, work)
}

/**
 * Waits for the events to appear in the log. In a database the log ends before the oldest write in
 * progress, which may belong to another test.
 */
async function logged(t: Test, store: Store, count: number): Promise<void> {
  const whole = { organizationId: 'org-1', after: undefined, limit: count }
  await until(t, async () => {
    const log = await look(store, (r) => r.events.listAfter(whole))
    return log.length === count
  })
}

function look<Result>(store: Store, work: (records: ReadableRecords) => Promise<Result>) {
  return store.read(work)
}
