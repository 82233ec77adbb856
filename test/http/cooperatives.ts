import t from 'tap'
import { buildCooperative, euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import type { Cooperative } from '../../src/domain/cooperatives/cooperative.ts'
import type { Timestamp } from '../../src/domain/timestamp.ts'
import { runOperation } from '../../src/operations/operations.ts'

async function worldWith(...cooperatives: readonly Cooperative[]): Promise<World> {
  const world = await createWorld()
  await storeCooperatives(world.service.store, ...cooperatives)
  return world
}

function list(world: World, query = '') {
  return world.request('GET', `/v1/cooperatives${query}`, { token: world.partner.token })
}

const sun = buildCooperative({ minimumShares: 4, hasHeroImage: true, hasLogoImage: true })
const wind = buildCooperative({
  key: 'wind',
  name: 'Windkraft Husum eG',
  city: 'Husum',
  description: 'Räder an der Küste.',
  sharePrice: euro('1000'),
  bafaFunded: true,
  dividendType: 'fixed',
  affiliation: 'affiliated',
  coordinates: { latitude: 54.4858, longitude: 9.0524 },
  createdAt: '2026-02-01T00:00:00.000Z' as Timestamp,
})
const hidden = buildCooperative({ key: 'hidden', published: false })

t.test(
  'the catalogue is a page of published cooperatives [S-service-1] [S-paging-3]',
  async (t) => {
    const world = await worldWith(sun, hidden)
    const { status, headers, body } = await list(world)
    t.equal(status, 200)
    t.match(headers.get('content-type'), /^application\/json/)
    t.strictSame(body, {
      items: [
        {
          id: sun.id,
          name: 'Solar Allgäu eG',
          description: 'Sonnenstrom von Dächern der Region.',
          city: 'Kempten',
          postal_code: '87435',
          website_url: 'https://solar-allgaeu.example',
          energy_category: 'solar',
          energy_type: 'rooftop solar',
          share_price: '250.00',
          share_price_currency: 'EUR',
          share_value: '250.00',
          share_value_currency: 'EUR',
          entry_fee: '0.00',
          entry_fee_currency: 'EUR',
          minimum_shares: 4,
          min_investment_amount: '1000.00',
          min_investment_amount_currency: 'EUR',
          dividend_type: 'variable',
          dividend_rate_percent: 3.5,
          bafa_funded: false,
          affiliation: 'independent',
          hero_image_url: `${world.service.settings.baseUrl}/images/cooperatives/${sun.id}/hero`,
          card_image_url: null,
          logo_image_url: `${world.service.settings.baseUrl}/images/cooperatives/${sun.id}/logo`,
          created_at: '2026-01-01T00:00:00.000Z',
          updated_at: '2026-01-01T00:00:00.000Z',
        },
      ],
      page: 1,
      size: 20,
      total_items: 1,
      total_pages: 1,
      has_next: false,
      has_previous: false,
      sort: 'created_at_desc',
    })
  },
)

t.test('an empty catalogue is an empty page', async (t) => {
  const { body } = await list(await worldWith(hidden))
  t.match(body, { total_items: 0, total_pages: 0, has_next: false, has_previous: false })
  t.strictSame(body.items, [])
})

t.test('every parameter narrows the search [S-catalogue-6] [D23]', async (t) => {
  const world = await worldWith(sun, wind)
  const rows: readonly [string, readonly string[]][] = [
    ['', ['wind', 'sun']],
    ['?sort=created_at_asc', ['sun', 'wind']],
    ['?sort=name_desc', ['wind', 'sun']],
    ['?sort=share_price_asc', ['sun', 'wind']],
    ['?q=KUSTE', ['wind']],
    ['?q=', ['wind', 'sun']],
    ['?q=%20', ['wind', 'sun']],
    ['?city=husum', ['wind']],
    ['?city=hus', []],
    ['?bafa_funded=true', ['wind']],
    ['?bafa_funded=false', ['sun']],
    ['?dividend_type=fixed', ['wind']],
    ['?dividend_type=none', []],
    ['?affiliation=affiliated', ['wind']],
    ['?affiliation=independent', ['sun']],
    ['?min_share_price=250.01', ['wind']],
    ['?min_share_price=250.001', ['wind']],
    ['?max_share_price=250', ['sun']],
    ['?max_share_price=-1', []],
    ['?bafa_funded=true&dividend_type=variable', []],
    ['?near_lat=47.7&near_lng=10.3', ['sun']],
    ['?near_lat=54&near_lng=9&radius_km=1000', ['wind', 'sun']],
    ['?near_lat=54.4&near_lng=9&city=&sort=', ['wind']],
    ['?colour=red', ['wind', 'sun']],
  ]
  const names = new Map([
    [sun.id, 'sun'],
    [wind.id, 'wind'],
  ])
  for (const [query, expected] of rows) {
    const { body } = await list(world, query)
    t.strictSame(
      body.items.map(({ id }: { id: string }) => names.get(id)),
      expected,
      query,
    )
  }
})

t.test('page and size out of range are clamped, never rejected [S-catalogue-1]', async (t) => {
  const world = await worldWith(sun, wind)
  const rows: readonly [string, object][] = [
    ['?page=0', { page: 1, size: 20 }],
    ['?page=-7', { page: 1 }],
    ['?size=0', { size: 1, total_pages: 2, has_next: true, has_previous: false }],
    ['?size=101', { size: 100 }],
    ['?size=999999999999999999999', { size: 100 }],
    ['?page=2&size=1', { page: 2, size: 1, has_next: false, has_previous: true }],
    ['?page=9', { page: 9, total_items: 2, has_next: false, has_previous: true }],
  ]
  for (const [query, expected] of rows) t.match((await list(world, query)).body, expected, query)
  t.strictSame((await list(world, '?page=9')).body.items, [])
})

t.test(
  'a parameter that cannot be read gets 400 VALIDATION_ERROR, which names it [S-catalogue-3] [D19]',
  async (t) => {
    const world = await createWorld()
    const rows = [
      '?sort=price',
      '?dividend_type=FIXED',
      '?affiliation=other',
      '?min_share_price=cheap',
      '?max_share_price=Infinity',
      '?min_share_price=0x10',
      '?min_share_price=1e',
      '?page=NaN',
      '?page=5e-1',
      '?size=0x10',
      '?bafa_funded=yes',
      '?include_coordinates=1',
      '?page=one',
      '?size=1.5',
      '?near_lat=north&near_lng=1',
      '?radius_km=far',
      `?q=${'x'.repeat(201)}`,
      '?city=a&city=b',
    ]
    for (const query of rows) {
      const { status, body } = await list(world, query)
      const name = query.slice(1, query.indexOf('='))
      t.equal(status, 400, query)
      t.match(body, { code: 'VALIDATION_ERROR', detail: new RegExp(name) }, query)
      t.notOk('errors' in body)
    }
  },
)

t.test('a geo search with other filters gets 422, which names them [S-catalogue-8]', async (t) => {
  const world = await createWorld()
  const place = 'near_lat=52&near_lng=13'
  const rows: readonly [string, RegExp][] = [
    [`?${place}&city=Berlin`, /city/],
    [
      `?${place}&sort=name_asc&min_share_price=1&max_share_price=2`,
      /min_share_price, max_share_price, sort/,
    ],
    [
      `?${place}&q=a&bafa_funded=false&dividend_type=none&affiliation=independent`,
      /q, bafa_funded, dividend_type, affiliation/,
    ],
    ['?near_lat=52', /near_lng/],
    ['?near_lng=13', /near_lat/],
    ['?radius_km=5', /near_lat and near_lng, but both are missing/],
    ['?near_lat=90.1&near_lng=13', /near_lat/],
    ['?near_lat=52&near_lng=-180.1', /near_lng/],
    [`?${place}&radius_km=0`, /radius_km/],
    [`?${place}&radius_km=-1`, /radius_km/],
    [`?${place}&radius_km=1000.1`, /radius_km/],
  ]
  for (const [query, detail] of rows) {
    const { status, body } = await list(world, query)
    t.equal(status, 422, query)
    t.match(body, { code: 'VALIDATION_ERROR', detail }, query)
    t.notOk('errors' in body, 'a refusal of a parameter has no errors map')
  }
})

t.test('a geo search echoes distance_asc, and each item has distance_km', async (t) => {
  const world = await worldWith(sun, wind)
  const { body } = await list(world, '?near_lat=47.7267&near_lng=10.4&radius_km=50&size=1')
  t.match(
    body,
    exactArrays({
      sort: 'distance_asc',
      total_items: 1,
      items: [{ id: sun.id, distance_km: 6.44 }],
    }),
  )
  t.notOk('distance_km' in (await list(world)).body.items[0])
})

t.test('include_coordinates adds coordinates to the list [S-cooperatives-4]', async (t) => {
  const world = await worldWith(sun, buildCooperative({ key: 'nowhere', coordinates: null }))
  t.notOk((await list(world)).text.includes('"coordinates"'))
  t.notOk((await list(world, '?include_coordinates=false')).text.includes('"coordinates"'))
  const { body } = await list(world, '?include_coordinates=true&sort=name_asc')
  const coordinates = body.items.map((item: { coordinates: unknown }) => item.coordinates)
  t.match(coordinates, exactArrays([null, { latitude: 47.7267, longitude: 10.3139 }]))
})

t.test('the next answer shows the changes of an operator [S-catalogue-13]', async (t) => {
  const world = await worldWith(sun)
  t.equal((await list(world)).body.items[0].share_price, '250.00')
  await storeCooperatives(world.service.store, { ...sun, sharePrice: euro('260') }, wind)
  t.strictSame((await list(world, '?sort=share_price_asc')).body.items[0].share_price, '260.00')
  t.equal((await list(world)).body.total_items, 2)
})

t.test('a number may have an exponent in every numeric parameter', async (t) => {
  const world = await createWorld()
  const [cheap, dear] = [
    buildCooperative({ key: 'cheap', name: 'Cheap', sharePrice: euro('49.99') }),
    buildCooperative({ key: 'dear', name: 'Dear', sharePrice: euro('50.00') }),
  ]
  await storeCooperatives(world.service.store, cheap, dear)
  const found = async (query: string) =>
    (await list(world, `${query}&sort=name_asc`)).body.items.map(({ id }: { id: string }) => id)
  for (const [query, expected] of [
    ['?min_share_price=5e1', [dear.id]],
    ['?min_share_price=%2B0.5E%2B2', [dear.id]],
    ['?max_share_price=4999e-2', [cheap.id]],
    ['?max_share_price=5e1', [cheap.id, dear.id]],
    ['?min_share_price=0e999999999', [cheap.id, dear.id]],
    ['?min_share_price=1e-999999999', [cheap.id, dear.id]],
    ['?max_share_price=1e999999999', [cheap.id, dear.id]],
    ['?min_share_price=1e999999999', []],
    ['?max_share_price=-1e999999999', []],
  ] as const) {
    t.strictSame(await found(query), expected, query)
  }
  for (const [query, expected] of [
    ['?size=5e1', { size: 50 }],
    ['?size=1e999', { size: 100 }],
    ['?page=2e0&size=1', { page: 2, size: 1 }],
    ['?page=-1e999', { page: 1 }],
  ] as const) {
    t.match((await list(world, query)).body, expected, query)
  }
  const place = await list(world, '?near_lat=4.8e1&near_lng=1.1E1&radius_km=1e2')
  t.equal(place.status, 200)
  t.equal((await list(world, '?near_lat=48&near_lng=11&radius_km=1e4')).status, 422)
})

t.test('radius_km is compared with the distance that is shown [D23]', async (t) => {
  const world = await createWorld()
  const there = buildCooperative({ coordinates: { latitude: 48.05794, longitude: 11 } })
  await storeCooperatives(world.service.store, there)
  const near = async (radius: number) =>
    (await list(world, `?near_lat=48&near_lng=11&radius_km=${radius}`)).body.items
  const [{ distance_km: shown }] = await near(50)
  t.equal(shown, 6.44, 'the shown distance is rounded down here')
  t.equal((await near(shown)).length, 1)
  t.equal((await near(6.43)).length, 0)
})

t.test('city ignores accents, case and spaces, and an import trims it [D23]', async (t) => {
  const world = await createWorld()
  const definition = { energy_category: 'solar', share_price: '100.00', published: true }
  await runOperation(world.service, 'cooperative.import', {
    cooperatives: [
      { ...definition, key: 'a', name: ' Sonne eG ', city: '  Tölz ', postal_code: ' 83646 ' },
      { ...definition, key: 'b', name: 'Wind eG', city: 'Bad Tölz' },
    ],
  })
  for (const city of ['Tölz', 'TOLZ', ' tölz ', 'to\u0308lz']) {
    const { body } = await list(world, `?city=${encodeURIComponent(city)}`)
    t.match(
      body.items,
      exactArrays([{ name: 'Sonne eG', city: 'Tölz', postal_code: '83646' }]),
      city,
    )
  }
  t.equal((await list(world, '?city=Bad%20%20T%C3%B6lz')).body.total_items, 1)
  t.equal((await list(world, '?city=%20')).body.total_items, 2, 'an empty text does not filter')
})
