import type { ServerResponse } from 'node:http'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { createInstances, type Instance } from '../../fixtures/program/served-instances.ts'
import { startReceiver } from '../../fixtures/servers/receiver.ts'

/**
 * Another instance takes over when the leases of the stopped instance end, which takes longer on a
 * busy machine.
 */
const patienceMs = 90_000
const count = 20

t.test('a suspended instance does not repeat events that another instance has sent', async (t) => {
  const flags = ['--data-dir', '/var/lib/coopshare-$port', '--no-investor-mail']
  const { seed, start } = await createInstances(t, flags)
  const stopped = await start()
  const receiver = await startReceiver(t)
  const idsOf = () => receiver.received.map(({ event }): string => event.id)
  const held: ServerResponse[] = []
  receiver.answer = (_request, response) => void held.push(response)
  const { organizationId: organization, investorId, cooperativeId } = seed
  await stopped.operator.call('webhook.register', { organization, url: receiver.url })
  const placeAt = async ({ partner }: Instance) => {
    const { status } = await partner.order(investorId, cooperativeId)
    t.equal(status, 201)
  }

  for (let placed = 0; placed < count; placed += 1) await placeAt(stopped)
  await until(t, () => held.length > 0)
  process.kill(stopped.served.pid, 'SIGSTOP')
  const other = await start()
  const onTheWire = idsOf()
  receiver.answer = (_request, response) => response.writeHead(204).end()
  // Half of the requests get answers, which the suspended instance cannot read.
  for (const response of held.splice(0, held.length / 2)) response.writeHead(204).end()
  await until(t, () => new Set(idsOf()).size === count, patienceMs)
  await until(t, () => idsOf().length >= count + onTheWire.length, patienceMs)

  process.kill(stopped.served.pid, 'SIGCONT')
  for (let placed = 0; placed < count; placed += 1) {
    await placeAt(placed % 2 ? stopped : other)
  }
  await until(t, () => new Set(idsOf()).size === 2 * count, patienceMs)
  const states = async () => {
    const events = await other.operator.call('event.list', {})
    return new Set(events.map(({ state }) => state))
  }
  await until(t, async () => (await states()).size === 1, patienceMs)
  const timesOf = (id: string) => idsOf().filter((other) => other === id).length
  const twice = [...new Set(idsOf())].filter((id) => timesOf(id) > 1)
  t.strictSame(
    twice.sort(),
    onTheWire.sort(),
    'only events that were already on the network are sent again',
  )
  t.ok(twice.every((id) => timesOf(id) === 2))

  const events = await other.operator.call('event.list', {})
  t.equal(events.length, 2 * count)
  for (const { event_id } of events) {
    const { deliveries, attempts } = await other.operator.call('event.show', { event_id })
    t.equal(deliveries[0]?.state, 'delivered')
    t.equal(attempts.filter(({ delivered }) => delivered).length, 1, 'recorded once')
  }
  for (const { served } of [stopped, other]) t.match(await served.stop(), { code: 0 })
})
