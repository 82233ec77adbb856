import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { listen } from '../../fixtures/program/listener.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { createServedMarket } from '../../fixtures/program/served-market.ts'
import { answerWith, startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'
import { toTimestamp } from '../../src/domain/timestamp.ts'
import { signWebhook } from '../../src/usecases/webhooks/sign-webhook.ts'

const hasty = ['--webhook-backoff', '20ms']

/**
 * A new service repeats the deliveries that a killed service had in progress. With a database, it
 * first waits for the leases to end.
 */
const afterCrashMs = 60_000

t.test(
  'an order that is placed, approved and settled sends three signed events in order [S-webhooks-1]',
  async (t) => {
    const { receiver, start, seed } = await createServedMarket(t)
    const { operator, register, place } = await start()
    const { signing_secret } = await register()
    const share_purchase_id = await place()
    await operator.call('purchase.approve', { share_purchase_id })
    await operator.call('purchase.settle', { share_purchase_id })
    await until(t, () => receiver.received.length === 3)
    const { investorId: investor_id, cooperativeId: cooperative_id } = seed
    const statuses = ['submitted', 'approved', 'settled']
    for (const [index, received] of receiver.received.entries()) {
      const event = verifySignature(received, signing_secret)
      const data = { share_purchase_id, investor_id, cooperative_id, status: statuses[index] }
      t.match(event, { id: String, type: `share_purchase.${statuses[index]}`, data })
    }
    await until(t, async () => (await operator.call('event.count', {})).delivered === 3)
    const rows = await operator.call('event.list', {})
    t.match(rows, exactArrays([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }]))
  },
)

t.test(
  'a failing delivery is retried, is dead after the last attempt and can be replayed [S-delivery-4] [D31]',
  async (t) => {
    const { receiver, start } = await createServedMarket(t)
    const { operator, register, place } = await start(...hasty)
    const { signing_secret } = await register()
    receiver.answer = answerWith(500)
    await place()
    await until(t, async () => (await operator.call('event.count', {})).dead === 1)
    t.equal(receiver.received.length, 6)
    const [event] = await operator.call('event.list', { state: 'dead' })
    const shown = await operator.call('event.show', { event_id: event?.event_id ?? '' })
    t.match(shown.deliveries, exactArrays([{ state: 'dead', dead_because: 'attempts_used_up' }]))
    receiver.answer = answerWith(200)
    const [replayed] = await operator.call('event.replay', { dead: true })
    t.match(replayed, { event_id: event?.event_id, replayed: 1 })
    await until(t, async () => (await operator.call('event.count', {})).delivered === 1)
    t.equal(receiver.received.length, 7)
    const [first, last] = [receiver.received[0], receiver.received[6]]
    if (!first || !last) return t.fail('seven arrived')
    t.same(last.bytes, first.bytes, 'body, id and created_at stay the same')
    t.ok(verifySignature(last, signing_secret))
    const attempts = await operator.metric('coopshare_delivery_attempts_total')
    t.equal(attempts.get('{kind="webhook",outcome="status"}'), 6)
    t.equal(attempts.get('{kind="webhook",outcome="delivered"}'), 1)
  },
)

t.test('a rotated secret applies to the next attempt [S-webhooks-5]', async (t) => {
  const { receiver, start } = await createServedMarket(t)
  const { operator, register, place } = await start('--webhook-backoff', '1s')
  const { webhook_endpoint_id, signing_secret: before } = await register()
  receiver.answer = answerWith(503)
  await place()
  await until(t, () => receiver.received.length === 1)
  const rotated = await operator.call('webhook.rotate_secret', { webhook_endpoint_id })
  receiver.answer = answerWith(200)
  await until(t, () => receiver.received.length === 2)
  const [first, second] = receiver.received
  if (!first || !second) return t.fail('two arrived')
  t.ok(verifySignature(first, before))
  t.ok(verifySignature(second, rotated.signing_secret))
  t.throws(() => verifySignature(second, before))
})

t.test('a removed endpoint gets no pending deliveries', async (t) => {
  const { receiver, start } = await createServedMarket(t)
  const other = await startReceiver(t)
  const { operator, register, place } = await start('--webhook-backoff', '1s')
  const { webhook_endpoint_id } = await register()
  await register(other.url)
  receiver.answer = answerWith(500)
  other.answer = answerWith(500)
  await place()
  await until(t, async () => Number((await operator.call('event.list', {}))[0]?.attempts) >= 2)
  const removed = await operator.call('webhook.remove', { webhook_endpoint_id })
  t.equal(removed.ended_deliveries, 1)
  const [sent, sentToOther] = [receiver.received.length, other.received.length]
  const queue = await operator.metric('coopshare_deliveries')
  t.equal(queue.get('{kind="webhook",state="pending"}'), 1)
  t.equal(queue.get('{kind="webhook",state="dead"}'), 1)
  t.match(await operator.call('event.list', {}), exactArrays([{ state: 'dead' }]))
  // The next attempts at both endpoints were due at the same time.
  await until(t, () => other.received.length === sentToOther + 2)
  t.equal(receiver.received.length, sent)
})

