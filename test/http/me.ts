import t from 'tap'
import { createWorld } from '../../fixtures/world.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'

t.test('200 client info: who calls, what the token carries, what may be requested', async (t) => {
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

t.test('none beyond a valid partner token: a token without a scope is enough', async (t) => {
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
