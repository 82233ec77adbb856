import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { runOperation } from '../../src/operations/operations.ts'

const url = 'https://127.0.0.1/hooks'
const id = 'd0000000-0000-4000-8000-0000000000aa'
const otherId = 'd0000000-0000-4000-8000-0000000000bb'

function withWebhooks(...webhooks: readonly unknown[]) {
  return { organizations: [{ name: 'Musterbank', webhooks }] }
}

/**
 * Makes a set-up with this number of orders, each for one share of the same cooperative, and with
 * webhooks.
 */
function withOrders(count: number, ...webhooks: readonly unknown[]) {
  const { organizations, cooperatives } = buildFixtureFile()
  const share_purchases = Array(count).fill({ cooperative: 'sun', share_count: 1 })
  const [{ investors: [investor] = [] } = {}] = organizations
  return {
    organizations: [
      { name: 'Musterbank', investors: [{ ...investor, share_purchases }], webhooks },
    ],
    cooperatives,
  }
}

t.test('a declared endpoint gets a signing secret that is shown once', async (t) => {
  const { service } = await createWorld()
  const receiver = await startReceiver(t)
  const setUp = withWebhooks({ url: receiver.url })
  const { created, webhooks } = await applyFixtureFile(service, setUp)
  t.equal(created.webhooks, 1)
  t.match(
    webhooks,
    exactArrays([{ organization: 'Musterbank', url: receiver.url, signing_secret: /^whsec_/ }]),
  )
  const [{ webhook_endpoint_id, signing_secret }] = webhooks
  const again = await applyFixtureFile(service, setUp)
  t.match(again, { created: { webhooks: 0 }, unchanged: { webhooks: 1 } })
  t.strictSame(again.webhooks, [])
  await runOperation(service, 'webhook.test', { webhook_endpoint_id })
  const [received] = receiver.received
  if (!received) return t.fail('nothing arrived')
  t.ok(
    verifySignature(received, signing_secret, new Date(service.clock.now())),
    'the service signs with the shown secret',
  )
})

t.test('a file can give a signing secret, which replaces a stored one', async (t) => {
  const { service } = await createWorld()
  const receiver = await startReceiver(t)
  const apply = (signing_secret: string, more = {}) =>
    applyFixtureFile(service, { ...withWebhooks({ url: receiver.url, signing_secret }), ...more })
  const { webhooks } = await apply('whsec_first')
  t.match(webhooks, exactArrays([{ signing_secret: 'whsec_first' }]))
  t.match(await apply('whsec_first'), { unchanged: { webhooks: 1 } })
  const { changes } = await apply('whsec_second', { dry_run: true })
  const fields = exactArrays([{ field: 'signing_secret', hidden: true }])
  t.match(changes, exactArrays([{ kind: 'webhook', outcome: 'updated', fields }]))
  t.notMatch(JSON.stringify(changes), 'whsec_')
  t.match(await apply('whsec_second'), { updated: { webhooks: 1 } })
  const [{ webhook_endpoint_id }] = webhooks
  await runOperation(service, 'webhook.test', { webhook_endpoint_id })
  const [received] = receiver.received
  t.ok(received && verifySignature(received, 'whsec_second', new Date(service.clock.now())))
  t.notMatch(JSON.stringify(await exportFixtureFile(service)), 'whsec_')
})

t.test('production accepts signing secrets neither from a file nor from an operator', async (t) => {
  const service = await createEmptyService({ environment: 'production' })
  const signing_secret = 'whsec_fixed'
  await t.rejects(applyFixtureFile(service, withWebhooks({ url, signing_secret })), {
    code: 'TESTING_AID_IN_PRODUCTION',
    extra: { errors: { 'organizations.0.webhooks.0.signing_secret': String } },
  })
  const registration = { organization: 'Musterbank', url, signing_secret }
  await t.rejects(runOperation(service, 'webhook.register', registration), {
    code: 'TESTING_AID_IN_PRODUCTION',
  })
})

