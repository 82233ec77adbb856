import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { basic, postForm, requestToken } from '../../fixtures/world/token-request.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { Problem } from '../../src/domain/problem.ts'
import { runOperation } from '../../src/operations/operations.ts'
import {
  disableClient,
  readClient,
  revokeClientSecret,
  rotateClientSecret,
} from '../../src/usecases/oauth/clients.ts'

const allScopes =
  'cooperatives:read projects:read investors:read investors:write applications:read applications:write portfolio:read'

t.test(
  'a token response has access_token, token_type, expires_in and scope [S-token-4]',
  async (t) => {
    const world = await createWorld()
    const { status, headers, body } = await requestToken(world)
    t.equal(status, 200)
    t.strictSame(body, {
      access_token: body.access_token,
      token_type: 'Bearer',
      expires_in: 900,
      scope: allScopes,
    })
    t.match(headers.get('content-type'), /^application\/json/)
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('pragma'), 'no-cache')
  },
)

t.test(
  'a token has iss, aud, client_id, org_id, token_type, scope, exp and kid [S-bearer-4]',
  async (t) => {
    const world = await createWorld()
    const { body } = await requestToken(world, { form: { scope: 'investors:read' } })
    const { clientId, organizationId } = world.partner
    const issuedAt = Date.parse(world.clock.now()) / 1000
    const claims = decodeJwt(body.access_token)
    t.strictSame(claims, {
      iss: 'https://partner-api.example',
      aud: 'coopshare-clients',
      sub: clientId,
      client_id: clientId,
      org_id: organizationId,
      token_type: 'client',
      scope: 'investors:read',
      iat: issuedAt,
      exp: issuedAt + 900,
      jti: claims.jti,
    })
    const keySet = await world.request('GET', '/oauth2/jwks')
    t.strictSame(decodeProtectedHeader(body.access_token), {
      alg: 'RS256',
      typ: 'JWT',
      kid: keySet.body.keys[0].kid,
    })
  },
)

t.test('without scope the token has every scope of the client [S-token-5]', async (t) => {
  const world = await createWorld()
  t.equal((await requestToken(world)).body.scope, allScopes)
  t.equal((await requestToken(world, { form: { scope: '' } })).body.scope, allScopes)
})

t.test('a request with a scope that is not granted fails completely [S-token-6]', async (t) => {
  const world = await createWorld()
  const { status, body } = await requestToken(world, { form: { scope: 'investors:read admin' } })
  t.equal(status, 400)
  t.strictSame(body, {
    error: 'invalid_scope',
    error_description: `The scope admin is not granted to this client. Granted scopes: ${allScopes}.`,
  })
})

t.test('credentials are accepted by HTTP Basic or as form fields [S-token-2]', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret } = world.partner
  const form = { client_id: clientId, client_secret: clientSecret }
  t.equal((await requestToken(world)).status, 200)
  t.equal((await requestToken(world, { form, headers: {} })).status, 200)
  t.equal((await requestToken(world, { form: { client_id: clientId } })).status, 200)
})

t.test('both parts of Basic credentials are form-decoded', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret } = world.partner
  const escaped = [...clientId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const pair = Buffer.from(`${escaped}:${clientSecret}`).toString('base64')
  const { status } = await requestToken(world, { headers: { authorization: `basic ${pair}` } })
  t.equal(status, 200)
  const spaced = await requestToken(world, { headers: { authorization: `Basic   ${pair}` } })
  t.equal(spaced.status, 200, 'one or more blanks before the credentials (RFC 9110 11.4)')
})

t.test('wrong credentials get 401 invalid_client with a challenge [S-token-7]', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret } = world.partner
  const otherSecret = world.otherPartner.clientSecret
  const headersOf: Readonly<Record<string, Record<string, string>>> = {
    'wrong secret': basic(clientId, 'wrong'),
    "another client's secret": basic(clientId, otherSecret),
    'unknown client': basic('0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11', clientSecret),
    'no colon': { authorization: `Basic ${Buffer.from(clientId).toString('base64')}` },
    'an impossible client id': basic('\u0000', clientSecret),
    'no secret': basic(clientId, ''),
    'broken escape': { authorization: `Basic ${Buffer.from('%zz:x').toString('base64')}` },
    'another scheme': { authorization: `Bearer ${world.partner.token}` },
  }
  for (const [title, headers] of Object.entries(headersOf)) {
    const { status, headers: answered, body } = await requestToken(world, { headers })
    t.equal(status, 401, title)
    t.equal(body.error, 'invalid_client', title)
    t.equal(answered.get('www-authenticate'), 'Basic realm="coopshare"', title)
  }
  for (const form of [
    {},
    { client_id: clientId },
    { client_id: clientId, client_secret: 'wrong' },
  ]) {
    const { status, headers, body } = await requestToken(world, { form, headers: {} })
    t.equal(status, 401)
    t.equal(body.error, 'invalid_client')
    t.equal(headers.get('www-authenticate'), 'Basic realm="coopshare"')
  }
})

