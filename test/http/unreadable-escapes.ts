import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { openBench } from '../../fixtures/world/bench.ts'
import { consoleToken, openConsole, openOperatorApp, signIn } from '../../fixtures/world/console.ts'
import { createListeningWorld } from '../../fixtures/world/listening-world.ts'
import { createMarket } from '../../fixtures/world/market.ts'
import { basic, postForm } from '../../fixtures/world/token-request.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'

/** Latin-1, broken escapes, an overlong form, half of a pair of UTF-16, a letter that is cut off, and beyond Unicode. */
const unreadable = ['M%FC', '%zz', '100%', '%C0%AF', '%ED%A0%80', 'M%C3', '%F4%90%80%80']

const parameters: Readonly<Record<string, readonly string[]>> = {
  '/v1/investors': ['partner_customer_ref'],
  '/v1/cooperatives': [
    ...['q', 'city', 'bafa_funded', 'dividend_type', 'affiliation', 'min_share_price'],
    ...['max_share_price', 'near_lat', 'near_lng', 'radius_km', 'sort', 'page', 'size'],
    'include_coordinates',
  ],
  '/v1/cooperatives/ID': ['expand'],
  '/v1/investors/INVESTOR/share-purchases': ['page', 'size'],
  '/v1/investors/INVESTOR/holdings': ['page', 'size'],
  '/sandbox/events': ['status', 'after', 'limit'],
}

async function allowSelfService({ service, partner }: World): Promise<void> {
  const organization = partner.organizationId
  await runOperation(service, 'organization.update', { organization, self_service: true })
}

t.test(
  'a query parameter that cannot be decoded gets 400, and an unknown one is ignored [D19]',
  async (t) => {
    const market = await createMarket()
    const { world, investorId, cooperative } = market
    const { token } = world.partner
    await allowSelfService(world)
    for (const [template, names] of Object.entries(parameters)) {
      const path = template.replace('INVESTOR', investorId).replace('ID', cooperative.id)
      for (const name of names) {
        for (const value of unreadable) {
          const { status, body } = await world.request('GET', `${path}?${name}=${value}`, { token })
          t.equal(status, 400, `${name}=${value}`)
          t.match(body, {
            code: 'VALIDATION_ERROR',
            detail: `The parameter ${name} must be percent-encoded UTF-8.`,
          })
        }
      }
      const usual = template === '/v1/investors' ? 'partner_customer_ref=customer-1&' : ''
      const beside = `${path}?${usual}utm=M%FC&%FC=1&M%FC&=%zz`
      t.equal((await world.request('GET', beside, { token })).status, 200, beside)
    }
  },
)

t.test('text in Latin-1 finds no other customer', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  const body = { partner_customer_ref: 'M\ufffd-1' }
  await world.request('POST', '/v1/investors', { token, body })
  const find = (text: string) =>
    world.request('GET', `/v1/investors?partner_customer_ref=${text}`, { token })
  for (const text of ['M%FC-1', 'M%E4-1']) t.equal((await find(text)).status, 400)
  t.equal((await find('M%EF%BF%BD-1')).status, 200)
  t.equal((await find('M%C3%BC-1')).status, 404)
})

t.test('a path that cannot be decoded gets 400, after the token was checked [D16]', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  await allowSelfService(world)
  for (const value of unreadable) {
    for (const path of ['/v1/investors/', '/v1/none/', '/v1/cooperatives/', '/sandbox/events/']) {
      const { status, body } = await world.request('GET', `${path}${value}`, { token })
      t.equal(status, 400, `${path}${value}`)
      t.match(body, { code: 'VALIDATION_ERROR', detail: 'The path must be percent-encoded UTF-8.' })
      t.equal((await world.request('GET', `${path}${value}`)).status, 401)
    }
    for (const path of ['/', '/errors/', '/images/projects/', '/openapi/']) {
      t.equal((await world.app.request(`${path}${value}`)).status, 400, `${path}${value}`)
    }
  }
  const { status } = await world.request('GET', '/v1/investors/M%C3%BC', { token })
  t.equal(status, 404)
})

