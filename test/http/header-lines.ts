import t from 'tap'
import { consoleToken } from '../../fixtures/world/console.ts'
import { files, startListeners } from '../../fixtures/world/listeners.ts'
import { collectionOf, createMarket, sharePurchaseBody } from '../../fixtures/world/market.ts'
import { basic } from '../../fixtures/world/token-request.ts'

const end = 'Connection: close'

t.test('a request with two hosts, or with one that is not valid, gets 400', async (t) => {
  const { partners, operators, exchange } = await startListeners(t, false)
  const wrong = [
    ...[
      '',
      ' ',
      'a b',
      'a/b',
      'a@b',
      'a?b',
      'a#b',
      'a:b',
      'a:99999',
      ':80',
      '::1',
      '[::1',
      'a,b c',
    ],
    ...['http://a', 'a\\b', '1.2.3.400', 'a%00b', '\xe4', '"a"', '<a>'],
  ]
  const right = [
    'a',
    'A.Example',
    'a:80',
    'a:',
    'my_host:8080',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:80',
    'a.',
  ]
  for (const port of [partners, operators]) {
    const ask = (...lines: string[]) => exchange(port, ...lines, end)
    for (const host of wrong) {
      for (const version of ['1.0', '1.1']) {
        const answer = await ask(`GET /livez HTTP/${version}`, `Host: ${host}`)
        t.match(answer, /^HTTP\/1\.1 400 /, `${version} ${host}`)
        t.match(answer, /"detail":"(The header Host is not a host name|This is not a well-formed)/)
      }
    }
    for (const host of right) {
      t.match(await ask('GET /livez HTTP/1.1', `Host: ${host}`), /^HTTP\/1\.1 200 /, host)
    }
    for (const other of ['a', 'b']) {
      const answer = await ask('GET /livez HTTP/1.1', 'Host: a', `host: ${other}`)
      t.match(answer, /^HTTP\/1\.1 400 .*"detail":"Send the header Host only once\."/s)
    }
    t.match(await ask('GET /livez HTTP/1.1'), /^HTTP\/1\.1 400 .*must have a Host header/s)
    t.match(await ask('GET /livez HTTP/1.0'), /^HTTP\/1\.1 200 /)
    t.match(await ask('GET http://a/livez HTTP/1.1'), /^HTTP\/1\.1 400 /)
    t.match(await ask('GET http://a/livez HTTP/1.1', 'Host: a b'), /^HTTP\/1\.1 400 /)
  }
})

t.test('the host of a whole URL counts, not the header Host', async (t) => {
  const { partners, operators, exchange } = await startListeners(t, false)
  const ask = (port: number, target: string, host: string) =>
    exchange(port, `GET ${target} HTTP/1.1`, `Host: ${host}`, 'Accept: text/html', end)
  t.match(await ask(partners, 'http://a/livez', 'b'), /^HTTP\/1\.1 200 /)
  const own = '127.0.0.1:1'
  t.match(await ask(operators, '/', own), /^HTTP\/1\.1 401 /, 'the page to sign in')
  t.match(await ask(operators, `http://${own}/`, 'evil.example'), /^HTTP\/1\.1 401 /)
  t.match(await ask(operators, 'http://evil.example/', own), /^HTTP\/1\.1 403 /)
})

t.test('two lines of a header that may have only one are named as the fault', async (t) => {
  const market = await createMarket()
  const { world } = market
  const { partners, exchange } = await startListeners(t, false, world)
  const bearer = `Authorization: Bearer ${world.partner.token}`
  const json = 'Content-Type: application/json'
  const order = JSON.stringify(sharePurchaseBody(market))
  const key = 'Idempotency-Key: k-1'
  const place = (...lines: string[]) => {
    const length = `Content-Length: ${order.length}`
    const start = `POST ${collectionOf(market)} HTTP/1.1`
    return exchange(partners, start, 'Host: a', bearer, length, end, ...lines, '', order)
  }
  const once = (name: string) => new RegExp(`Send the header ${name} only once\\.`)
  const twoTypes = await place(json, json)
  t.match(twoTypes, /^HTTP\/1\.1 415 /)
  t.match(twoTypes, once('Content-Type'))
  const twoKeys = await place(json, key, key)
  t.match(twoKeys, /^HTTP\/1\.1 422 /)
  t.match(twoKeys, once('Idempotency-Key'))
  t.match(await place(json, key), /^HTTP\/1\.1 201 /)
  const twoTokens = await exchange(partners, 'GET /v1/me HTTP/1.1', 'Host: a', bearer, bearer, end)
  t.match(twoTokens, /^HTTP\/1\.1 401 /)
  t.match(twoTokens, once('Authorization'))

  const form = 'Content-Type: application/x-www-form-urlencoded'
  const { authorization } = basic(world.partner.clientId, world.partner.clientSecret)
  const credentials = `Authorization: ${authorization}`
  const grant = 'grant_type=client_credentials'
  const request = (...lines: string[]) => {
    const start = ['POST /oauth2/token HTTP/1.1', 'Host: a', `Content-Length: ${grant.length}`]
    return exchange(partners, ...start, end, ...lines, '', grant)
  }
  t.match(await request(form, credentials), /^HTTP\/1\.1 200 /)
  t.match(await request(form, form, credentials), /^HTTP\/1\.1 400 .*"invalid_request"/s)
  t.match(await request(form, form, credentials), once('Content-Type'))
  t.match(await request(form, credentials, credentials), /^HTTP\/1\.1 401 .*"invalid_client"/s)
  t.match(await request(form, credentials, credentials), once('Authorization'))
})

t.test('each 401 has a challenge, on both listeners [S-token-7]', async (t) => {
  for (const https of [false, files]) {
    const { world, partners, operators, exchange } = await startListeners(t, https)
    const { clientId, clientSecret } = world.partner
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const token = (fields: string, ...lines: string[]) => {
      const start = ['POST /oauth2/token HTTP/1.1', 'Host: a', `Content-Length: ${fields.length}`]
      return exchange(partners, ...start, form, end, ...lines, '', fields)
    }
    const ask = (port: number, start: string, ...lines: string[]) =>
      exchange(port, `${start} HTTP/1.1`, 'Host: 127.0.0.1:1', end, ...lines)
    const grant = 'grant_type=client_credentials'
    const basicRealm = /^www-authenticate: Basic realm="coopshare"\r$/im
    for (const answer of [
      await token(grant),
      await token(`${grant}&client_id=${clientId}`),
      await token(`${grant}&client_id=${clientId}&client_secret=wrong`),
      await token(grant, `Authorization: ${basic(clientId, 'wrong').authorization}`),
      await token(grant, `Authorization: Bearer ${clientSecret}`),
    ]) {
      t.match(answer, /^HTTP\/1\.1 401 /)
      t.match(answer, basicRealm)
    }
    const bearerRealm = /^www-authenticate: Bearer /im
    for (const answer of [
      await ask(partners, 'GET /v1/me'),
      await ask(partners, 'GET /v1/me', 'Authorization: Bearer wrong'),
      await ask(partners, 'POST /sandbox/tokens/expire'),
      await ask(operators, 'POST /operations/organization.list'),
      await ask(operators, 'GET /metrics'),
      await ask(operators, 'GET /metrics', 'Authorization: Bearer wrong'),
      await ask(operators, 'GET /store/backup', 'Authorization: Coopshare-Signature x="y"'),
      await ask(operators, 'GET /bench/clock'),
      await ask(operators, 'GET /none'),
      await ask(operators, 'GET /orders', 'Accept: text/html'),
      await ask(operators, 'GET /orders', 'Accept: application/json'),
    ]) {
      t.match(answer, /^HTTP\/1\.1 401 /)
      t.match(answer, bearerRealm)
    }
    t.match(await ask(operators, 'GET /metrics', `Authorization: Bearer ${consoleToken}`), / 200 /)
  }
})
