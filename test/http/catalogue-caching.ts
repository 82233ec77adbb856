import t from 'tap'
import { buildCooperative, euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { createCatalogue } from '../../src/domain/cooperatives/catalogue.ts'
import { RenderedCatalogue } from '../../src/http/cooperatives.ts'
import { publishCooperative, setSharePrice } from '../../src/usecases/cooperatives/cooperatives.ts'

const sun = buildCooperative()
const paths = ['/v1/cooperatives', '/v1/cooperatives?q=solar', `/v1/cooperatives/${sun.id}`]

async function openCatalogue(): Promise<World> {
  const world = await createWorld()
  await storeCooperatives(world.service.store, sun)
  return world
}

function get(world: World, path: string, headers: Record<string, string> = {}) {
  return world.request('GET', path, { token: world.partner.token, headers })
}

async function etagOf(world: World, path: string): Promise<string> {
  return (await get(world, path)).headers.get('etag') ?? ''
}

t.test(
  'a catalogue answer has a strong ETag and Cache-Control: private, max-age=300 [S-catalogue-9]',
  async (t) => {
    const world = await openCatalogue()
    for (const path of paths) {
      const { headers } = await get(world, path)
      t.match(headers.get('etag'), /^"[\w-]{43}"$/, path)
      t.equal(headers.get('cache-control'), 'private, max-age=300')
    }
  },
)

t.test(
  'a matching If-None-Match, with a list, a W/ prefix or *, gets 304 without a body [S-catalogue-10]',
  async (t) => {
    const world = await openCatalogue()
    for (const path of paths) {
      const etag = await etagOf(world, path)
      const matching = [etag, `W/${etag}`, `"a", ${etag}`, `"a,b" , W/${etag},"c"`, '*']
      for (const tags of matching) {
        const { status, headers, text } = await get(world, path, { 'if-none-match': tags })
        t.equal(status, 304, `${path} ${tags}`)
        t.equal(text, '')
        t.equal(headers.get('etag'), etag)
        t.equal(headers.get('cache-control'), 'private, max-age=300')
        t.equal(headers.get('content-length'), null)
        t.equal(headers.get('content-type'), null)
      }
    }
  },
)

t.test('an If-None-Match that does not match gets 200', async (t) => {
  const world = await openCatalogue()
  const etag = await etagOf(world, '/v1/cooperatives')
  for (const tags of [
    '"a"',
    etag.replaceAll('"', ''),
    etag.toLowerCase(),
    `"a, ${etag.slice(1)}`,
  ]) {
    const { status, text } = await get(world, '/v1/cooperatives', { 'if-none-match': tags })
    t.equal(status, 200, tags)
    t.not(text, '')
  }
})

t.test('the tag changes exactly when the rendered payload changes [S-catalogue-11]', async (t) => {
  const world = await openCatalogue()
  const list = '/v1/cooperatives'
  const first = await get(world, list)
  const same = await get(world, '/v1/cooperatives?page=1&size=20&sort=created_at_desc&q=')
  t.equal(same.headers.get('etag'), first.headers.get('etag'), 'another query, the same payload')
  t.not(await etagOf(world, '/v1/cooperatives?size=19'), first.headers.get('etag'))

  await storeCooperatives(
    world.service.store,
    buildCooperative({ key: 'hidden', published: false }),
  )
  t.equal(
    await etagOf(world, list),
    first.headers.get('etag'),
    'an unpublished cooperative does not count',
  )
  await publishCooperative(world.service, sun.key)
  t.equal(await etagOf(world, list), first.headers.get('etag'), 'the payload did not change')

  await setSharePrice(world.service, sun.key, euro('251'))
  const dearer = await get(world, list, { 'if-none-match': first.headers.get('etag') ?? '' })
  t.equal(dearer.status, 200)
  t.not(dearer.headers.get('etag'), first.headers.get('etag'))
  await storeCooperatives(world.service.store, sun)
  t.equal((await get(world, list)).text, first.text)
  t.equal(await etagOf(world, list), first.headers.get('etag'), 'the old payload has the old tag')
})

t.test('HEAD answers like GET without the body', async (t) => {
  const world = await openCatalogue()
  const { token } = world.partner
  for (const path of paths) {
    const got = await get(world, path)
    const head = await world.request('HEAD', path, { token })
    t.equal(head.status, 200)
    t.equal(head.text, '')
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
      t.equal(head.headers.get(name), got.headers.get(name), name)
    }
    const headers = { 'if-none-match': got.headers.get('etag') ?? '' }
    t.equal((await world.request('HEAD', path, { token, headers })).status, 304)
  }
})

t.test('a refused request has no tag', async (t) => {
  const world = await openCatalogue()
  for (const path of ['/v1/cooperatives?sort=x', '/v1/cooperatives/x', `${paths[2]}?expand=x`]) {
    const { status, headers } = await get(world, path, { 'if-none-match': '*' })
    t.ok(status >= 400)
    t.equal(headers.get('etag'), null)
  }
})

t.test('a rendered answer is cached until the catalogue changes', async (t) => {
  const rendered = new RenderedCatalogue()
  const catalogue = createCatalogue([sun])
  const first = rendered.read(catalogue, 'key', () => 1)
  t.equal(
    rendered.read(catalogue, 'key', () => t.fail('the answer came from the cache')),
    first,
  )
  t.strictSame(rendered.read(catalogue, 'other key', () => 2).bytes, Buffer.from('2'))
  t.strictSame(rendered.read(createCatalogue([sun]), 'key', () => 3).bytes, Buffer.from('3'))
})

t.test('the cache of answers has a limit, and the oldest are removed first', async (t) => {
  const rendered = new RenderedCatalogue(100)
  const catalogue = createCatalogue([])
  const read = (key: string, bytes: number) => {
    let wasKept = true
    rendered.read(catalogue, key, () => {
      wasKept = false
      return 'x'.repeat(bytes)
    })
    return wasKept
  }
  const rows: readonly [string, number, boolean][] = [
    ['a', 40, false],
    ['b', 40, false],
    ['a', 40, true],
    ['c', 40, false],
    ['a', 40, true],
    ['b', 40, false],
    ['heavier than all', 200, false],
    ['heavier than all', 200, false],
  ]
  for (const [key, bytes, wasKept] of rows) t.equal(read(key, bytes), wasKept, key)
})