t.test('raw bytes of other alphabets get 400 wherever they are', async (t) => {
  const world = await createListeningWorld()
  t.teardown(() => world.close())
  const ask = async (target: string) => {
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
    const lines = [
      ...[`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'],
      `Authorization: Bearer ${world.partner.token}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk))
    await once(socket, 'close')
    return Number(text.split(' ')[1])
  }
  t.equal(await ask('/v1/cooperatives?q=allg%C3%A4u'), 200)
  // As Latin-1, and as UTF-8. Node's parser refuses both.
  t.equal(await ask('/v1/cooperatives?q=allg\xe4u'), 400)
  t.equal(await ask('/v1/cooperatives?q=allg\xc3\xa4u'), 400)
  t.equal(await ask('/v1/cooperatives?utm=allg\xe4u'), 400)
  t.equal(await ask('/v1/investors/M\xfc'), 400)
  t.equal(await ask('http://localhost/v1/cooperatives?q=%FC'), 400)
  t.equal(await ask('http://localhost/v1/investors/%FC'), 400)
})

t.test('a token request that cannot be decoded gets invalid_request', async (t) => {
  const world = await createWorld({
    app: { limits: { tokens: 100 } },
  })
  const headers = basic(world.partner.clientId, world.partner.clientSecret)
  for (const value of unreadable) {
    for (const name of ['grant_type', 'scope', 'client_id', 'client_secret']) {
      const { status, body } = await postForm(world, `${name}=${value}`, { headers })
      t.match({ status, error: body.error }, { status: 400, error: 'invalid_request' })
    }
  }
})

t.test('the operator endpoint and the bench refuse what they cannot decode', async (t) => {
  const world = await createWorld()
  const app = openOperatorApp(world.service, { bench: openBench() })
  const headers = { authorization: `Bearer ${consoleToken}` }
  const ask = async (path: string, method = 'GET') =>
    (await app.request(path, { method, headers })).status
  const nonce = 'a'.repeat(32)
  for (const value of unreadable) {
    for (const path of [
      `/identity?nonce=${value}`,
      `/identity?nonce=${nonce}&operator=${value}`,
      ...['after', 'organization', 'wait'].map((name) => `/requests?${name}=${value}`),
      ...['operation', 'client', 'organization', 'direction', 'after', 'limit', 'wait'].map(
        (name) => `/bench/journal?${name}=${value}`,
      ),
      `/errors/${value}`,
      `/none/${value}`,
    ]) {
      t.equal(await ask(path), 400, path)
    }
    t.equal(await ask(`/operations/${value}`, 'POST'), 400, value)
    t.equal(await ask(`/bench/faults/${value}`, 'DELETE'), 400, value)
    t.equal((await app.request(`/none/${value}`)).status, 401, 'without a token')
    t.equal(await ask(`/identity?nonce=${nonce}&utm=${value}`), 200, value)
  }
})

t.test('a page of the console that cannot be decoded gets 400 as a page', async (t) => {
  const console = await openConsole()
  const { cookie, csrf } = await signIn(console)
  const pages: Readonly<Record<string, readonly string[]>> = {
    '/find': ['text'],
    '/investors': ['organization', 'after'],
    '/orders': [
      ...['status', 'organization', 'cooperative', 'proposed', 'investor', 'since', 'until'],
      ...['settled_since', 'settled_until', 'sort', 'after'],
    ],
    '/orders/sums': ['status', 'organization', 'investor'],
    '/events': ['state', 'type', 'organization', 'since', 'after'],
    '/audit': ['actor', 'operator', 'order', 'refused', 'since', 'until', 'after'],
    '/catalogue': ['page'],
    '/live/requests': ['after', 'wait'],
  }
  for (const value of unreadable) {
    for (const [path, names] of Object.entries(pages)) {
      for (const name of names) {
        const { status, text } = await console.get(`${path}?${name}=${value}`, { cookie })
        t.equal(status, 400, `${path}?${name}=${value}`)
        t.match(text, `The parameter ${name} must be percent-encoded UTF-8.`)
      }
      const beside = `${path}?text=${path === '/find' ? 'x' : ''}&utm=${value}`
      t.equal((await console.get(beside, { cookie })).status, 200, beside)
    }
    for (const path of ['/investors/', '/orders/', '/none/']) {
      const { status, text } = await console.get(`${path}${value}`, { cookie })
      t.equal(status, 400, `${path}${value}`)
      t.match(text, /<html.*The path must be percent-encoded UTF-8\./s)
    }
    t.equal((await console.get(`/orders/${value}`)).status, 401, 'without a session')
  }
  for (const value of unreadable) {
    const form = `csrf=${csrf}&to=${value}`
    const { status } = await console.app.request('/language', {
      method: 'POST',
      headers: {
        cookie,
        origin: 'http://127.0.0.1:4711',
        host: '127.0.0.1:4711',
        'sec-fetch-site': 'same-origin',
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form,
    })
    t.equal(status, 400, form)
  }
})
