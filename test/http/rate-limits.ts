import t from 'tap'
import { basic, requestToken } from '../../fixtures/world/token-request.ts'
import { createWorld, type RequestOptions, type World } from '../../fixtures/world/world.ts'
import type { RateLimits } from '../../src/domain/rate-limits.ts'
import { issueTestToken } from '../../src/usecases/oauth/issue-token.ts'

const me = (world: World, options: RequestOptions = {}) =>
  world.request('GET', '/v1/me', { token: world.partner.token, ...options })

function budgetOf({ headers }: { readonly headers: Headers }) {
  return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
}

async function spend(times: number, request: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await request()
}

t.test(
  'each credential has 600 requests a minute, and the headers show the remaining requests [S-limits-1]',
  async (t) => {
    const world = await createWorld()
    t.strictSame(budgetOf(await me(world)), [600, 599, 1])
    await spend(29, () => me(world))
    t.strictSame(budgetOf(await me(world)), [600, 569, 4])
    t.strictSame(budgetOf(await me(world, { token: world.otherPartner.token })), [600, 599, 1])
  },
)

t.test(
  'the budget refills continuously, at about ten requests a second [S-limits-6]',
  async (t) => {
    const world = await createWorld()
    await spend(600, () => me(world))
    t.equal((await me(world)).status, 429)
    world.clock.advance(0.1)
    t.equal((await me(world)).status, 200)
    t.equal((await me(world)).status, 429)
    world.clock.advance(1)
    t.strictSame(budgetOf(await me(world)), [600, 9, 60])
    world.clock.advance(600)
    t.strictSame(budgetOf(await me(world)), [600, 599, 1])
  },
)

t.test(
  'a request over the limit gets 429 with a Retry-After of at least 1, and costs no budget [S-limits-7]',
  async (t) => {
    const world = await createWorld({ app: { limits: { requests: 6 } } })
    await spend(6, () => me(world))
    for (let time = 0; time < 5; time++) {
      const { status, headers, body } = await me(world)
      t.equal(status, 429)
      t.equal(body.code, 'RATE_LIMITED')
      t.equal(headers.get('retry-after'), '10')
    }
    world.clock.advance(9.99)
    const refused = await me(world)
    t.equal(refused.headers.get('retry-after'), '1')
    t.strictSame(budgetOf(refused), [6, 0, 51])
    world.clock.advance(0.01)
    t.equal((await me(world)).status, 200)
  },
)

/** A request that each limit counts. */
const counted: Readonly<Record<keyof RateLimits, (world: World) => Promise<{ status: number }>>> = {
  requests: me,
  tokens: requestToken,
  requestsPerAddress: (world) => world.request('GET', '/v1/me'),
}

for (const [name, request] of Object.entries(counted)) {
  t.test(`the limit that a setting names is kept: ${name}`, async (t) => {
    const world = await createWorld({ app: { limits: { [name]: 1 } } })
    t.not((await request(world)).status, 429)
    t.equal((await request(world)).status, 429)
  })
}

t.test('the limit is for each credential, not for each address [S-limits-2]', async (t) => {
  const world = await createWorld({ app: { limits: { requests: 2 } } })
  await spend(2, () => me(world, { address: '203.0.113.1' }))
  t.equal((await me(world, { address: '203.0.113.2' })).status, 429)
  t.equal((await me(world, { token: world.otherPartner.token })).status, 200)
})

t.test(
  'every refusal has rate limit headers, which without a valid token are about the address [S-endpoints-6]',
  async (t) => {
    const world = await createWorld()
    const { token } = world.partner
    const narrow = await world.tokenWith('investors:read')
    const table = [
      [200, 600, () => me(world)],
      [401, 1200, () => world.request('GET', '/v1/me')],
      [401, 1200, () => me(world, { token: 'garbage' })],
      [403, 600, () => world.request('GET', '/v1/cooperatives', { token: narrow })],
      [404, 600, () => world.request('GET', '/v1/nothing-here', { token })],
      [405, 600, () => world.request('DELETE', '/v1/me', { token })],
      [415, 600, () => world.request('POST', '/v1/investors', { token })],
      [400, 600, () => world.request('POST', '/v1/investors', { token, body: '{' })],
      [422, 600, () => world.request('POST', '/v1/investors', { token, body: {} })],
    ] as const
    for (const [status, expectedLimit, request] of table) {
      const answer = await request()
      t.equal(answer.status, status)
      const [limit, remaining = -1, reset = -1] = budgetOf(answer)
      t.equal(limit, expectedLimit, `${status}`)
      t.ok(Number.isInteger(remaining) && remaining > 0, `${status}`)
      t.ok(Number.isInteger(reset) && reset > 0, `${status}`)
    }
  },
)

