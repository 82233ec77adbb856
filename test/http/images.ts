import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { anything } from '../../fixtures/builders/subject.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { createCatalogue } from '../../src/domain/cooperatives/catalogue.ts'
import { ImageCache } from '../../src/http/images.ts'
import { cooperativeOperations } from '../../src/operations/cooperatives.ts'
import type { WireCooperativeDefinition } from '../../src/wire/cooperative-definition.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')
const svgFile = { content_type: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') }
const pngFile = { content_type: 'image/png', base64: png.toString('base64') }

const definition: WireCooperativeDefinition = {
  key: 'sun',
  published: true,
  name: 'Sonne eG',
  energy_category: 'solar',
  share_price: '250.00',
  hero_image: svgFile,
  logo_image: pngFile,
  projects: [
    { name: 'Dach', type: 'roof', energy_category: 'solar', image: svgFile },
    { name: 'Feld', type: 'field', energy_category: 'solar' },
  ],
}

async function openWorld() {
  const world = await createWorld()
  const operate = async (changes: object = {}) => {
    const { run } = cooperativeOperations['cooperative.import']
    const { cooperatives } = await run(world.service, {
      cooperatives: [{ ...definition, ...changes }],
    })
    return cooperatives[0]?.id ?? ''
  }
  const id = await operate()
  const path = (kind: string) => `/images/cooperatives/${id}/${kind}`
  const get = (target: string, headers = {}) => world.request('GET', target, { headers })
  const readDetail = async () =>
    (
      await world.request('GET', `/v1/cooperatives/${id}?expand=projects`, {
        token: world.partner.token,
      })
    ).body
  return { world, id, operate, path, get, readDetail }
}

t.test(
  'images have strong ETags and Cache-Control: max-age=3600, and need no token [S-cooperative-5]',
  async (t) => {
    const { path, get } = await openWorld()
    const { status, headers, text } = await get(path('hero'))
    t.equal(status, 200)
    t.equal(text, svg)
    t.match(headers.get('etag'), /^"[\w-]{43}"$/)
    t.equal(headers.get('cache-control'), 'max-age=3600')
    t.equal(headers.get('content-type'), 'image/svg+xml')
    t.equal((await get(path('logo'))).headers.get('content-type'), 'image/png')
  },
)

t.test('the addresses in the catalogue lead to the images', async (t) => {
  const { world, get, readDetail } = await openWorld()
  const { hero_image_url, card_image_url, logo_image_url, projects } = await readDetail()
  for (const url of [hero_image_url, logo_image_url, projects[0].image_url]) {
    t.ok(url.startsWith(`${world.service.settings.baseUrl}/images/`))
    t.equal((await get(url.slice(world.service.settings.baseUrl.length))).status, 200)
  }
  t.strictSame([card_image_url, projects[1].image_url], [null, null])
})

t.test('an image is read once until the catalogue changes', async (t) => {
  const { world, id, operate, path, get } = await openWorld()
  const etag = (await get(path('hero'))).headers.get('etag')
  // The catalogue keeps its version although the images are removed, so a second read of the store
  // would find nothing.
  await world.service.store.write(anything, ({ images }) => images.remove(id, 'hero'))
  t.match(await get(path('hero')), { status: 200, text: svg })
  t.equal((await get(path('hero'), { 'if-none-match': etag ?? '' })).status, 304)
  await operate({ hero_image: pngFile })
  t.match(await get(path('hero')), { status: 200, text: png.toString() })
})

t.test('the id in the address of an image is read without regard to case', async (t) => {
  const { path, get, readDetail, world } = await openWorld()
  const { projects } = await readDetail()
  const project = projects[0].image_url.slice(world.service.settings.baseUrl.length)
  for (const address of [path('hero'), project]) {
    const upper = address.replace(/[\da-f]{8}-[\da-f-]{27}/, (id: string) => id.toUpperCase())
    t.not(upper, address)
    t.equal((await get(upper)).status, 200, upper)
  }
})

t.test('a hostile SVG cannot run anything', async (t) => {
  const { path, get } = await openWorld()
  const { headers } = await get(path('hero'))
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  t.equal(headers.get('content-security-policy'), policy)
  t.equal(headers.get('x-content-type-options'), 'nosniff')
})

t.test('an unchanged image is answered with 304 without a body', async (t) => {
  const { path, get } = await openWorld()
  const etag = (await get(path('hero'))).headers.get('etag') ?? ''
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const { status, headers, text } = await get(path('hero'), { 'if-none-match': tags })
    t.equal(status, 304, tags)
    t.equal(text, '')
    t.equal(headers.get('etag'), etag)
    t.equal(headers.get('cache-control'), 'max-age=3600')
  }
})

t.test('HEAD answers like GET without the body', async (t) => {
  const { world, path, get } = await openWorld()
  const head = await world.request('HEAD', path('hero'))
  t.equal(head.status, 200)
  t.equal(head.text, '')
  t.equal(head.headers.get('content-length'), String(svg.length))
  t.equal(head.headers.get('etag'), (await get(path('hero'))).headers.get('etag'))
})

t.test('a missing image is answered with a 404 problem', async (t) => {
  const { path, get, readDetail } = await openWorld()
  const { projects } = await readDetail()
  const rows = [
    path('card'),
    path('banner'),
    path('project'),
    '/images/cooperatives/none/hero',
    '/images/projects/none',
    `/images/projects/${projects[1].id}`,
  ]
  for (const target of rows) {
    const { status, headers, body } = await get(target, { 'if-none-match': '*' })
    t.equal(status, 404, target)
    t.equal(headers.get('content-type'), 'application/problem+json')
    t.match(body, { code: 'NOT_FOUND', status: 404, instance: target })
  }
})

t.test('images of an unpublished cooperative are answered with 404 problems', async (t) => {
  const { operate, path, get, readDetail } = await openWorld()
  const { projects } = await readDetail()
  await operate({ published: false })
  for (const target of [path('hero'), path('logo'), `/images/projects/${projects[0].id}`]) {
    t.match(await get(target), { status: 404, body: { code: 'NOT_FOUND' } })
  }
})

t.test('an import replaces an image, and removes an image that it omits', async (t) => {
  const { operate, path, get, readDetail } = await openWorld()
  const before = (await get(path('hero'))).headers.get('etag')
  const { projects } = await readDetail()
  await operate({ hero_image: pngFile, logo_image: null, projects: [] })
  t.match(await get(path('hero')), { status: 200, text: png.toString() })
  t.not((await get(path('hero'))).headers.get('etag'), before)
  t.equal((await get(path('logo'))).status, 404)
  t.equal((await readDetail()).logo_image_url, null)
  await operate({ projects: [{ name: 'Dach', type: 'roof', energy_category: 'solar' }] })
  t.equal((await get(`/images/projects/${projects[0].id}`)).status, 404)
})

t.test('images beyond the memory limit are still answered', async (t) => {
  const kept = new ImageCache(100)
  const catalogue = createCatalogue([])
  const load = async (name: string) => {
    for (let turn = 0; turn < name.length; turn += 1) await nextTurn()
    const base64 = Buffer.from(name.padEnd(60)).toString('base64')
    return { ownerId: name, kind: 'hero', contentType: 'image/png', base64, etag: name } as const
  }
  const names = ['a slow one', 'b', 'c', 'd']
  const read = (name: string) => kept.read(catalogue, name, () => load(name))
  const images = await Promise.all([...names, ...names].map(read))
  t.strictSame(
    images.map(({ etag }) => etag),
    [...names, ...names],
  )
})
