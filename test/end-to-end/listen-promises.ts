import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { argvFor, argvTo, listen } from '../../fixtures/program/listener.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { createServedMarket } from '../../fixtures/program/served-market.ts'
import { answerWith, startReceiver } from '../../fixtures/servers/receiver.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.test('a listener that is killed before it records an answer sends the event again', async (t) => {
  const market = await createServedMarket(t)
  const { receiver } = market
  const { place } = await market.startHere()
  const first = await listen(t, argvFor(market))
  receiver.answer = (_request, response) => {
    void first.stop('SIGKILL')
    response.writeHead(200).end()
  }
  const placed = [await place()]
  await first.ended
  receiver.answer = answerWith(200)
  placed.push(await place())
  const second = await listen(t, argvFor(market))
  await until(t, () => second.lines().length === 3)
  const told = second.lines().slice(1)
  t.same(
    told.map((line) => line.share_purchase_id),
    placed,
  )
  const [before, after] = receiver.received
  t.equal(before?.event.id, after?.event.id, 'the event has the same id')
})

t.test('a listener forwards events to this machine, which the service does not call', async (t) => {
  const dataDirectory = t.testdir()
  const seed = await fillStore(dataDirectory, seedOrders(0))
  const receiver = await startReceiver(t)
  const here = ['--data-dir', dataDirectory]
  const served = await serve(t, here)
  const operator = await connectOperator(dataDirectory)
  const endpoint = { organization: seed.organizationId, url: receiver.url }
  await t.rejects(operator.call('webhook.register', endpoint))
  const listener = await listen(t, argvTo(receiver.url, ...here))
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const partner = await signIn(served.base_url, credentials)
  t.equal((await partner.order(seed.investorId, seed.cooperativeId)).status, 201)
  await until(t, () => receiver.received.length === 1)
  t.equal((await listener.stop()).code, 0)
})