t.test(
  'each address has a higher limit, which is checked before authentication [S-limits-10] [D26]',
  async (t) => {
    const world = await createWorld()
    await spend(1200, () => world.request('GET', '/v1/me'))
    const { status, headers, body } = await me(world)
    t.equal(status, 429)
    t.equal(body.code, 'RATE_LIMITED')
    t.equal(headers.get('ratelimit-limit'), '1200')
    t.equal(headers.get('retry-after'), '1')
    t.equal((await me(world, { address: '203.0.113.2' })).status, 200)
  },
)

t.test(
  'a request that the limit of the credential refuses does not count for the address either',
  async (t) => {
    const world = await createWorld({ app: { limits: { requests: 1, requestsPerAddress: 3 } } })
    await spend(10, () => me(world))
    t.equal((await me(world, { token: world.otherPartner.token })).status, 200)
  },
)

const sameCaller: readonly [title: string, addresses: readonly string[]][] = [
  ['addresses of the same IPv6 /64', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']],
  ['an IPv4 address and its IPv6 form', ['203.0.113.7', '::ffff:203.0.113.7']],
]

for (const [title, addresses] of sameCaller) {
  t.test(`one caller: ${title}`, async (t) => {
    const world = await createWorld({ app: { limits: { requestsPerAddress: 1 } } })
    const statuses = []
    for (const address of addresses) statuses.push((await me(world, { address })).status)
    t.strictSame(statuses, [200, 429])
    t.equal((await me(world, { address: '2001:db8:1:3::1' })).status, 200, 'another network')
  })
}

// The address of the socket is 203.0.113.1. It first makes the only request that its limit allows.
const forwarded: readonly [hops: number, header: string | undefined, isSocket: boolean][] = [
  [0, '198.51.100.1', true],
  [1, undefined, true],
  [1, '198.51.100.1', false],
  [1, '198.51.100.1, 203.0.113.1', true],
  [2, '203.0.113.1, 198.51.100.2', true],
  [2, '198.51.100.1, 203.0.113.1, 198.51.100.2', true],
  [2, '203.0.113.1, 198.51.100.1, 198.51.100.2', false],
  [2, '198.51.100.1', false],
  [1, '198.51.100.1:4711', false],
  [1, '203.0.113.1:4711', true],
  [2, '203.0.113.1:4711, 198.51.100.2:80', true],
  [1, '[2001:db8:1:2::1]:4711', false],
  [1, '[2001:db8:1:2::1]', false],
  [1, '[::ffff:203.0.113.1]:4711', true],
  [1, '198.51.100.1:', true],
  [1, '198.51.100.1:port', true],
  [1, '[198.51.100.1', true],
  [1, 'unknown', true],
  [1, '', true],
]

t.test(
  '--trust-proxy takes the address from X-Forwarded-For, counted from the right [D26]',
  async (t) => {
    for (const [trustedHops, header, isSocket] of forwarded) {
      const app = { limits: { requestsPerAddress: 1 } }
      const world = await createWorld({ app: { ...app, trustedHops } })
      await me(world)
      const headers = header === undefined ? {} : { 'x-forwarded-for': header }
      const { status } = await me(world, { headers })
      t.equal(status, isSocket ? 429 : 200, `${trustedHops} of ${header}`)
    }
  },
)

t.test('all public paths count against the limit of the calling address [D26]', async (t) => {
  const publicPaths = [
    ...['/docs', '/docs/', '/livez', '/readyz', '/none', '/', '/oauth2/token', '/errors/not-found'],
    ...['/.well-known/jwks.json', '/oauth2/jwks', '/.well-known/oauth-authorization-server'],
    ...[
      '/openapi.json',
      '/openapi/manifest.json',
      '/openapi/none',
      '/openapi/sandbox.json',
      '/%zz',
    ],
    '/images/cooperatives/0198c0de-0000-7000-8000-000000000001/hero',
    '/images/projects/0198c0de-0000-7000-8000-000000000001',
  ]
  for (const path of publicPaths) {
    const world = await createWorld({ app: { limits: { requestsPerAddress: 2 } } })
    // world.request would fail, because the contract has no 429 for these paths.
    const ask = (clientAddress: string) => world.app.request(path, undefined, { clientAddress })
    await ask('203.0.113.1')
    const last = await ask('203.0.113.1')
    t.not(last.status, 429, path)
    t.notOk(last.headers.has('ratelimit-limit'), 'these headers are only for /v1')
    const { status, headers } = await ask('203.0.113.1')
    t.equal(status, 429, path)
    t.equal(headers.get('retry-after'), '30')
    t.equal((await me(world)).status, 429, 'all these paths share a limit')
    t.not((await ask('203.0.113.2')).status, 429, 'another address')
    t.equal((await requestToken(world)).status, 200, 'token requests have their own limit')
  }
})

t.test('a health probe from the same machine is always answered [D26]', async (t) => {
  for (const clientAddress of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    const world = await createWorld({ app: { limits: { requestsPerAddress: 1 } } })
    const ask = async (path: string, headers = {}) =>
      (await world.app.request(path, { headers }, { clientAddress })).status
    t.strictSame([await ask('/none'), await ask('/none')], [404, 429], clientAddress)
    for (const path of ['/livez', '/readyz', '/livez/']) t.equal(await ask(path), 200, path)
    const app = { limits: { requestsPerAddress: 1 } }
    const behind = await createWorld({ app: { ...app, trustedHops: 1 } })
    const forwarded = async () => {
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      return (await behind.app.request('/livez', { headers }, { clientAddress })).status
    }
    t.strictSame(
      [await forwarded(), await forwarded()],
      [200, 429],
      'through a proxy of this machine',
    )
  }
})

t.test(
  'each credential has 20 token requests a minute from all addresses together [S-token-8]',
  async (t) => {
    const world = await createWorld()
    let host = 0
    const fromAnywhere = () => requestToken(world, { address: `198.51.100.${++host}` })
    await spend(20, fromAnywhere)
    const { status, headers, body } = await fromAnywhere()
    t.equal(status, 429)
    t.equal(body.error, 'temporarily_unavailable')
    t.equal(headers.get('retry-after'), '3')
    t.notOk(headers.has('ratelimit-limit'), 'these headers are only for /v1')
    world.clock.advance(3)
    t.equal((await fromAnywhere()).status, 200)
    t.equal((await fromAnywhere()).status, 429)
  },
)

t.test(
  'each address has 20 token requests a minute for all credentials together [S-limits-3]',
  async (t) => {
    const world = await createWorld()
    const { clientId, clientSecret } = world.otherPartner
    await spend(10, () => requestToken(world))
    await spend(10, () => requestToken(world, { headers: {} }))
    const other = { headers: basic(clientId, clientSecret) }
    t.equal((await requestToken(world, other)).status, 429)
    t.equal((await requestToken(world, { ...other, address: '198.51.100.1' })).status, 200)
  },
)

t.test(
  'a wrong secret counts only against the calling address, so nobody can lock a partner out [D25]',
  async (t) => {
    const world = await createWorld()
    const wrong = { headers: basic(world.partner.clientId, 'wrong') }
    for (let host = 1; host <= 5; host++) {
      await spend(10, () => requestToken(world, { ...wrong, address: `198.51.100.${host}` }))
    }
    t.equal((await requestToken(world)).status, 200)
  },
)

t.test('the token of an operator has no rate limit', async (t) => {
  const world = await createWorld()
  await spend(25, () => issueTestToken(world.service, world.partner.clientId))
  t.equal((await requestToken(world)).status, 200)
})
