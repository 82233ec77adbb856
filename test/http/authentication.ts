import { hash } from 'node:crypto'
import { decodeJwt, generateKeyPair, importJWK, SignJWT } from 'jose'
import t from 'tap'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import {
  createClient,
  disableClient,
  enableClient,
  setGrantedScopes,
} from '../../src/usecases/oauth/clients.ts'
import { issueToken } from '../../src/usecases/oauth/issue-token.ts'
import { rotateSigningKey } from '../../src/usecases/oauth/signing-keys.ts'

const me = (world: World, token?: string) => world.request('GET', '/v1/me', { token })

/**
 * Makes the first partner's token with other claims or another header, signed with the key of the
 * service.
 */
async function resigned(
  world: World,
  { claims = {}, header = {} }: { claims?: Record<string, unknown>; header?: object },
): Promise<string> {
  const { store, vault } = world.service
  const [key] = await store.read(({ signingKeys }) => signingKeys.list())
  if (!key) throw new Error('There is no key.')
  return new SignJWT({ ...decodeJwt(world.partner.token), ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
    .sign(await importJWK(JSON.parse(vault.decrypt(key.encryptedPrivateJwk)), 'RS256'))
}

t.test(
  'a request without a token gets 401 UNAUTHENTICATED with a plain challenge [S-bearer-1]',
  async (t) => {
    const world = await createWorld()
    const { clientId, clientSecret } = world.partner
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    for (const authorization of ['', 'Bearer', 'Bearer ', basic]) {
      const { status, headers, body } = await world.request('GET', '/v1/me', {
        headers: { authorization },
      })
      t.equal(status, 401)
      t.equal(body.code, 'UNAUTHENTICATED')
      t.equal(headers.get('www-authenticate'), 'Bearer realm="coopshare"')
    }
  },
)

t.test(
  'an invalid token gets 401 UNAUTHENTICATED with error="invalid_token" [S-bearer-3]',
  async (t) => {
    const world = await createWorld()
    const { token } = world.partner
    const [header = '', payload = '', signature = ''] = token.split('.')
    const { privateKey } = await generateKeyPair('RS256')
    const secret = new TextEncoder().encode('a'.repeat(32))
    const sign = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT(decodeJwt(token)).setProtectedHeader({ alg }).sign(key)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const tokens = {
      garbage: 'garbage',
      'three parts of garbage': 'a.b.c',
      'two tokens': `${token} ${token}`,
      'changed payload': [header, payload.replace(/^..../, 'eyJh'), signature].join('.'),
      'changed signature': [header, payload, signature.replace(/^.../, 'AAA')].join('.'),
      'no signature': [header, payload, ''].join('.'),
      'alg none': [none, payload, ''].join('.'),
      HS256: await sign('HS256', secret),
      'a stranger key': await sign('RS256', privateKey),
      'an unknown kid': await resigned(world, { header: { kid: 'unknown' } }),
      'another issuer': await resigned(world, { claims: { iss: 'https://other.example' } }),
      'another audience': await resigned(world, { claims: { aud: 'others' } }),
      'no expiry': await resigned(world, { claims: { exp: undefined } }),
      'no client': await resigned(world, { claims: { client_id: undefined } }),
      'an unknown client': await resigned(world, { claims: { client_id: 'nobody' } }),
    }
    for (const [title, invalid] of Object.entries(tokens)) {
      const { status, headers, body } = await me(world, invalid)
      t.equal(status, 401, title)
      t.equal(body.code, 'UNAUTHENTICATED', title)
      t.equal(headers.get('www-authenticate'), 'Bearer error="invalid_token"', title)
    }
    t.equal(
      (await me(world, await resigned(world, {}))).status,
      200,
      'the unchanged token is accepted',
    )
  },
)

t.test('a token expires after 900 s, even if the service has cached it [S-bearer-2]', async (t) => {
  const world = await createWorld()
  world.clock.advance(899)
  t.equal((await me(world, world.partner.token)).status, 200)
  world.clock.advance(1)
  const { status, body } = await me(world, world.partner.token)
  t.equal(status, 401)
  t.match(body.detail, 'expired')
  t.equal((await me(await createWorld(), world.partner.token)).status, 401)
})

t.test(
  'the tokens of a disabled client get 401 immediately, and are valid again when it is enabled [D24]',
  async (t) => {
    const world = await createWorld()
    const { token, clientId } = world.partner
    t.equal((await me(world, token)).status, 200)
    await disableClient(world.service, clientId)
    t.equal((await me(world, token)).status, 401)
    t.equal((await me(world, world.otherPartner.token)).status, 200)
    await enableClient(world.service, clientId)
    t.equal((await me(world, token)).status, 200)
  },
)

t.test(
  'when a client loses a scope, its tokens lose the scope too [S-client-2] [D24]',
  async (t) => {
    const world = await createWorld()
    const { token, clientId } = world.partner
    const list = () => world.request('GET', '/v1/cooperatives', { token })
    t.equal((await list()).status, 200)
    await setGrantedScopes(world.service, { clientId, grantedScopes: ['investors:read'] })
    t.equal((await list()).status, 403)
    t.strictSame((await me(world, token)).body.token_scopes, ['investors:read'])
  },
)

t.test('a token is valid until its key retires', async (t) => {
  const world = await createWorld()
  await rotateSigningKey(world.service, { now: true })
  world.clock.advance(899)
  t.equal((await me(world, world.partner.token)).status, 200)
  world.clock.advance(1)
  t.equal((await me(world, world.partner.token)).status, 401)
})

t.test(
  'a missing scope leads to 403 INSUFFICIENT_SCOPE with required_scopes and a challenge [S-scopes-1]',
  async (t) => {
    const world = await createWorld()
    const token = await world.tokenWith('cooperatives:read')
    const path = '/v1/cooperatives/0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'
    const { status, headers, body } = await world.request('GET', path, { token })
    t.equal(status, 403)
    t.equal(body.code, 'INSUFFICIENT_SCOPE')
    t.match(body.detail, 'projects:read')
    t.notMatch(body.detail, 'cooperatives:read')
    t.strictSame(body.required_scopes, ['cooperatives:read', 'projects:read'])
    t.equal(
      headers.get('www-authenticate'),
      'Bearer error="insufficient_scope", scope="cooperatives:read projects:read"',
    )
  },
)

t.test(
  'a token of another kind of client gets 403 FORBIDDEN without required_scopes [S-endpoints-2]',
  async (t) => {
    const world = await createWorld()
    const { client } = await createClient(world.service, {
      organization: 'Demo Bank',
      kind: 'internal',
    })
    const scopes = client.grantedScopes
    const { accessToken } = await issueToken(world.service, { client, scopes })
    for (const path of ['/v1/me', '/v1/cooperatives', '/v1/nothing-here']) {
      const { status, headers, body } = await world.request('GET', path, { token: accessToken })
      t.equal(status, 403)
      t.equal(body.code, 'FORBIDDEN')
      t.notOk('required_scopes' in body)
      t.notOk(headers.has('www-authenticate'))
    }
  },
)

const investor = '/v1/investors/0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'
const scopeTable = [
  ['GET', '/v1/cooperatives', 'cooperatives:read'],
  ['GET', `${investor.replace('investors', 'cooperatives')}`, 'cooperatives:read projects:read'],
  ['POST', '/v1/investors', 'investors:write'],
  ['GET', '/v1/investors?partner_customer_ref=a', 'investors:read'],
  ['GET', investor, 'investors:read'],
  ['PUT', `${investor}/profile`, 'investors:write'],
  ['POST', `${investor}/share-purchases`, 'applications:write'],
  ['GET', `${investor}/share-purchases`, 'applications:read'],
  ['GET', `${investor}/share-purchases/x`, 'applications:read'],
  ['POST', `${investor}/share-purchases/x/cancel`, 'applications:write'],
  ['GET', `${investor}/holdings`, 'portfolio:read'],
] as const

t.test('every endpoint needs exactly the scopes in its row [S-endpoints-8]', async (t) => {
  const world = await createWorld()
  const { clientId } = world.partner
  for (const [method, path, required] of scopeTable) {
    const title = `${method} ${path}`
    const scopes = required.split(' ')
    const others = (await me(world, world.partner.token)).body.granted_scopes.filter(
      (scope: string) => !scopes.includes(scope),
    )
    const refused = await world.request(method, path, { token: await world.tokenWith(...others) })
    t.equal(refused.status, 403, title)
    t.strictSame(refused.body.required_scopes, scopes, title)
    const token = await resigned(world, { claims: { client_id: clientId, scope: required } })
    t.not((await world.request(method, path, { token })).status, 403, title)
  }
  t.equal((await me(world, await resigned(world, { claims: { scope: '' } }))).status, 200)
})

t.test('no log line and no answer contains the token', async (t) => {
  const world = await createWorld()
  const token = `${world.partner.token}x`
  const { text } = await me(world, token)
  const digest = hash('sha256', token, 'hex')
  for (const said of [text, JSON.stringify(world.logger.lines)]) {
    t.notMatch(said, token.slice(0, 40))
    t.notMatch(said, digest)
  }
})