t.test('a disabled client gets no token', async (t) => {
  const world = await createWorld()
  await disableClient(world.service, world.partner.clientId)
  const { status, body } = await requestToken(world)
  t.equal(status, 401)
  t.strictSame(body, { error: 'invalid_client', error_description: 'This client is disabled.' })
})

t.test(
  'two ways of authentication, repeated parameters and a wrong content type get invalid_request [S-token-1]',
  async (t) => {
    const world = await createWorld()
    const { clientId, clientSecret } = world.partner
    const grant = 'grant_type=client_credentials'
    const credentials = basic(clientId, clientSecret)
    const json = { ...credentials, 'content-type': 'application/json' }
    const answers = {
      'secret twice': await requestToken(world, { form: { client_secret: clientSecret } }),
      'another client_id in the form': await requestToken(world, { form: { client_id: 'x' } }),
      'a parameter twice': await postForm(world, `${grant}&${grant}`, { headers: credentials }),
      'an unknown parameter twice': await postForm(world, `${grant}&a=1&a=2`, {
        headers: credentials,
      }),
      json: await postForm(world, '{"grant_type":"client_credentials"}', { headers: json }),
      'no type': await postForm(world, grant, { headers: { ...credentials, 'content-type': '' } }),
      'bad UTF-8': await postForm(world, Buffer.from([0x61, 0xff]), { headers: credentials }),
      'too much': await postForm(world, 'a'.repeat(65_537), { headers: credentials }),
    }
    for (const [title, { status, headers, body }] of Object.entries(answers)) {
      t.equal(status, 400, title)
      t.equal(body.error, 'invalid_request', title)
      t.equal(headers.get('cache-control'), 'no-store', title)
    }
  },
)

t.test(
  'a grant other than client_credentials gets unsupported_grant_type [S-authentication-3]',
  async (t) => {
    const world = await createWorld()
    for (const form of [
      { grant_type: 'password' },
      { grant_type: 'refresh_token' },
      { grant_type: 'Client_Credentials' },
      { grant_type: '' },
    ]) {
      const { status, body } = await requestToken(world, { form })
      t.equal(status, 400)
      t.equal(body.error, 'unsupported_grant_type')
    }
  },
)

t.test(
  'a form with more than 200 parameters gets invalid_request, and the service reads none of the parameters',
  async (t) => {
    const world = await createWorld()
    const headers = basic(world.partner.clientId, world.partner.clientSecret)
    const others = (count: number) => Array.from({ length: count }, (_, number) => `&p${number}=1`)
    const form = (count: number) => `grant_type=client_credentials${others(count - 1).join('')}`
    const largest = await postForm(world, form(200), { headers })
    t.equal(largest.status, 200)
    const description = 'The form has more than 200 parameters.'
    const escapesThatAreNone = `${form(201)}&a=%zz`
    for (const body of [form(201), escapesThatAreNone, `${form(1)}${'&a'.repeat(30_000)}`]) {
      const answer = await postForm(world, body, { headers })
      t.equal(answer.status, 400)
      t.match(answer.body, { error: 'invalid_request', error_description: description })
    }
  },
)

t.test(
  'a second secret is active beside the first until the first is revoked [S-scopes-3]',
  async (t) => {
    const world = await createWorld()
    const { clientId, clientSecret } = world.partner
    const [old] = (await readClient(world.service, clientId)).secrets
    const rotated = await rotateClientSecret(world.service, clientId)
    const statusWith = async (secret: string) =>
      (await requestToken(world, { headers: basic(clientId, secret) })).status

    t.equal(await statusWith(clientSecret), 200)
    t.equal(await statusWith(rotated.clientSecret), 200)
    await revokeClientSecret(world.service, { clientId, secretId: old?.secretId ?? '' })
    t.equal(await statusWith(clientSecret), 401)
    t.equal(await statusWith(rotated.clientSecret), 200)
  },
)

t.test(
  'an unreadable store leads to temporarily_unavailable, and a fault of the service to server_error',
  async (t) => {
    const refusal = (retryAfterSeconds?: number) =>
      new Problem('SERVICE_UNAVAILABLE', 'Try again later.', { retryAfterSeconds })
    for (const [thrown, status, error, retryAfter] of [
      [refusal(), 503, 'temporarily_unavailable', '30'],
      [refusal(1), 503, 'temporarily_unavailable', '1'],
      [new Error('internal detail'), 500, 'server_error', null],
    ] as const) {
      const world = await createWorld()
      world.service.store.read = () => Promise.reject(thrown)
      const answer = await requestToken(world)
      t.equal(answer.status, status)
      t.equal(answer.body.error, error)
      t.equal(answer.headers.get('retry-after'), retryAfter)
      t.notMatch(answer.text, 'internal detail')
    }
  },
)

