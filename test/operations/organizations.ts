import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket, decide } from '../../fixtures/world/webhook-market.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
function run({ service }: World, name: string, input: object): Promise<any> {
  return runOperation(service, name, input)
}

const organization = 'Demo Bank'

t.test(
  'the tokens of a disabled organization get 401 immediately, and it gets no new tokens',
  async (t) => {
    const world = await createWorld()
    const { token, clientId, clientSecret } = world.partner
    const signIn = () =>
      world.request('POST', '/oauth2/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`,
      })
    t.equal((await world.request('GET', '/v1/me', { token })).status, 200)
    t.match(await run(world, 'organization.disable', { organization }), { disabled: true })
    const refused = await world.request('GET', '/v1/me', { token })
    t.match(refused, { status: 401, body: { code: 'UNAUTHENTICATED' } })
    t.match(await signIn(), { status: 401, body: { error: 'invalid_client' } })
    const issuing = run(world, 'token.issue', { client_id: clientId })
    t.match(await issuing.catch((error) => error), {
      code: 'CLIENT_DISABLED',
      message: 'organization enable',
    })
    const other = world.otherPartner.token
    t.equal(
      (await world.request('GET', '/v1/me', { token: other })).status,
      200,
      'other organizations continue to work',
    )
    t.match(await run(world, 'organization.enable', { organization }), { disabled: false })
    t.equal((await world.request('GET', '/v1/me', { token })).status, 200)
    t.equal((await signIn()).status, 200)
  },
)

t.test(
  'webhooks of a disabled organization wait, and are sent in order when it is enabled',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, dispatcher, receiver } = market
    const sharePurchaseId = await placeAccepted(market)
    await run(world, 'organization.disable', { organization })
    await decide(market, sharePurchaseId, 'approved', 'settled')
    await dispatcher.dispatchDue()
    t.equal(receiver.received.length, 0, 'nothing is sent')
    world.clock.advance(3600)
    await dispatcher.dispatchDue()
    t.equal(receiver.received.length, 0, 'later, neither')
    await run(world, 'organization.enable', { organization })
    await dispatcher.dispatchDue()
    t.strictSame(
      receiver.received.map(({ event }) => event.type),
      ['share_purchase.submitted', 'share_purchase.approved', 'share_purchase.settled'],
    )
  },
)

t.test('a renamed organization keeps its id, its clients and its tokens', async (t) => {
  const world = await createWorld()
  const { token, organizationId, clientId } = world.partner
  const renamed = await run(world, 'organization.rename', { organization, name: 'Example Bank' })
  t.match(renamed, { organization_id: organizationId, name: 'Example Bank' })
  t.equal((await world.request('GET', '/v1/me', { token })).status, 200)
  t.match(
    await run(world, 'client.list', { organization: 'Example Bank' }),
    exactArrays([{ client_id: clientId, organization: 'Example Bank' }]),
  )
  const before = run(world, 'organization.show', { organization })
  t.match(await before.catch((error) => error), { code: 'ORGANIZATION_NOT_FOUND' })
  const taken = { organization: 'Example Bank', name: 'NORDLICHT Versicherung' }
  const refused = run(world, 'organization.rename', taken)
  t.match(await refused.catch((error) => error), { code: 'NAME_TAKEN' })
  const otherCase = { organization: 'Example Bank', name: 'EXAMPLE BANK' }
  t.match(await run(world, 'organization.rename', otherCase), { name: 'EXAMPLE BANK' })
})

t.test('an organization without investors is deleted with its clients and endpoints', async (t) => {
  const market = await createWebhookMarket(t)
  const { world, receiver } = market
  const refused = run(world, 'organization.delete', { organization })
  t.match(await refused.catch((error) => error), {
    code: 'ORGANIZATION_NOT_EMPTY',
    message: 'organization disable',
  })
  const other = 'Nordlicht Versicherung'
  const url = receiver.url
  await run(world, 'webhook.register', { organization: other, url })
  const { clientId, token } = world.otherPartner
  const contents = { name: other, clients: [{ client_id: clientId }], webhooks: [{ url }] }
  const preview = await run(world, 'organization.delete', { organization: other, dry_run: true })
  t.match(preview, exactArrays(contents))
  t.equal((await world.request('GET', '/v1/me', { token })).status, 200, 'not yet')
  t.match(await run(world, 'organization.delete', { organization: other }), exactArrays(contents))
  t.equal((await world.request('GET', '/v1/me', { token })).status, 401)
  t.match(await run(world, 'organization.list', {}), exactArrays([{ name: organization }]))
  t.equal((await run(world, 'client.list', {})).length, 1)
  t.equal((await run(world, 'webhook.list', {})).length, 1)
  const again = await run(world, 'organization.create', { name: other })
  t.not(again.organization_id, world.otherPartner.organizationId, 'the name is free again')
})

t.test('names that look like another name are refused', async (t) => {
  const world = await createWorld()
  const { organization_id } = await run(world, 'organization.create', { name: 'Bank' })
  const names = [' Bank', 'Bank ', 'Demo  Bank', 'Demo\u200b Bank', 'Demo\u00a0Bank', 'Bank\ufe0f']
  for (const name of names) {
    const code = 'VALIDATION_ERROR'
    await t.rejects(run(world, 'organization.create', { name }), { code }, JSON.stringify(name))
    const renaming = run(world, 'organization.rename', { organization: organization_id, name })
    await t.rejects(renaming, { code }, JSON.stringify(name))
    const applied = run(world, 'fixtures.apply', { organizations: [{ name }] })
    await t.rejects(applied, { code }, JSON.stringify(name))
  }
})