t.test(
  'a delivery killed before it was recorded is sent again and recorded once [S-envelope-3]',
  async (t) => {
    const { receiver, start } = await createServedMarket(t)
    const before = await start()
    const { signing_secret } = await before.register()
    receiver.answer = (_request, response) => {
      void before.served.stop('SIGKILL')
      response.writeHead(200).end()
    }
    await before.place()
    await before.served.ended
    receiver.answer = answerWith(200)
    const after = await start()
    const delivered = async () => (await after.operator.call('event.count', {})).delivered
    await until(t, async () => (await delivered()) === 1, afterCrashMs)
    const [first, second, ...others] = receiver.received
    if (!first || !second) return t.fail('it was sent again')
    t.equal(others.length, 0)
    t.equal(second.event.id, first.event.id, 'the event has the same id')
    t.ok(verifySignature(second, signing_secret))
    t.match(await after.operator.call('event.list', {}), exactArrays([{ attempts: 1 }]))
  },
)

t.test('an acknowledged order has exactly one event after a crash [S-events-5]', async (t) => {
  const { receiver, start } = await createServedMarket(t)
  const first = await start()
  await first.register()
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round += 1) {
    const { served, place } = round === 0 ? first : await start()
    const moment = acknowledged.length + 10
    const placing = Array.from({ length: 4 }, async () => {
      for (;;) {
        acknowledged.push(await place())
        if (acknowledged.length === moment) setImmediate(() => served.stop('SIGKILL'))
      }
    })
    await Promise.allSettled(placing)
    await served.ended
  }
  const { operator } = await start()
  const counts = async () => operator.call('event.count', {})
  await until(t, async () => (await counts()).pending === 0, afterCrashMs)
  const events = await operator.call('event.list', {})
  const told = events.map((event) => event.share_purchase_id)
  t.equal(new Set(told).size, told.length)
  t.ok(acknowledged.length >= 40)
  for (const id of acknowledged) if (!told.includes(id)) t.fail(`${id} has no event`)
  const arrived = new Set(receiver.received.map(({ event }) => event.data.share_purchase_id))
  t.same(
    told.filter((id) => !arrived.has(id)),
    [],
    'each event has arrived',
  )
})

t.test(
  'after SIGTERM the service finishes deliveries in progress, and they are not sent again',
  async (t) => {
    const { receiver, start } = await createServedMarket(t)
    const { served, register, place } = await start()
    await register()
    receiver.answer = (_request, response) => setTimeout(() => response.writeHead(200).end(), 500)
    await place()
    await until(t, () => receiver.received.length === 1)
    const { code } = await served.stop('SIGTERM')
    t.equal(code, 0)
    const { operator } = await start()
    t.match(
      await operator.call('event.list', {}),
      exactArrays([{ state: 'delivered', attempts: 1 }]),
    )
    t.equal(receiver.received.length, 1)
  },
)

t.test('a receiver that never answers does not keep the service from stopping', async (t) => {
  const { receiver, start } = await createServedMarket(t)
  const { served, register, place } = await start()
  await register()
  receiver.answer = () => {}
  await place()
  await until(t, () => receiver.received.length === 1)
  const started = Date.now()
  const { code } = await served.stop('SIGTERM')
  t.equal(code, 0)
  t.ok(Date.now() - started < 10_000)
})

t.test('without --allow-private-webhooks an endpoint on this machine is refused', async (t) => {
  const dataDirectory = t.testdir()
  await serve(t, ['--data-dir', dataDirectory])
  const operator = await connectOperator(dataDirectory)
  const { organization_id: organization } = await operator.call('organization.create', {
    name: 'Demo Bank',
  })
  for (const url of ['http://127.0.0.1/', 'https://127.0.0.1/', 'https://localhost:8443/']) {
    const registering = operator.call('webhook.register', { organization, url })
    await t.rejects(registering, { message: /begin with https|public addresses/ }, url)
  }
  t.same(await operator.call('webhook.list', {}), [])
})

t.test('production refuses --allow-private-webhooks', async (t) => {
  const data = ['--data-dir', t.testdir()]
  const production = ['--environment', 'production', '--no-investor-mail', ...data]
  const refused = await runCoopshare(['serve', '--allow-private-webhooks', ...production])
  t.equal(refused.code, 4)
  t.match(refused.stderr, /staging only/)
})

t.test('webhook receive shows which events are genuine, and answers as configured', async (t) => {
  const secret = 'whsec_of-the-receiver'
  const variables = { COOPSHARE_SIGNING_SECRET: secret }
  const argv = ['webhook', 'receive', '--port', '0', '--answer', '503']
  const receiving = await listen(t, argv, variables)
  const { url } = receiving.lines()[0]
  const post = async (body: string, signature: string) => {
    const headers = { 'x-service-webhook-signature': signature }
    // biome-ignore lint/style/noRestrictedGlobals: this is not the partner API.
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  const body = '{"id":"…"}'
  const at = toTimestamp(new Date())
  const signature = signWebhook({ secret, body: Buffer.from(body), at })
  t.equal(await post(body, signature), 503)
  t.equal(await post(`${body} `, signature), 401)
  t.equal(await post(body, ''), 401)
  t.equal(await post('x'.repeat(2 ** 20 + 1), signature), 413)
  await until(t, () => receiving.lines().length === 4)
  const told = receiving.lines().slice(1)
  const codes = told.map(({ faults }) => faults.map(({ code }: { code: string }) => code))
  t.strictSame(codes, [[], ['reserialised_body'], ['missing_t', 'missing_v1']])
  t.match(told[0], { genuine: true, status: 503, body })
  t.match(told[1], { genuine: false, status: 401 })
  const { port } = new URL(url)
  const second = await runCoopshare(['webhook', 'receive', '--port', port, '--json'], variables)
  t.equal(second.code, 5)
  t.match(JSON.parse(second.stdout), { error: { code: 'PORT_UNAVAILABLE' } })
  t.equal((await receiving.stop()).code, 0)
})
