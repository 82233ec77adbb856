import t from 'tap'
import { argvFor, argvTo, listen } from '../../fixtures/listener.ts'
import { operate } from '../../fixtures/operator-client.ts'
import { signIn } from '../../fixtures/partner-client.ts'
import { answerWith, startReceiver } from '../../fixtures/receiver.ts'
import { fillStore } from '../../fixtures/run-command.ts'
import { seedOrders } from '../../fixtures/seed-orders.ts'
import { serve } from '../../fixtures/served.ts'
import { createServedMarket } from '../../fixtures/served-market.ts'
import { until } from '../../fixtures/until.ts'

t.test(
  'killed between the answer and the note of it, a listener sends the event again',
  async (t) => {
    const market = await createServedMarket(t)
    const { receiver } = market
    const { place } = await market.start()
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
    t.equal(before?.event.id, after?.event.id, 'to be recognised by its id')
  },
)

t.test(
  'a listener forwards to this machine, where the service sends to public addresses only',
  async (t) => {
    const dataDirectory = t.testdir()
    const seed = await fillStore(dataDirectory, seedOrders(0))
    const receiver = await startReceiver(t)
    const here = ['--data-dir', dataDirectory]
    const served = await serve(t, here)
    const operator = await operate(dataDirectory)
    const endpoint = { organization: seed.organizationId, url: receiver.url }
    await t.rejects(operator.call('webhook.register', endpoint))
    const listener = await listen(t, argvTo(receiver.url, ...here))
    const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
    const partner = await signIn(served.base_url, credentials)
    t.equal((await partner.order(seed.investorId, seed.cooperativeId)).status, 201)
    await until(t, () => receiver.received.length === 1)
    t.equal((await listener.stop()).code, 0)
  },
)
