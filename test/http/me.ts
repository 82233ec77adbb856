import t from 'tap'
import { createWorld } from '../../fixtures/world/world.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'

t.test('GET /v1/me shows the client, its token and its scopes [S-client-1]', async (t) => {
  const world = await createWorld()
  const { clientId, organizationId } = world.partner
  const token = await world.tokenWith('portfolio:read', 'investors:read')
  const { status, headers, body } = await world.request('GET', '/v1/me', { token })
  t.equal(status, 200)
  t.strictSame(body, {
    client_id: clientId,
    organization_id: organizationId,
    token_scopes: ['investors:read', 'portfolio:read'],
    granted_scopes: [...scopes],
  })
  t.equal(headers.get('cache-control'), 'no-store')
})

t.test('GET /v1/me needs no scope [S-endpoints-9]', async (t) => {
  const world = await createWorld()
  const token = await world.tokenWith()
  const { status, body } = await world.request('GET', '/v1/me', { token })
  t.equal(status, 200)
  t.strictSame(body.token_scopes, [])
})

t.test('each client sees itself', async (t) => {
  const world = await createWorld()
  const { token, clientId, organizationId } = world.otherPartner
  const { body } = await world.request('GET', '/v1/me', { token })
  t.match(body, { client_id: clientId, organization_id: organizationId })
})
