import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import {
  createDatabase,
  isAnyoneWaiting,
  stopServer,
} from '../../../fixtures/postgres/databases.ts'
import { answerWith } from '../../../fixtures/servers/receiver.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  deliveriesOf,
  findEvent,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { leaseSeconds } from '../../../src/adapters/postgres/receiver-leases.ts'

t.teardown(stopServer)

/**
 * Opens a market with a dispatcher that has leases in a database, and with functions that act as
 * another instance.
 */
async function openMarket(t: Test) {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore(options)
  const sql = postgres(options.url, { max: 2, onnotice: () => {} })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  return { market: await createWebhookMarket(t, { store }), sql }
}

/** Ends all leases, as if another instance had taken the receivers. */
async function endLeases(t: Test, sql: postgres.Sql): Promise<void> {
  const ended =
    await sql`update receiver_leases set owner = 'another', until = now() + interval '1 minute'
    where receiver not like 'instance %' returning receiver`
  t.ok(ended.length > 0, 'there were leases')
}

async function giveBack(sql: postgres.Sql): Promise<void> {
  await sql`delete from receiver_leases where owner = 'another'`
}

async function deliveryOf(market: WebhookMarket, id: string) {
  const [delivery] = await deliveriesOf(market, await findEvent(market, id))
  return delivery
}

const untouched = { state: 'pending', attemptsInRound: 0, attempts: { length: 0 } } as const

async function deliver(t: Test, market: WebhookMarket, id: string): Promise<void> {
  await until(t, async () => {
    await market.dispatcher.dispatchDue()
    return (await deliveryOf(market, id))?.state === 'delivered'
  })
}

t.test(
  'when a lease ends, deliveries in progress are cut off and nothing is recorded',
  async (t) => {
    const { market, sql } = await openMarket(t)
    const { receiver, dispatcher, dispatched } = market
    let cutOff = 0
    receiver.answer = (_request, response) => response.on('close', () => (cutOff += 1))
    const id = await placeAccepted(market)
    const dispatching = dispatcher.dispatchDue()
    await until(t, () => receiver.received.length === 1)
    await dispatcher.renewLeases()
    t.equal(cutOff, 0, 'the delivery continues while its lease is renewed')
    await endLeases(t, sql)
    await dispatcher.renewLeases()
    await dispatching
    await until(t, () => cutOff === 1)
    t.match(await deliveryOf(market, id), untouched)
    t.same(
      dispatched.filter(({ kind }) => kind === 'webhook'),
      [],
      'it does not count as a fault of the service',
    )
    await giveBack(sql)
    receiver.answer = answerWith(200)
    await deliver(t, market, id)
    t.match(await deliveryOf(market, id), { attemptsInRound: 1 })
  },
)

t.test('deliveries fetched under a lease are not sent after it ended', async (t) => {
  const { market, sql } = await openMarket(t)
  const { receiver, dispatcher } = market
  const id = await placeAccepted(market)
  // The lock lets reads find the deliveries, but not their events, until the lease has ended.
  const standing = await sql.reserve()
  await standing`begin`
  await standing`lock table events in access exclusive mode`
  const dispatching = dispatcher.dispatchDue()
  await until(t, () => isAnyoneWaiting(sql))
  await endLeases(t, sql)
  await pause(leaseSeconds * 1000)
  await standing`commit`
  standing.release()
  await dispatching
  t.equal(receiver.received.length, 0)
  t.match(await deliveryOf(market, id), untouched)
  await giveBack(sql)
  await deliver(t, market, id)
  t.equal(receiver.received.length, 1)
})
