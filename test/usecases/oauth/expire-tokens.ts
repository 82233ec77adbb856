import { decodeJwt } from 'jose'
import t from 'tap'
import { createWorld } from '../../../fixtures/world/world.ts'
import { createClient, expireTokens, readClient } from '../../../src/usecases/oauth/clients.ts'
import { issueTestToken } from '../../../src/usecases/oauth/issue-token.ts'

t.test('ended tokens get 401, and a new token of the same client is accepted', async (t) => {
  const world = await createWorld()
  const { service, partner } = world
  const ask = (token: string) => world.request('GET', '/v1/me', { token })
  t.equal((await ask(partner.token)).status, 200)
  t.notOk('token_generation' in decodeJwt(partner.token), 'as the specification says')

  t.equal(await expireTokens(service, { clientId: partner.clientId.toUpperCase() }), 1)
  const refused = await ask(partner.token)
  t.equal(refused.status, 401)
  t.equal(refused.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  t.match(refused.body, {
    code: 'UNAUTHENTICATED',
    detail: 'The access token was made to expire. Request a new one.',
  })

  const { accessToken } = await issueTestToken(service, partner.clientId)
  t.match(decodeJwt(accessToken), { token_generation: 1 })
  t.equal((await ask(accessToken)).status, 200)
  t.equal((await readClient(service, partner.clientId)).disabled, false)
})

t.test('tokens end for one client, for an organization, or for all clients', async (t) => {
  const world = await createWorld()
  const { service, partner, otherPartner } = world
  const { client } = await createClient(service, { organization: partner.organizationId })
  const second = (await issueTestToken(service, client.clientId)).accessToken
  const statuses = () =>
    Promise.all(
      [partner.token, second, otherPartner.token].map(
        async (token) => (await world.request('GET', '/v1/me', { token })).status,
      ),
    )
  t.strictSame(await statuses(), [200, 200, 200])
  t.equal(await expireTokens(service, { clientId: client.clientId }), 1)
  t.strictSame(await statuses(), [200, 401, 200])
  t.equal(await expireTokens(service, { organizationId: partner.organizationId }), 2)
  t.strictSame(await statuses(), [401, 401, 200])
  t.equal(await expireTokens(service, {}), 3)
  t.strictSame(await statuses(), [401, 401, 401])
})

t.test('the tokens of an unknown client cannot be ended', async (t) => {
  const { service } = await createWorld()
  await t.rejects(expireTokens(service, { clientId: 'nobody' }), { code: 'CLIENT_NOT_FOUND' })
})
