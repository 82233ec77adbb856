import t from 'tap'
import { createWorld, type WorldOptions } from '../../fixtures/world/world.ts'
import { homeTexts } from '../../src/http/home-texts.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

async function open(headers: Record<string, string>, options: WorldOptions = {}, method = 'GET') {
  const { request } = await createWorld(options)
  return request(method, '/', { headers })
}

t.test('a browser gets a page with links that lead somewhere', async (t) => {
  const { request } = await createWorld()
  const headers = { accept: browser }
  const home = await request('GET', '/', { headers })
  t.equal(home.status, 200)
  t.equal(home.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(home.headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-/)
  t.equal(home.headers.get('vary'), 'Accept, Accept-Language')
  t.notMatch(home.text, /<script|style="/)
  const links = [...home.text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
  t.ok(links.length >= 9)
  for (const path of links) {
    const { status } = await request('GET', path, { headers })
    t.equal(status, 200, path)
  }
  const sixCalls = '/docs#?route=overview--place-a-first-order-in-six-calls'
  for (const path of [
    '/docs',
    sixCalls,
    '/guide/',
    '/openapi.yaml',
    '/openapi.postman_collection.json',
    '/errors',
  ])
    t.ok(links.includes(path), path)
  t.match(home.text, 'https://partner-api.example')
  t.match(home.text, '>staging<')
})

t.test('programs still get a problem document', async (t) => {
  const accepted = [
    undefined,
    '*/*',
    'application/json',
    'application/problem+json',
    'text/*',
    'text/html;q=0',
    'text/html;q=0.0, */*',
    'application/json, text/html;q=0.5',
    'text/html;q=none',
    'image/png',
  ]
  for (const accept of accepted) {
    const { status, headers, body } = await open(accept === undefined ? {} : { accept })
    t.strictSame([status, body.code], [404, 'NOT_FOUND'], `${accept}`)
    t.equal(headers.get('content-type'), 'application/problem+json')
    t.equal(headers.get('vary'), 'Accept, Accept-Language', `${accept}`)
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, body } = await open({ accept: browser }, {}, method)
    t.strictSame([status, body.code], [404, 'NOT_FOUND'], method)
  }
  const { request } = await createWorld()
  const other = await request('GET', '/no-such-path', { headers: { accept: browser } })
  t.equal(other.body.code, 'NOT_FOUND', 'another path')
})

t.test('a page is sent if it is at least as welcome as JSON', async (t) => {
  for (const accept of [
    'text/html',
    'TEXT/HTML',
    'text/html;charset=utf-8;q=0.5',
    'application/json;q=0.5, text/html',
    'text/html, application/json',
  ]) {
    t.equal((await open({ accept })).status, 200, accept)
  }
})

t.test('HEAD has the headers of the page, and an unchanged page is not sent again', async (t) => {
  const { request } = await createWorld()
  const page = await request('GET', '/', { headers: { accept: browser } })
  const head = await request('HEAD', '/', { headers: { accept: browser } })
  t.strictSame([head.status, head.text], [200, ''])
  t.equal(head.headers.get('etag'), page.headers.get('etag'))
  const known = { accept: browser, 'if-none-match': page.headers.get('etag') ?? '' }
  t.equal((await request('GET', '/', { headers: known })).status, 304)
})

t.test('the page is in German for those who prefer it', async (t) => {
  const { text } = await open({ accept: browser, 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' })
  t.match(text, '<html lang="de">')
  t.match(text, homeTexts.errors[1])
  t.match(text, `<a href="/guide/">${homeTexts.guide[1]}</a>`)
  t.match((await open({ accept: browser })).text, '<html lang="en">')
})

t.test('only a demo shows credentials and the console', async (t) => {
  const publicCredentials = { client_id: 'a-client', client_secret: 'a-secret' }
  const consoleUrl = 'http://127.0.0.1:1/'
  const shown = (await open({ accept: browser }, { app: { publicCredentials, consoleUrl } })).text
  for (const text of ['a-client', 'a-secret', consoleUrl]) t.match(shown, text)
  t.match(shown, 'TOKEN=$(curl -s -u a-client:a-secret')
  const settings = { environment: 'production' } as const
  for (const options of [{}, { settings }]) {
    const { text } = await open({ accept: browser }, options)
    t.notMatch(text, /Demo data|coopshare console/)
    t.match(text, 'CLIENT_ID:CLIENT_SECRET')
  }
  t.notMatch((await open({ accept: browser }, { settings })).text, 'sandbox')
})
