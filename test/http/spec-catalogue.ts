import t from 'tap'
import { createWorld } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'

const image = {
  content_type: 'image/svg+xml',
  base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
}
const sun = {
  key: 'sun',
  published: true,
  name: 'Sonne eG',
  energy_category: 'solar',
  share_price: '250.00',
}

t.test(
  'energy_category is one of the controlled values, and energy_type is free text [S-cooperatives-1]',
  async (t) => {
    const world = await createWorld()
    const categories = ['solar', 'wind', 'heat', 'chp', 'hydro', 'biomass', 'other']
    const cooperatives = categories.map((energy_category) => {
      return { ...sun, key: energy_category, energy_category, energy_type: `as ${energy_category}` }
    })
    await runOperation(world.service, 'cooperative.import', { cooperatives })
    const { body } = await world.request('GET', '/v1/cooperatives', { token: world.partner.token })
    const seen = body.items.map(({ energy_category }: typeof sun) => energy_category)
    t.strictSame(seen.sort(), categories.sort())
    for (const { energy_category, energy_type } of body.items) {
      t.equal(energy_type, `as ${energy_category}`)
    }
    const other = { cooperatives: [{ ...sun, energy_category: 'nuclear' }] }
    await t.rejects(runOperation(world.service, 'cooperative.import', other), {
      code: 'VALIDATION_ERROR',
    })
  },
)

t.test(
  'every kind of image is served: hero, card, logo and project [S-cooperative-4]',
  async (t) => {
    const world = await createWorld()
    const projects = [{ name: 'Dach', type: 'roof', energy_category: 'solar', image }]
    const images = { hero_image: image, card_image: image, logo_image: image, projects }
    const { token } = world.partner
    await runOperation(world.service, 'cooperative.import', {
      cooperatives: [{ ...sun, ...images }],
    })
    const [{ id }] = (await world.request('GET', '/v1/cooperatives', { token })).body.items
    const path = `/v1/cooperatives/${id}?expand=projects`
    const { body } = await world.request('GET', path, { token })
    const { hero_image_url, card_image_url, logo_image_url } = body
    const urls = [hero_image_url, card_image_url, logo_image_url, body.projects[0].image_url]
    t.equal(new Set(urls).size, 4)
    for (const url of urls) {
      const { status, headers } = await world.request('GET', new URL(url).pathname)
      t.equal(status, 200, url)
      t.match(headers.get('etag'), /^"[\w-]{43}"$/)
      t.equal(headers.get('cache-control'), 'max-age=3600')
    }
  },
)

t.test('an unknown id gets 404 even with an unknown expand token', async (t) => {
  const world = await createWorld()
  const path = '/v1/cooperatives/0198c0de-0000-7000-8000-00000000ffff?expand=owners'
  const { body } = await world.request('GET', path, { token: world.partner.token })
  t.match(body, { status: 404, code: 'COOPERATIVE_NOT_FOUND' })
})
