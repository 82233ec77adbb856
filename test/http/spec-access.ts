import t from 'tap'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { callEveryEndpoint } from '../../fixtures/world/every-endpoint.ts'
import { createMarket } from '../../fixtures/world/market.ts'
import { recordingLogger } from '../../fixtures/world/recorders.ts'
import { basic, requestToken } from '../../fixtures/world/token-request.ts'
import { createWorld, type RequestOptions } from '../../fixtures/world/world.ts'
import { createApp } from '../../src/http/app.ts'
import { setGrantedScopes } from '../../src/usecases/oauth/clients.ts'

t.test('an API key does not replace a bearer token [S-authentication-1]', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret, token } = world.partner
  for (const [path, headers] of [
    ['/v1/me', { 'x-api-key': clientSecret }],
    ['/v1/me', { 'x-client-id': clientId, 'x-client-secret': clientSecret }],
    ['/v1/me', { cookie: `access_token=${token}` }],
    ['/v1/me', basic(clientId, clientSecret)],
    ['/v1/me', { authorization: token }],
    [`/v1/me?access_token=${token}`, {}],
    [`/v1/me?api_key=${clientSecret}`, {}],
  ] as const) {
    const { status, body } = await world.request('GET', path, { headers })
    t.strictSame([status, body.code], [401, 'UNAUTHENTICATED'], path)
  }
})

t.test('every resource endpoint requires a bearer token [S-endpoints-1]', async (t) => {
  const { market, answers } = await callEveryEndpoint()
  const { token } = market.world.partner
  for (const [title] of answers) {
    const [method = '', path = ''] = title.split(' ')
    for (const wrong of [undefined, `${token}x`]) {
      const { status, headers, body } = await market.world.request(method, path, { token: wrong })
      t.strictSame([status, body.code], [401, 'UNAUTHENTICATED'], title)
      t.equal(headers.get('content-type'), 'application/problem+json', title)
      t.match(headers.get('www-authenticate'), /^Bearer /, title)
    }
  }
})

t.test(
  'every endpoint answers with X-Request-Id and the three rate headers [S-endpoints-5]',
  async (t) => {
    const { answers } = await callEveryEndpoint()
    for (const [title, { headers }] of answers) {
      t.match(headers.get('x-request-id'), /^[0-9a-f-]{36}$/, title)
      t.equal(headers.get('ratelimit-limit'), '600', title)
      for (const name of ['ratelimit-remaining', 'ratelimit-reset']) {
        t.match(headers.get(name), /^[1-9]\d*$/, title)
      }
      t.match(headers.get('content-type'), 'application/json', title)
    }
    const ids = answers.map(([, { headers }]) => headers.get('x-request-id'))
    t.equal(new Set(ids).size, answers.length, 'each answer has its own id')
  },
)

t.test('answers with 304, 429, 500 and 503 also have these headers [S-endpoints-7]', async (t) => {
  const limits = { requests: 5, requestsPerAddress: 100 }
  const bankDirectory = { lookUp: () => Promise.reject(new Error('inside')) }
  const world = await createWorld({ app: { limits }, bankDirectory })
  const { token } = world.partner
  const ask = async (status: number, method: string, path: string, options: RequestOptions) => {
    const answer = await world.request(method, path, { token, ...options })
    t.equal(answer.status, status)
    t.match(answer.headers.get('x-request-id'), /^[0-9a-f-]{36}$/, `${status}`)
    for (const name of ['limit', 'remaining', 'reset']) {
      t.match(answer.headers.get(`ratelimit-${name}`), /^\d+$/, `${status} ${name}`)
    }
  }
  await ask(304, 'GET', '/v1/cooperatives', { headers: { 'if-none-match': '*' } })
  await ask(500, 'POST', '/v1/investors', { body: completeProvision() })
  for (let spent = 2; spent < 5; spent++) await ask(200, 'GET', '/v1/me', {})
  await ask(429, 'GET', '/v1/me', {})
  await world.service.store.close()
  const other = { token: world.otherPartner.token, body: { partner_customer_ref: 'customer-2' } }
  await ask(503, 'POST', '/v1/investors', other)
})

t.test('every partner endpoint is below the path prefix /v1 [S-versions-1]', async (t) => {
  const { world, investorId } = await createMarket()
  const { token } = world.partner
  for (const path of ['/me', '/cooperatives', '/investors', `/investors/${investorId}`]) {
    t.not((await world.request('GET', `/v1${path}`, { token })).status, 404, path)
    const { status, body } = await world.request('GET', path, { token })
    t.strictSame([status, body.code], [404, 'NOT_FOUND'], path)
  }
})

