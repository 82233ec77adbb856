import t from 'tap'
import { buildCooperative, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import { callEveryEndpoint } from '../../fixtures/world/every-endpoint.ts'
import { createMarket, provision, sharePurchaseBody } from '../../fixtures/world/market.ts'
import { basic, postForm } from '../../fixtures/world/token-request.ts'
import { createWorld, type RequestOptions } from '../../fixtures/world/world.ts'
import { createClient } from '../../src/usecases/oauth/clients.ts'
import { issueToken } from '../../src/usecases/oauth/issue-token.ts'

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'

t.test('the first check that fails decides the answer [D16]', async (t) => {
  const limits = { requests: 1, requestsPerAddress: 1 }
  const market = await createMarket({}, { app: { limits } })
  const { world } = market
  world.clock.advance(60)
  const empty = { partner_customer_ref: 'empty', profile: undefined }
  const own = await provision(world, empty)
  const internal = await createClient(world.service, {
    organization: 'Demo Bank',
    kind: 'internal',
  })
  const { client } = internal
  const stranger = await issueToken(world.service, { client, scopes: client.grantedScopes })
  const narrow = await world.tokenWith('projects:read')
  const { token } = world.partner

  const bad = sharePurchaseBody(market, { cooperative_id: unknownId, share_count: 0 })
  const noCooperative = { ...bad, share_count: 1 }
  const text = { 'content-type': 'text/plain' }
  const ask = (investorId: string, options: RequestOptions) =>
    world.request('POST', `/v1/investors/${investorId}/share-purchases`, options)
  const ladder: [code: string, status: number, investorId: string, options: RequestOptions][] = [
    ['UNAUTHENTICATED', 401, unknownId, { token: 'garbage', headers: text, body: 'x' }],
    ['FORBIDDEN', 403, unknownId, { token: stranger.accessToken, headers: text, body: 'x' }],
    ['INSUFFICIENT_SCOPE', 403, unknownId, { token: narrow, headers: text, body: 'x' }],
    ['UNSUPPORTED_MEDIA_TYPE', 415, unknownId, { token, headers: text, body: 'x' }],
    ['MALFORMED_REQUEST_BODY', 400, unknownId, { token, body: '{' }],
    ['MALFORMED_REQUEST_BODY', 400, unknownId, { token, body: { ...bad, extra: 1 } }],
    ['MANAGED_INVESTOR_NOT_FOUND', 404, unknownId, { token, body: bad }],
    ['VALIDATION_ERROR', 422, own, { token, body: bad }],
    ['COOPERATIVE_NOT_FOUND', 404, own, { token, body: noCooperative }],
    ['INVESTOR_PROFILE_INCOMPLETE', 409, own, { token, body: sharePurchaseBody(market) }],
  ]
  for (const [code, status, investorId, options] of ladder) {
    world.clock.advance(60)
    const answer = await ask(investorId, options)
    t.strictSame([answer.status, answer.body.code], [status, code])
    const again = await ask(investorId, options)
    t.equal(again.status, 429, `${code}: the limit of the address comes first`)
    const elsewhere = await ask(investorId, { ...options, address: '203.0.113.9' })
    const expected = code === 'UNAUTHENTICATED' ? 401 : 429
    t.equal(
      elsewhere.status,
      expected,
      `${code}: the token comes next, and then the limit of the client`,
    )
  }
})

t.test('HEAD answers like GET without the body', async (t) => {
  const { market, answers } = await callEveryEndpoint()
  const { token } = market.world.partner
  for (const [title] of answers) {
    const [method = '', path = ''] = title.split(' ')
    if (method !== 'GET') continue
    const got = await market.world.request('GET', path, { token })
    const head = await market.world.request('HEAD', path, { token })
    t.strictSame([head.status, head.text], [200, ''], path)
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      const expected =
        name === 'content-length' ? `${Buffer.byteLength(got.text)}` : got.headers.get(name)
      t.equal(head.headers.get(name), expected, `${path} ${name}`)
    }
  }
})

t.test('the service does not allow cross-origin requests', async (t) => {
  const { world } = await createMarket()
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' }
  const { token } = world.partner
  for (const method of ['OPTIONS', 'GET']) {
    const answer = await world.request(method, '/v1/me', { token, headers })
    t.equal(answer.status, method === 'GET' ? 200 : 405)
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
    t.strictSame(names, [])
  }
})

t.test(
  'unknown query parameters are ignored, and a repeated known parameter is refused [D19]',
  async (t) => {
    const { market, answers } = await callEveryEndpoint()
    const { token } = market.world.partner
    for (const [title] of answers) {
      const [method = '', path = ''] = title.split(' ')
      if (method !== 'GET') continue
      const { status, text } = await market.world.request('GET', path, { token })
      const tracked = `${path}${path.includes('?') ? '&' : '?'}utm_source=a&utm_source=b&constructor=c`
      const answer = await market.world.request('GET', tracked, { token })
      t.strictSame([answer.status, answer.text], [status, text], tracked)
    }
    for (const query of [
      'page=1&page=1',
      'size=1&size=2',
      'include_coordinates=true&include_coordinates=',
    ]) {
      const path = `/v1/cooperatives?${query}`
      const { body } = await market.world.request('GET', path, { token })
      t.match(body, { status: 400, code: 'VALIDATION_ERROR', detail: query.split('=')[0] })
    }
  },
)

