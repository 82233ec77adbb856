import t from 'tap'
import { type Answer, createWorld } from '../../fixtures/world/world.ts'
import type { Environment } from '../../src/ports/collections.ts'

async function readPage(headers?: Record<string, string>): Promise<Answer> {
  const { request } = await createWorld()
  return request('GET', '/docs', { headers })
}

function etagOf({ headers }: Answer): string {
  return headers.get('etag') ?? ''
}

t.test('the reference page shows the published contract', async (t) => {
  const { request } = await createWorld()
  const { status, headers, text } = await request('GET', '/docs')
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  const [, contract = ''] =
    /<script type="application\/json" id="contract">(.*?)<\/script>/s.exec(text) ?? []
  t.strictSame(JSON.parse(contract), (await request('GET', '/openapi.json')).body)
})

t.test('the reference page may run only its own scripts and load nothing [D68]', async (t) => {
  const { headers, text } = await readPageIn('production')
  const policy = headers.get('content-security-policy') ?? ''
  t.match(policy, /^default-src 'none'; /)
  t.notMatch(policy, /'unsafe|'self'|https?:|\*/)
  t.strictSame(directivesOf(policy), always)
  t.equal(text.match(/<script>/g)?.length, 1, 'only the script that shows the contract')
})

t.test(
  'the reference page in staging may also call the service from which it comes [D68]',
  async (t) => {
    const { headers, text } = await readPageIn('staging')
    const policy = headers.get('content-security-policy') ?? ''
    t.notMatch(policy, /'unsafe|https?:|\*/)
    t.strictSame(directivesOf(policy), [...always, 'connect-src'])
    t.match(policy, /; connect-src 'self'$/)
    t.match(text, '<script type="application/json" id="calls">{"kind":"client"}</script>')
  },
)

const always = [
  'default-src',
  'script-src',
  'style-src',
  'img-src',
  'base-uri',
  'form-action',
  'frame-ancestors',
]

async function readPageIn(environment: Environment): Promise<Answer> {
  const { request } = await createWorld({ settings: { environment } })
  return request('GET', '/docs')
}

function directivesOf(policy: string): string[] {
  return policy.split('; ').map((directive) => directive.replace(/ .*/, ''))
}

t.test('the reference page has the licences of its parts', async (t) => {
  const { text } = await readPage()
  for (const owner of ['Apache License', 'Christopher Jeffrey', 'Google LLC']) {
    t.ok(text.includes(owner), owner)
  }
})

t.test('the reference page is compressed for clients that accept gzip', async (t) => {
  const plain = await readPage()
  t.equal(plain.headers.get('content-encoding'), null)
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP ; q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', null],
    ['*, gzip;q=0.0', null],
    ['br', null],
    ['identity', null],
    ['', null],
  ] as const) {
    const answer = await readPage({ 'accept-encoding': accepted })
    t.equal(answer.headers.get('content-encoding'), encoding, accepted)
    t.equal(answer.headers.get('vary'), 'accept-encoding', accepted)
    t.equal(
      etagOf(answer) === etagOf(plain),
      encoding === null,
      `each encoding has its own tag: ${accepted}`,
    )
  }
})

t.test(
  'the reference page has a strong ETag, and an unchanged page is answered with 304',
  async (t) => {
    for (const encoding of ['gzip', 'identity']) {
      const accept = { 'accept-encoding': encoding }
      const first = await readPage(accept)
      t.match(etagOf(first), /^"[^"]+"$/, encoding)
      t.equal(first.headers.get('cache-control'), 'public, max-age=300')
      for (const tags of [etagOf(first), `W/${etagOf(first)}`, `"other", ${etagOf(first)}`, '*']) {
        const again = await readPage({ ...accept, 'if-none-match': tags })
        t.strictSame([again.status, again.text], [304, ''], `${encoding} ${tags}`)
        t.equal(etagOf(again), etagOf(first), `${encoding} ${tags}`)
      }
      t.equal((await readPage({ ...accept, 'if-none-match': '"other"' })).status, 200, encoding)
    }
  },
)

t.test('HEAD returns the headers of the reference page', async (t) => {
  const { request } = await createWorld()
  const page = await request('GET', '/docs')
  const head = await request('HEAD', '/docs')
  t.strictSame([head.status, head.text], [200, ''])
  t.equal(head.headers.get('content-length'), `${Buffer.byteLength(page.text)}`)
  t.equal(etagOf(head), etagOf(page))
})
