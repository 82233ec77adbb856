import t from 'tap'
import { requestToken } from '../../fixtures/world/token-request.ts'
import { createWorld } from '../../fixtures/world/world.ts'

const requests = [
  ['GET', '/v1/me', 401],
  ['GET', '/nothing-here', 404],
  ['GET', '/%zz', 400],
  ['POST', '/oauth2/token', 400],
  ['GET', '/oauth2/jwks', 200],
  ['GET', '/.well-known/oauth-authorization-server', 200],
  ['GET', '/livez', 200],
  ['HEAD', '/readyz', 200],
] as const

t.test(
  'every response has the X-Request-Id of the request or a generated one [S-service-26]',
  async (t) => {
    const world = await createWorld()
    for (const [method, path, status] of requests) {
      const generated = await world.request(method, path)
      t.equal(generated.status, status, path)
      t.match(generated.headers.get('x-request-id'), /^[0-9a-f-]{36}$/, path)
      const echoed = await world.request(method, path, { headers: { 'x-request-id': 'sent-1' } })
      t.equal(echoed.headers.get('x-request-id'), 'sent-1', path)
    }
    t.match((await requestToken(world)).headers.get('x-request-id'), /^[0-9a-f-]{36}$/)
  },
)

t.test(
  'X-Request-Id is echoed if it has 1 to 128 visible ASCII characters, and replaced otherwise',
  async (t) => {
    const world = await createWorld()
    for (const [sent, isEchoed] of [
      ['a', true],
      ['!~', true],
      ['x'.repeat(128), true],
      ['x'.repeat(129), false],
      ['', false],
      ['two words', false],
      ['tab\there', false],
      ['caf\u00e9', false],
    ] as const) {
      const headers = { 'x-request-id': sent }
      const answer = await world.request('GET', '/v1/me', { headers })
      const id = answer.headers.get('x-request-id')
      t.equal(id === sent, isEchoed, sent)
      t.equal(answer.body.trace_id, id)
    }
  },
)

t.test('browsers neither guess types nor cache answers about people', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  for (const path of ['/v1/me', '/v1/investors?partner_customer_ref=a', '/nothing-here']) {
    const { headers } = await world.request('GET', path, { token })
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('cache-control'), 'no-store')
  }
})
