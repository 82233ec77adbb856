import { validate } from 'superstruct'
import t from 'tap'
import { answerWith, verifySignature } from '../../fixtures/servers/receiver.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { webhookOperations } from '../../src/operations/webhooks.ts'

const {
  'webhook.register': register,
  'webhook.list': list,
  'webhook.rotate_secret': rotate,
  'webhook.remove': remove,
  'webhook.test': tryOut,
} = webhookOperations

/**
 * Creates a world that allows only https and public addresses, as in production, with a resolver of
 * the test.
 */
function createStrictWorld() {
  const addresses: Record<string, string[]> = {
    'partner.example': ['93.184.215.14'],
    'inside.example': ['10.1.2.3'],
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
  }
  const resolve = async (name: string) => addresses[name] ?? []
  return createWorld({
    settings: { allowPrivateWebhooks: false },
    webhookSender: createWebhookSender({ resolve }),
  })
}

t.test(
  'the signing secret is returned once at registration and cannot be read back [S-webhooks-2]',
  async (t) => {
    const { service, partner, clock } = await createStrictWorld()
    const url = 'https://partner.example/hooks'
    const registered = await register.run(service, { organization: 'Demo Bank', url })
    t.match(registered, {
      webhook_endpoint_id: String,
      organization_id: partner.organizationId,
      url,
      created_at: clock.now(),
    })
    t.match(registered.signing_secret, /^whsec_[\w-]{43}$/)
    const rows = await list.run(service, {})
    const { signing_secret, ...withoutSecret } = registered
    const lastDay = { delivered_24h: 0, failed_24h: 0, success_percent_24h: null }
    t.strictSame(rows, [{ ...withoutSecret, organization: 'Demo Bank', ...lastDay }])
    const [stored] = await service.store.read((r) => r.webhookEndpoints.list())
    t.notMatch(JSON.stringify(stored), signing_secret, 'encrypted in the store')
  },
)

t.test('a forbidden URL is refused at registration [S-webhooks-6] [D36]', async (t) => {
  const { service, partner } = await createStrictWorld()
  const rows = [
    ['http://partner.example/', /https/],
    ['https://user:password@partner.example/', /user name or password/],
    ['https://inside.example/', /public addresses only/],
    ['https://mixed.example/', /public addresses only/],
    ['https://unknown.example/', /cannot be resolved/],
    ['https://127.0.0.1/', /public addresses only/],
    ['https://169.254.169.254/latest/meta-data', /public addresses only/],
    ['https://[::1]/', /public addresses only/],
    ['https://100.64.0.1/', /public addresses only/],
    ['https://[fd00::1]/', /public addresses only/],
    ['https://0x7f.1/', /public addresses only/],
    ['https://partner.example:25/', /443, or 1024 or above/],
    ['https://partner.example:1023/', /443, or 1024 or above/],
    ['nonsense', /not a URL/],
  ] as const
  for (const [url, message] of rows) {
    const refused = register.run(service, { organization: partner.organizationId, url })
    await t.rejects(refused, { code: 'WEBHOOK_URL_REFUSED', message }, url)
  }
  t.same(await list.run(service, {}), [])
})

t.test('http and loopback are allowed if private webhooks are allowed [D36]', async (t) => {
  const { service } = await createWorld()
  const url = 'http://127.0.0.1:3000/hooks'
  t.match(await register.run(service, { organization: 'Demo Bank', url }), { url })
  const onLowPort = 'http://127.0.0.1:81/hooks'
  t.match(await register.run(service, { organization: 'Demo Bank', url: onLowPort }), {
    url: onLowPort,
  })
  for (const closed of ['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/']) {
    const refused = register.run(service, { organization: 'Demo Bank', url: closed })
    const message =
      /link-local, multicast, unspecified or for cloud metadata, and no setting allows those/
    await t.rejects(refused, { code: 'WEBHOOK_URL_REFUSED', message }, closed)
  }
})

t.test('port 443 and ports from 1024 on are always allowed [D36]', async (t) => {
  const { service } = await createStrictWorld()
  for (const port of ['', ':443', ':1024', ':65535']) {
    const url = `https://partner.example${port}/hooks${port.slice(1)}`
    await t.resolves(register.run(service, { organization: 'Demo Bank', url }), url)
  }
})