t.test('a compressed or wrongly encoded form gets invalid_request', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret } = world.partner
  const headers = basic(clientId, clientSecret)
  const form = 'grant_type=client_credentials'
  for (const [body, encoding] of [
    [`${form}&scope=%ff`, 'identity'],
    [`${form}&scope=%C3`, 'identity'],
    [`${form}&scope=%zz`, 'identity'],
    [`${form}&%ff=1`, 'identity'],
    [form, 'gzip'],
  ] as const) {
    const answer = await postForm(world, body, {
      headers: { ...headers, 'content-encoding': encoding },
    })
    t.equal(answer.status, 400, body)
    t.equal(answer.body.error, 'invalid_request', body)
  }
  const plain = await postForm(world, `${form}&note=%C3%A4+b`, {
    headers: { ...headers, 'content-encoding': 'identity' },
  })
  t.equal(plain.status, 200)
})

t.test('a Basic secret that does not look form-encoded gets a hint', async (t) => {
  const world = await createWorld()
  const clientId = '5b3f7c1e-0000-4000-8000-000000000001'
  const secret = 'p+w/100%:=ä'
  await runOperation(world.service, 'fixtures.apply', {
    organizations: [{ name: 'Bank', clients: [{ client_id: clientId, client_secret: secret }] }],
  })
  const plain = (text: string) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${text}`).toString('base64')}`,
  })
  t.equal((await requestToken(world, { headers: basic(clientId, secret) })).status, 200)
  for (const [sent, isHinted] of [
    [secret, true],
    ['p+w', true],
    ['a%zz', true],
    ['a/b=', true],
    ['wrong', false],
    ['a%2Bb', false],
  ] as const) {
    const { status, body } = await requestToken(world, { headers: plain(sent) })
    t.strictSame([status, body.error], [401, 'invalid_client'], sent)
    t.equal(/form-urlencoded/.test(body.error_description), isHinted, sent)
  }
})

t.test(
  'parameters in the query, and white space at an end of a secret, are named as the cause',
  async (t) => {
    const world = await createWorld()
    const { clientId, clientSecret } = world.partner
    const headers = basic(clientId, clientSecret)
    const ask = async (query: string, form: string, sent: Record<string, string> = headers) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const options = { body: form, headers: { ...type, ...sent } }
      const { body } = await world.request('POST', `/oauth2/token${query}`, options)
      return body
    }
    const grant = 'grant_type=client_credentials'
    t.match(await ask(`?${grant}`, ''), {
      error: 'unsupported_grant_type',
      error_description: 'grant_type is in the query. Send it in the body, as a form field.',
    })
    t.match(await ask(`?client_id=${clientId}&client_secret=${clientSecret}`, grant, {}), {
      error: 'invalid_client',
      error_description: 'client_secret is in the query. Send it in the body, as a form field.',
    })
    t.match(await ask(`?client_id=${clientId}`, `${grant}&client_secret=${clientSecret}`, {}), {
      error: 'invalid_client',
      error_description: 'client_id is in the query. Send it in the body, as a form field.',
    })
    t.match(await ask(`?${grant}`, grant), { token_type: 'Bearer' })
    // Many clients send no content type if they have no body.
    for (const type of [{}, { 'content-type': 'application/json' }]) {
      const options = { headers: { ...type, ...headers } }
      const { status, body } = await world.request('POST', `/oauth2/token?${grant}`, options)
      t.equal(status, 400)
      t.match(body, {
        error: 'invalid_request',
        error_description: 'grant_type is in the query. Send it in the body, as a form field.',
      })
    }
    const plain = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    const space =
      'There is white space, such as a newline, at an end of client_secret. Send it without.'
    for (const secret of [`${clientSecret}\n`, `${clientSecret}\r\n`, ` ${clientSecret}`]) {
      const form = new URLSearchParams({ client_id: clientId, client_secret: secret })
      for (const refused of [
        await ask('', grant, plain(clientId, secret)),
        await ask('', grant, basic(clientId, secret)),
        await ask('', `${grant}&${form}`, {}),
      ]) {
        const error_description = `The client_id or the client_secret is wrong. ${space}`
        t.same(refused, { error: 'invalid_client', error_description })
      }
    }
    t.match(await ask('', grant, basic(`${clientId}\n`, clientSecret)), {
      error_description: /at an end of client_id\./,
    })
  },
)
