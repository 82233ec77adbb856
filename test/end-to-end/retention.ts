import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { argvFor, listen } from '../../fixtures/program/listener.ts'
import { createServedMarket, type ServedMarket } from '../../fixtures/program/served-market.ts'

function ordersOf({ receiver }: ServedMarket): string[] {
  return receiver.received.map(({ event }) => event.data.share_purchase_id)
}

t.test('serve removes old finished events and counts them', async (t) => {
  const market = await createServedMarket(t)
  const first = await market.start()
  await first.register()
  await first.place()
  await until(t, async () => (await first.operator.call('event.count', {})).delivered === 1)
  await first.served.stop()
  const [delivered] = market.receiver.received
  if (!delivered) return t.fail('nothing arrived')
  await until(t, () => Date.parse(delivered.event.created_at) + 1500 < Date.now())
  const kept = await market.start('--event-retention', '0')
  const before = await kept.operator.metric('coopshare_purged_total')
  t.equal(before.get('{kind="events"}'), 0)
  t.equal((await kept.operator.call('event.list', {})).length, 1, '0 keeps it')
  await kept.served.stop()
  const { operator } = await market.start('--event-retention', '1s')
  await until(t, async () => (await operator.call('event.list', {})).length === 0)
  await until(t, async () => {
    const purged = await operator.metric('coopshare_purged_total')
    return purged.get('{kind="events"}') === 1 && purged.get('{kind="deliveries"}') === 2
  })
})

t.test('listen resumes when its last event has been purged', async (t) => {
  const market = await createServedMarket(t)
  const { place, operator } = await market.start()
  const before = await listen(t, argvFor(market))
  const seen = [await place(), await place()]
  await until(t, () => before.lines().length === 3)
  await before.stop()
  let purged = 0
  await until(t, async () => {
    const { events } = await operator.call('event.purge', { before: new Date().toISOString() })
    purged += events
    return purged === 2
  })
  const unseen = await place()
  const after = await listen(t, argvFor(market))
  await until(t, () => after.lines().length === 2)
  t.same(ordersOf(market), [...seen, unseen], 'only events that the listener has not seen')
  t.match(after.stderr(), /has been purged. Continuing with the events since 2/)
  const next = await place()
  await until(t, () => after.lines().length === 3)
  t.same(ordersOf(market), [...seen, unseen, next])
})
