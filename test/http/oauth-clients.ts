import { createRemoteJWKSet, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrant,
  discovery,
} from 'openid-client'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { createListeningWorld, type ListeningWorld } from '../../fixtures/world/listening-world.ts'
import { rotateSigningKey } from '../../src/usecases/oauth/signing-keys.ts'

function discover(world: ListeningWorld, authenticate: ReturnType<typeof ClientSecretBasic>) {
  return discovery(new URL(world.baseUrl), world.partner.clientId, undefined, authenticate, {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  })
}

t.test(
  'openid-client discovers the service and gets a token, by Basic and by form [S-token-3]',
  async (t) => {
    const world = await createListeningWorld()
    t.teardown(world.close)
    for (const method of [ClientSecretBasic, ClientSecretPost]) {
      const configuration = await discover(world, method(world.partner.clientSecret))
      const token = await clientCredentialsGrant(configuration, { scope: 'investors:read' })
      t.equal(token.expires_in, 900)
      t.equal(token.scope, 'investors:read')
      const { status } = await checkedFetch(`${world.baseUrl}/v1/me`, {
        headers: { authorization: `Bearer ${token.access_token}` },
      })
      t.equal(status, 200)
    }
  },
)

t.test('openid-client can read a refusal', async (t) => {
  const world = await createListeningWorld()
  t.teardown(world.close)
  const configuration = await discover(world, ClientSecretBasic(world.partner.clientSecret))
  const refused = clientCredentialsGrant(configuration, { scope: 'admin' })
  t.match(await refused.catch((error) => error), { error: 'invalid_scope', status: 400 })
  const stranger = await discover(world, ClientSecretPost('wrong'))
  // openid-client reports the challenge of a 401, and leaves the body to its caller.
  const unknown = await clientCredentialsGrant(stranger).catch((error) => error)
  t.match(unknown, { name: 'WWWAuthenticateChallengeError', status: 401 })
  t.match(await unknown.response.json(), { error: 'invalid_client' })
})

t.test(
  'jose verifies a token locally: key by kid, RS256, iss, aud and exp [S-bearer-7]',
  async (t) => {
    const world = await createListeningWorld()
    t.teardown(world.close)
    for (const path of ['/.well-known/jwks.json', '/oauth2/jwks']) {
      const keySet = createRemoteJWKSet(new URL(path, world.baseUrl))
      const { payload, protectedHeader } = await jwtVerify(world.partner.token, keySet, {
        algorithms: ['RS256'],
        issuer: world.baseUrl,
        audience: 'coopshare-clients',
        currentDate: new Date(world.clock.now()),
      })
      t.equal(payload['client_id'], world.partner.clientId)
      t.equal(protectedHeader.alg, 'RS256')
    }
  },
)

t.test(
  'during a rotation both keys are published, and the kid selects the key [S-bearer-6]',
  async (t) => {
    const world = await createListeningWorld()
    t.teardown(world.close)
    await rotateSigningKey(world.service, { now: true })
    const configuration = await discover(world, ClientSecretBasic(world.partner.clientSecret))
    const fresh = (await clientCredentialsGrant(configuration)).access_token
    const keySet = createRemoteJWKSet(new URL('/oauth2/jwks', world.baseUrl))
    const currentDate = new Date(world.clock.now())
    const kids = await Promise.all(
      [world.partner.token, fresh].map(async (token) => {
        const { protectedHeader } = await jwtVerify(token, keySet, { currentDate })
        return protectedHeader.kid
      }),
    )
    t.not(kids[0], kids[1])
  },
)

t.test(
  'both JWKS paths have the same key set, cacheable for 300 seconds [S-bearer-5]',
  async (t) => {
    const world = await createListeningWorld()
    t.teardown(world.close)
    const [one, other] = await Promise.all(
      ['/.well-known/jwks.json', '/oauth2/jwks'].map((path) => world.request('GET', path)),
    )
    t.equal(one?.text, other?.text)
    t.equal(one?.headers.get('cache-control'), 'public, max-age=300')
    t.strictSame(Object.keys(one?.body.keys[0]), ['kty', 'n', 'e', 'kid', 'alg', 'use'])
  },
)

t.test('the discovery document has the form of RFC 8414 [S-bearer-8]', async (t) => {
  const world = await createListeningWorld()
  t.teardown(world.close)
  const { status, body } = await world.request('GET', '/.well-known/oauth-authorization-server')
  t.equal(status, 200)
  t.strictSame(body, {
    issuer: world.baseUrl,
    token_endpoint: `${world.baseUrl}/oauth2/token`,
    jwks_uri: `${world.baseUrl}/.well-known/jwks.json`,
    scopes_supported: [
      'cooperatives:read',
      'projects:read',
      'investors:read',
      'investors:write',
      'applications:read',
      'applications:write',
      'portfolio:read',
    ],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  })
})