t.test('the id of an endpoint is derived from organization and URL, or given', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  const spellings = [url, 'HTTPS://127.0.0.1:443/hooks']
  const [first] = (await applyFixtureFile(one, withWebhooks({ url: spellings[0] }))).webhooks
  const [second] = (await applyFixtureFile(other, withWebhooks({ url: spellings[1] }))).webhooks
  t.equal(first.webhook_endpoint_id, second.webhook_endpoint_id)
  const given = withWebhooks({ url: `${url}/2`, webhook_endpoint_id: id })
  t.match((await applyFixtureFile(one, given)).webhooks, exactArrays([{ webhook_endpoint_id: id }]))
  t.match((await applyFixtureFile(one, given)).unchanged, { webhooks: 1 })
})

t.test('an endpoint gets only events that follow the orders in its file', async (t) => {
  const service = await createEmptyService()
  const events = () => runOperation(service, 'event.list', {})
  await applyFixtureFile(service, withOrders(1, { url }))
  t.match(await events(), exactArrays([{ state: 'none' }]))
  await applyFixtureFile(service, withOrders(2, { url }))
  t.match(await events(), exactArrays([{ state: 'none' }, { state: 'pending' }]))
})

t.test('investors get e-mails only about events that follow the orders in the file', async (t) => {
  const service = await createEmptyService()
  const events = async () =>
    (await runOperation(service, 'event.list', {})) as readonly Record<string, string>[]
  await applyFixtureFile(service, withOrders(1))
  const [{ share_purchase_id, event_id } = {}] = await events()
  t.match(await runOperation(service, 'event.show', { event_id }), { mail: null })
  await runOperation(service, 'purchase.approve', { share_purchase_id })
  const [, approved] = await events()
  const shown = await runOperation(service, 'event.show', { event_id: approved?.event_id })
  t.match(shown, { mail: { state: 'pending' } })
})

t.test('an export has the URLs but no signing secret', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, withWebhooks({ url, webhook_endpoint_id: id }))
  const { organizations } = await exportFixtureFile(service)
  t.strictSame(organizations[0].webhooks, [{ webhook_endpoint_id: id, url }])
})

t.test('an invalid endpoint is refused with its path, and nothing is changed', async (t) => {
  const registered = { url, webhook_endpoint_id: id }
  const eleven = Array.from({ length: 11 }, (_, number) => ({ url: `${url}/${number}` }))
  const rows: readonly [string, readonly unknown[], string, string][] = [
    ['no URL', [{ url: 'nonsense' }], 'WEBHOOK_URL_REFUSED', '0.url'],
    ['no https', [{ url: 'ftp://partner.example/' }], 'WEBHOOK_URL_REFUSED', '0.url'],
    ['twice', [{ url }, { url: 'https://127.0.0.1:443/hooks' }], 'VALIDATION_ERROR', '1.url'],
    [
      'another id',
      [{ url, webhook_endpoint_id: otherId }],
      'VALIDATION_ERROR',
      '0.webhook_endpoint_id',
    ],
    [
      'the id of another endpoint',
      [{ url: `${url}/2`, webhook_endpoint_id: id }],
      'VALIDATION_ERROR',
      '0.webhook_endpoint_id',
    ],
    ['an eleventh', eleven, 'ENDPOINT_LIMIT_REACHED', '9'],
  ]
  const service = await createEmptyService()
  await applyFixtureFile(service, withWebhooks(registered))
  const before = await exportFixtureFile(service)
  for (const [title, webhooks, code, path] of rows) {
    const errors = { [`organizations.0.webhooks.${path}`]: String }
    const refused = { code, extra: { errors } }
    await t.rejects(applyFixtureFile(service, withWebhooks(...webhooks)), refused, title)
    t.strictSame(await exportFixtureFile(service), before, title)
  }
})

t.test(
  'the address must be public, and is no longer resolved after the registration',
  async (t) => {
    const answers: Record<string, string[]> = { 'partner.example': ['93.184.215.14'] }
    const { service } = await createWorld({
      settings: { allowPrivateWebhooks: false },
      webhookSender: createWebhookSender({ resolve: async (name) => answers[name] ?? [] }),
    })
    const setUp = withWebhooks({ url: 'https://partner.example/' })
    await applyFixtureFile(service, setUp)
    delete answers['partner.example']
    t.match(await applyFixtureFile(service, setUp), { unchanged: { webhooks: 1 } })
    for (const refused of [url, 'https://unknown.example/', 'http://93.184.215.14/']) {
      const code = 'WEBHOOK_URL_REFUSED'
      await t.rejects(applyFixtureFile(service, withWebhooks({ url: refused })), { code }, refused)
    }
  },
)
