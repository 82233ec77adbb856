import { stat } from 'node:fs/promises'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { argvFor, argvTo, listen } from '../../fixtures/program/listener.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { createServedMarket, settle } from '../../fixtures/program/served-market.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'
import { answerWith, startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'

t.test('events arrive on this machine signed, in order and byte for byte', async (t) => {
  const market = await createServedMarket(t)
  const { receiver } = market
  const running = await market.startHere()
  await running.place()
  const listener = await listen(t, argvFor(market))
  const { signing_secret, cursor_file } = listener.lines()[0]
  const placed = [await running.place(), await running.place()]
  await until(t, () => receiver.received.length === 2)
  for (const id of placed) await settle(running, id)
  await until(t, () => listener.lines().length === 7)
  for (const id of placed) {
    const own = receiver.received.filter(({ event }) => event.data.share_purchase_id === id)
    const statuses = own.map(({ event }) => event.data.status)
    t.same(statuses, ['submitted', 'approved', 'settled'], 'a first start shows only new events')
  }
  for (const received of receiver.received) {
    t.ok(verifySignature(received, signing_secret))
    const { event_id } = { event_id: received.event.id }
    const shown = await running.operator.call('event.show', { event_id })
    t.equal(received.bytes.toString(), shown.body)
    t.match(received.headers, {
      'content-type': 'application/json',
      'x-service-webhook-event': received.event.type,
    })
  }
  const attemptIds = receiver.received.map(({ headers }) => headers['x-service-webhook-id'])
  t.equal(new Set(attemptIds).size, 6)
  t.match(listener.lines()[1], { share_purchase_id: placed[0], status: 204, delivered: true })
  t.equal((await stat(cursor_file)).mode & 0o777, 0o600)
  const { code } = await listener.stop()
  t.equal(code, 0)
})

t.test('a restarted listener resumes where it stopped and loses nothing', async (t) => {
  const market = await createServedMarket(t)
  const { place } = await market.startHere()
  const first = await listen(t, argvFor(market))
  await place()
  await until(t, () => first.lines().length === 2)
  t.equal((await first.stop('SIGTERM')).code, 0)
  const missed = [await place(), await place()]
  const second = await listen(t, argvFor(market))
  await until(t, () => second.lines().length === 3)
  t.same(
    second
      .lines()
      .slice(1)
      .map((line) => line.share_purchase_id),
    missed,
    'no event arrives twice',
  )
  t.equal(second.lines()[0].signing_secret, first.lines()[0].signing_secret, 'the same secret')
})

t.test('a listener killed during a delivery sends the event again', async (t) => {
  const market = await createServedMarket(t)
  const { receiver } = market
  const { place } = await market.startHere()
  const first = await listen(t, argvFor(market))
  receiver.answer = () => void first.stop('SIGKILL')
  const id = await place()
  await first.ended
  receiver.answer = answerWith(200)
  const second = await listen(t, argvFor(market))
  await until(t, () => second.lines().length === 2)
  t.match(second.lines()[1], { share_purchase_id: id, status: 200 })
  const [lost, again] = receiver.received
  t.same(again?.bytes, lost?.bytes, 'the event has the same id')
})

t.test('a listener stopped during a delivery sends the event again later', async (t) => {
  const market = await createServedMarket(t)
  const { receiver } = market
  const { place } = await market.startHere()
  const first = await listen(t, argvFor(market))
  const hungUp = new Promise((resolve) => {
    receiver.answer = (_request, response) => {
      response.on('close', resolve)
      void first.stop('SIGTERM')
    }
  })
  const id = await place()
  const { code } = await first.ended
  await hungUp
  t.equal(code, 0)
  t.equal(first.lines().length, 1, 'the listener did not wait until the attempt had failed')
  receiver.answer = answerWith(200)
  const second = await listen(t, argvFor(market))
  await until(t, () => second.lines().length === 2)
  t.match(second.lines()[1], { share_purchase_id: id, status: 200, refusals: 0 })
  const [unanswered, again] = receiver.received
  t.same(again?.bytes, unanswered?.bytes, 'the same event')
})

t.test(
  'a second listener for the same receiver is refused, and nothing is sent twice',
  async (t) => {
    const market = await createServedMarket(t)
    const { place } = await market.startHere()
    const first = await listen(t, argvFor(market))
    const { code, stderr } = await runCoopshare(argvFor(market))
    t.equal(code, 4)
    t.match(stderr, `The cursor of the listener for ${market.receiver.url} is in use by process`)
    const secret = await runCoopshare(argvFor(market, '--print-secret'))
    t.equal(
      secret.stdout.trim(),
      first.lines()[0].signing_secret,
      'another command may read the secret',
    )
    const placed = [await place(), await place()]
    await until(t, () => first.lines().length === 3)
    t.equal((await first.stop()).code, 0)
    t.equal(market.receiver.received.length, 2)
    const next = await listen(t, argvFor(market))
    placed.push(await place())
    await until(t, () => next.lines().length === 2)
    t.equal(next.lines()[1].share_purchase_id, placed[2])
  },
)

t.test('a listener waits for a receiver that this machine cannot reach', async (t) => {
  const market = await createServedMarket(t)
  const { place } = await market.startHere()
  const url = 'http://255.255.255.255/hook'
  const listener = await listen(t, argvTo(url, '--data-dir', market.dataDirectory))
  await place()
  await until(t, () => listener.lines().length === 2)
  t.match(listener.lines()[1], { failure: 'connect', detail: /ENETUNREACH/, refusals: 0 })
  t.match(await listener.stop(), { code: 0, signal: null })
})

t.test('a listener waits for a receiver that is not running', async (t) => {
  const market = await createServedMarket(t)
  const { place } = await market.startHere()
  const port = await findUnusedPort()
  const url = `http://127.0.0.1:${port}/hook`
  const listener = await listen(t, argvTo(url, '--data-dir', market.dataDirectory))
  const placed = [await place(), await place()]
  await until(t, () => listener.lines().length === 2)
  const waiting = { share_purchase_id: placed[0], failure: 'connect', status: null, refusals: 0 }
  t.match(listener.lines()[1], waiting)
  const { received } = await startReceiver(t, { port })
  await until(t, () => listener.lines().length === 4)
  t.same(
    received.map(({ event }) => event.data.share_purchase_id),
    placed,
  )
  t.match(listener.lines()[2], { share_purchase_id: placed[0], status: 204, refusals: 0 })
})
