import t from 'tap'
import { collect, countTurns } from '../../../fixtures/async.ts'
import { createMarket, type Market, placeAccepted } from '../../../fixtures/world/market.ts'
import { type Copies, copyEvents } from '../../../fixtures/world/seed-events.ts'
import { register } from '../../../fixtures/world/webhook-market.ts'
import { deriveEventId } from '../../../src/domain/webhooks/event.ts'
import { listEvents } from '../../../src/usecases/webhooks/read-events.ts'
import { replayEvents } from '../../../src/usecases/webhooks/replay-events.ts'

const many = 1000

const died: Omit<Copies, 'count'> = {
  event: { deliveries: { pending: 0, delivered: 0, dead: 1 } },
  delivery: () => ({ state: 'dead', nextAttemptAt: null, deadBecause: 'attempts_used_up' }),
}

/**
 * Makes a market with the event of an order and its copies, `many` in total, without any attempt.
 */
async function marketOfMany(dead = false): Promise<Market> {
  const market = await createMarket()
  const { service } = market.world
  await register(market, 'http://127.0.0.1:9/')
  const eventId = deriveEventId(await placeAccepted(market), 'submitted')
  await copyEvents(service, eventId, { count: many - 1, ...(dead ? died : {}) })
  return market
}

t.test('other requests are served while many events are listed', async (t) => {
  const { world } = await marketOfMany()
  const counting = countTurns()
  const listed = await collect(listEvents(world.service, {}))
  const turns = counting.stop()
  t.equal(listed.length, many)
  t.ok(turns >= many / 100, `${turns} turns`)
})

t.test('other requests are served while a replay of many events is planned', async (t) => {
  const { world } = await marketOfMany(true)
  const counting = countTurns()
  const options = { onlyDead: true, dryRun: true }
  const replay = await replayEvents(world.service, { state: 'dead' }, options)
  const turns = counting.stop()
  t.match(replay, { length: many - 1 })
  const outcomes = replay.map(({ replayed, stateAfter }) => `${replayed} ${stateAfter}`)
  t.same([...new Set(outcomes)], ['2 pending'], 'to the endpoint and the investor')
  t.ok(turns >= many / 100 - 1, `${turns} turns`)
})

t.test('each of many events is listed once and in order, whatever the limit', async (t) => {
  const { world } = await marketOfMany()
  const list = async (limit?: number) =>
    (await collect(listEvents(world.service, { limit }))).map(({ owned }) => owned.event.eventId)
  const all = await list()
  t.equal(new Set(all).size, many)
  for (const limit of [1, 99, 100, 101, 200, many, many + 1]) {
    t.same(await list(limit), all.slice(0, limit), `${limit}`)
  }
})

t.test('events that are being sent count towards the limit of a replay', async (t) => {
  const { world } = await marketOfMany()
  const { organizationId: organization } = world.partner
  const rows = await replayEvents(world.service, { organization, limit: 10 }, { dryRun: true })
  t.equal(rows.length, 10)
  t.same([...new Set(rows.map(({ skipReason }) => skipReason))], ['under_way'])
})