t.test('an organization can have up to 10 endpoints, and each URL only once [D31]', async (t) => {
  const { service, otherPartner } = await createWorld()
  const organization = 'Demo Bank'
  const url = (number: number) => `https://127.0.0.1/${number}`
  const twice = { organization, url: url(1) }
  await register.run(service, twice)
  await t.rejects(register.run(service, twice), {
    code: 'WEBHOOK_URL_REFUSED',
    message: /rotate-secret/,
  })
  for (let number = 2; number <= 10; number += 1) {
    await register.run(service, { organization, url: url(number) })
  }
  const eleventh = register.run(service, { organization, url: url(11) })
  await t.rejects(eleventh, { code: 'ENDPOINT_LIMIT_REACHED', message: /webhook remove/ })
  const theirs = { organization: otherPartner.organizationId, url: url(1) }
  await register.run(service, theirs)
  t.equal((await list.run(service, { organization })).length, 10)
  t.equal((await list.run(service, {})).length, 11)
  const [first] = await list.run(service, { organization })
  const removed = await remove.run(service, {
    webhook_endpoint_id: first?.webhook_endpoint_id ?? '',
  })
  t.match(removed, { url: url(1), ended_deliveries: 0 })
  await register.run(service, { organization, url: url(11) })
})

t.test('the refusal of an unknown endpoint says what to do next', async (t) => {
  const { service } = await createWorld()
  const webhook_endpoint_id = '0198c0de-0000-7000-8000-00000000ffff'
  for (const { run } of [rotate, remove, tryOut]) {
    const refused: Promise<unknown> = run(service, { webhook_endpoint_id })
    await t.rejects(refused, {
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
      message: /coopshare webhook list/,
    })
  }
  const url = 'https://127.0.0.1/'
  const nobody = register.run(service, { organization: 'Nobody', url })
  await t.rejects(nobody, { code: 'ORGANIZATION_NOT_FOUND' })
  const asked: string[] = []
  const findAddressFault = async (asking: string) => void asked.push(asking)
  const webhookSender = { ...service.webhookSender, findAddressFault }
  const unasked = register.run({ ...service, webhookSender }, { organization: 'Nobody', url })
  await t.rejects(unasked, { code: 'ORGANIZATION_NOT_FOUND' })
  t.same(asked, [], 'no name is resolved')
})

t.test(
  'a test event is signed, has the usual envelope, and is not in the log [S-events-6]',
  async (t) => {
    const { world, receiver, webhookEndpointId, secret } = await createWebhookMarket(t)
    const { service, clock } = world
    const webhook_endpoint_id = webhookEndpointId
    const tried = await tryOut.run(service, { webhook_endpoint_id })
    t.match(tried, { delivered: true, status: 204, failure: null, event_id: String })
    const [received] = receiver.received
    if (!received) return t.fail('nothing arrived')
    t.ok(verifySignature(received, secret, new Date(clock.now())))
    t.equal(received.headers['x-service-webhook-event'], 'webhook.test')
    t.strictSame(Object.keys(received.event), ['id', 'type', 'created_at', 'data'])
    t.match(received.event, { id: tried.event_id, type: 'webhook.test', created_at: clock.now() })
    t.same(await service.store.read(({ events }) => events.list({})), [])
    receiver.answer = answerWith(500)
    const failed = await tryOut.run(service, { webhook_endpoint_id })
    t.match(failed, { delivered: false, status: 500, failure: 'status' })
  },
)

t.test('a test event can be signed wrongly to test the receiver', async (t) => {
  const { world, receiver, webhookEndpointId, secret } = await createWebhookMarket(t)
  const input = { webhook_endpoint_id: webhookEndpointId, wrong_signature: true }
  await tryOut.run(world.service, input)
  const [received] = receiver.received
  if (!received) return t.fail('nothing arrived')
  t.throws(() => verifySignature(received, secret, new Date(world.clock.now())))
})

t.test('a rotation is immediate [S-webhooks-4] [D31]', async (t) => {
  const { world, receiver, webhookEndpointId, secret } = await createWebhookMarket(t)
  const { service, clock } = world
  const webhook_endpoint_id = webhookEndpointId
  clock.advance(5)
  const rotated = await rotate.run(service, { webhook_endpoint_id })
  t.match(rotated, { webhook_endpoint_id, url: receiver.url, updated_at: clock.now() })
  t.not(rotated.signing_secret, secret)
  await tryOut.run(service, { webhook_endpoint_id })
  const [received] = receiver.received
  if (!received) return t.fail('nothing arrived')
  const now = new Date(clock.now())
  t.ok(verifySignature(received, rotated.signing_secret, now))
  t.throws(() => verifySignature(received, secret, now))
})

t.test('the inputs of webhook operations are checked', async (t) => {
  for (const [input, shape] of [
    [{}, register.input],
    [{ organization: 'Demo Bank' }, register.input],
    [{ organization: 'Demo Bank', url: 5 }, register.input],
    [{ organization: 'Demo Bank', url: 'https://x', secret: 'whsec_mine' }, register.input],
    [{}, rotate.input],
    [{ webhook_endpoint_id: 'x', wrong_signature: 'yes' }, tryOut.input],
  ] as const) {
    t.ok(validate(input, shape as typeof register.input)[0], JSON.stringify(input))
  }
})