t.test('a token request without grant_type gets unsupported_grant_type', async (t) => {
  const world = await createWorld()
  const headers = basic(world.partner.clientId, world.partner.clientSecret)
  for (const form of ['', 'scope=investors%3Aread', 'grant_type']) {
    const { status, body } = await postForm(world, form, { headers })
    t.strictSame([status, body.error], [400, 'unsupported_grant_type'], form)
  }
})

t.test('radius_km defaults to 50', async (t) => {
  const { world } = await createMarket({ coordinates: null })
  // A degree of latitude is 111.2 km, so this place is just inside the radius.
  const near = buildCooperative({ key: 'near', coordinates: { latitude: 50.449, longitude: 8 } })
  const far = buildCooperative({ key: 'far', coordinates: { latitude: 50.451, longitude: 8 } })
  await storeCooperatives(world.service.store, near, far)
  for (const [radius, expected] of [
    ['', [near.id]],
    ['&radius_km=51', [near.id, far.id]],
  ] as const) {
    const path = `/v1/cooperatives?near_lat=50&near_lng=8${radius}`
    const { body } = await world.request('GET', path, { token: world.partner.token })
    t.strictSame(
      body.items.map(({ id }: { id: string }) => id),
      expected,
    )
  }
})

t.test(
  'a text may have 200 characters, and the reference and the e-mail may have 255',
  async (t) => {
    const { world, investorId } = await createMarket()
    const { token } = world.partner
    const put = (body: unknown) =>
      world.request('PUT', `/v1/investors/${investorId}/profile`, { token, body })
    const provisionAs = (partner_customer_ref: string) =>
      world.request('POST', '/v1/investors', { token, body: { partner_customer_ref } })
    const [local, ...labels] = [...'abcd'].map((letter) => letter.repeat(60))
    const longest = `${local}@${labels.join('.')}.${'e'.repeat(11)}`
    t.equal(longest.length, 255)
    for (const [title, answer, status] of [
      ['a name of 200', await put(completeProfile({ last_name: 'x'.repeat(200) })), 200],
      ['a name of 200 emoji', await put(completeProfile({ last_name: '😀'.repeat(200) })), 200],
      ['a name of 201', await put(completeProfile({ last_name: 'x'.repeat(201) })), 422],
      ['a blank name', await put(completeProfile({ last_name: ' \t ' })), 422],
      ['a line break', await put(completeProfile({ last_name: 'a\nb' })), 422],
      ['an e-mail of 255', await put(completeProfile({ email: longest })), 200],
      ['an e-mail of 256', await put(completeProfile({ email: `${longest}e` })), 422],
      ['a reference of 255', await provisionAs('x'.repeat(255)), 201],
      ['a reference of 256', await provisionAs('x'.repeat(256)), 422],
    ] as const) {
      t.equal(answer.status, status, title)
    }
  },
)

t.test('a client can send an answer with nulls back, because null means not set', async (t) => {
  const { world, investorId } = await createMarket()
  const { token } = world.partner
  const path = `/v1/investors/${investorId}/profile`
  const bare = completeProfile({ tax_id: null, phone: null, bank_account: null })
  const first = await world.request('PUT', path, { token, body: bare })
  const {
    investor_id: _id,
    is_profile_complete: _is,
    missing_profile_fields: _m,
    ...sections
  } = first.body
  const second = await world.request('PUT', path, { token, body: sections })
  t.strictSame([second.status, second.body], [200, first.body])
})

t.test('a path with a slash at its end answers like the path without it', async (t) => {
  const { world, investorId } = await createMarket()
  const { token } = world.partner
  for (const path of ['/v1/me', '/v1/cooperatives', `/v1/investors/${investorId}`, '/livez']) {
    const [plain, slashed] = await Promise.all(
      [path, `${path}/`].map((each) => world.request('GET', each, { token })),
    )
    t.equal(slashed?.status, 200, path)
    t.equal(slashed?.text, plain?.text, path)
  }
  t.equal((await world.request('GET', '/v1/me/')).status, 401)
})

t.test(
  'JSON that is nested more than 64 levels deep gets 400 MALFORMED_REQUEST_BODY [D21]',
  async (t) => {
    const { world } = await createMarket()
    const send = (levels: number) =>
      world.request('POST', '/v1/investors', {
        token: world.partner.token,
        body: `{"partner_customer_ref":${'['.repeat(levels)}${']'.repeat(levels)}}`,
      })
    t.match(await send(64), { status: 422, body: { code: 'VALIDATION_ERROR' } })
    const { status, body } = await send(65)
    t.equal(status, 400)
    t.match(body, { code: 'MALFORMED_REQUEST_BODY', detail: /64 levels/ })
  },
)
