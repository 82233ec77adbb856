import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { type Receiver, startReceiver } from '../../fixtures/receiver.ts'
import { createInstances, type Instance, type Instances } from '../../fixtures/served-instances.ts'
import { until } from '../../fixtures/until.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'

/** Of a claim: what an instance had in hand when it was killed is free after that. */
const leaseMs = 30_000
/** Until the next attempt, when the one after that met with a fault of ours, such as a database that is just coming back. */
const faultMs = 30_000
const patienceMs = leaseMs + faultMs + 30_000

/** Notes which events are told by two at once, and keeps answers back while it is told to. */
function watchDeliveries(receiver: Receiver) {
  const underWay = new Set<string>()
  const watched = { twice: [] as string[], held: [] as ServerResponse[], isHolding: false }
  receiver.answer = (_request, response) => {
    const id: string = receiver.received.at(-1)?.event.id
    if (underWay.has(id)) watched.twice.push(id)
    underWay.add(id)
    response.on('close', () => underWay.delete(id))
    if (watched.isHolding) watched.held.push(response)
    else setTimeout(() => response.writeHead(204).end(), 20)
  }
  return watched
}

async function place({ partner }: Instance, { seed }: Instances): Promise<string> {
  const { status, body } = await partner.order(seed.investorId, seed.cooperativeId)
  if (status !== 201) throw new Error(`The order was not placed: ${JSON.stringify(body)}`)
  return body.share_purchase_id
}

async function settle({ operator }: Instance, share_purchase_id: string): Promise<void> {
  await operator.call('purchase.approve', { share_purchase_id })
  await operator.call('purchase.settle', { share_purchase_id })
}

function requireOrder(t: Test, { received }: Receiver, placed: readonly string[]): void {
  for (const id of placed) {
    const told = received.filter(({ event }) => event.data.share_purchase_id === id)
    const types: string[] = told.map(({ event }) => event.type)
    // What was under way when its sender was killed comes again.
    const steps = types.filter((type, index) => type !== types[index - 1])
    t.match(steps, withLengths([/submitted$/, /approved$/, /settled$/]), `${id}: ${types}`)
    t.equal(steps.length, 3)
  }
}

t.test('an instance is killed in the middle of deliveries: all events arrive', async (t) => {
  const instances = await createInstances(t)
  const { seed, start, database } = instances
  const receiver = await startReceiver(t)
  const watched = watchDeliveries(receiver)
  const all = await Promise.all([start(), start(), start()])
  const [killed, second, third] = all
  const { organizationId: organization } = seed
  await killed.operator.call('webhook.register', { organization, url: receiver.url })
  const arrived = () => new Set(receiver.received.map(({ event }) => event.id)).size

  const placed: string[] = []
  const work = async (instance: Instance, other: Instance) => {
    for (let order = 0; order < 10; order += 1) {
      const id = await place(instance, instances)
      placed.push(id)
      await settle(other, id)
    }
  }
  await Promise.all([work(killed, second), work(second, third), work(third, killed)])
  await until(t, () => arrived() === placed.length * 3, patienceMs)
  t.equal(receiver.received.length, placed.length * 3, 'each of them once')

  watched.isHolding = true
  const inHand = await Promise.all([1, 2, 3, 4].map(() => place(killed, instances)))
  await until(t, () => watched.held.length === inHand.length)
  await killed.served.stop('SIGKILL')
  await until(t, () => watched.held.some(({ destroyed }) => destroyed))
  watched.isHolding = false
  for (const response of watched.held) response.writeHead(204).end()
  await database.crash()
  await database.start()
  const isThere = async ({ served }: Instance) =>
    // biome-ignore lint/style/noRestrictedGlobals: the contract is that of partners, and this is for those who operate.
    (await fetch(`${served.listening_url}/readyz`)).status === 200
  await until(t, async () => (await isThere(second)) && (await isThere(third)))
  await Promise.all(inHand.map((id) => settle(third, id)))
  placed.push(...inHand)
  await until(t, () => arrived() === placed.length * 3, patienceMs)
  t.strictSame(watched.twice, [], 'none was sent by two at once')
  requireOrder(t, receiver, placed)
  for (const { served } of [second, third]) t.match(await served.stop(), { code: 0 })
})