t.test(
  'partners have no route for actions of the service [S-service-1] [S-service-4]',
  async (t) => {
    const { world, investorId } = await createMarket()
    const order = `/v1/investors/${investorId}/share-purchases/${investorId}`
    for (const [title, method, path] of [
      ['there is no /v1/projects collection [S-endpoints-10]', 'GET', '/v1/projects'],
      [
        'there is no self-service route to register webhooks [S-endpoints-11]',
        'POST',
        '/v1/webhooks',
      ],
      ['there is no route to list webhooks', 'GET', '/v1/webhook-endpoints'],
      ['only the service approves', 'POST', `${order}/approve`],
      ['only the service settles', 'POST', `${order}/settle`],
      ['only the service rejects', 'POST', `${order}/reject`],
      ['there is no end-user login [S-authentication-2]', 'GET', '/oauth2/authorize'],
      ['there is no registration of clients', 'POST', '/oauth2/register'],
      ['operations are on another listener', 'POST', '/operations/purchase.approve'],
    ] as const) {
      const { status, body } = await world.request(method, path, { token: world.partner.token })
      t.strictSame([status, body.code], [404, 'NOT_FOUND'], title)
    }
    for (const [method, path] of [
      ['POST', '/v1/cooperatives'],
      ['DELETE', `/v1/investors/${investorId}`],
      ['PUT', order],
      ['DELETE', order],
    ] as const) {
      const { status, body } = await world.request(method, path, { token: world.partner.token })
      t.strictSame([status, body.code], [405, 'METHOD_NOT_ALLOWED'], `${method} ${path}`)
    }
  },
)

t.test('credentials of one environment are refused in the other [S-service-12]', async (t) => {
  const production = await createWorld({
    settings: { environment: 'production', baseUrl: 'https://api.example' },
  })
  const staging = await createWorld()
  for (const [here, there] of [
    [production, staging],
    [staging, production],
  ] as const) {
    const { token, clientId, clientSecret } = here.partner
    t.equal((await here.request('GET', '/v1/me', { token })).status, 200)
    t.equal((await there.request('GET', '/v1/me', { token })).body.code, 'UNAUTHENTICATED')
    const headers = basic(clientId, clientSecret)
    t.equal((await requestToken(here, { headers })).status, 200)
    t.equal((await requestToken(there, { headers })).body.error, 'invalid_client')
  }
})

t.test('scopes change while client_id and client_secret stay valid [S-scopes-2]', async (t) => {
  const world = await createWorld()
  const { clientId } = world.partner
  await setGrantedScopes(world.service, { clientId, grantedScopes: ['cooperatives:read'] })
  const narrow = await requestToken(world)
  t.strictSame([narrow.status, narrow.body.scope], [200, 'cooperatives:read'])
  const grantedScopes = ['cooperatives:read', 'projects:read'] as const
  await setGrantedScopes(world.service, { clientId, grantedScopes })
  const wide = await requestToken(world, { form: { scope: 'projects:read' } })
  t.strictSame([wide.status, wide.body.scope], [200, 'projects:read'])
  const token = wide.body.access_token
  const { body } = await world.request('GET', '/v1/me', { token })
  t.strictSame(body.token_scopes, ['projects:read'])
  t.strictSame(body.granted_scopes, grantedScopes)
})

t.test('limits are enforced per API instance [S-limits-9]', async (t) => {
  const limits = { requests: 1, requestsPerAddress: 100 }
  const world = await createWorld({ app: { limits } })
  const { token } = world.partner
  const second = createApp(world.service, { logger: recordingLogger(), limits })
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await world.request('GET', '/v1/me', { token })).status, 200)
  t.equal((await world.request('GET', '/v1/me', { token })).status, 429)
  t.equal((await second.request('http://localhost/v1/me', { headers })).status, 200)
})

t.test(
  'a token request that one limit refuses does not count for the other [S-limits-8]',
  async (t) => {
    const world = await createWorld()
    let host = 0
    for (let spent = 0; spent < 20; spent++) {
      await requestToken(world, { address: `198.51.100.${++host}` })
    }
    const address = '203.0.113.9'
    for (let refused = 0; refused < 30; refused++) {
      t.equal((await requestToken(world, { address })).status, 429)
    }
    const { clientId, clientSecret } = world.otherPartner
    const headers = basic(clientId, clientSecret)
    t.equal((await requestToken(world, { address, headers })).status, 200)
  },
)
