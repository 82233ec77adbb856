import t from 'tap'
import {
  buildCooperative,
  buildProject,
  storeCooperatives,
} from '../../fixtures/builders/cooperatives.ts'
import {
  companySections,
  completeProfile,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { callEveryEndpoint, collectObjects } from '../../fixtures/world/every-endpoint.ts'
import {
  collectionOf,
  createMarket,
  get,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import type { Cooperative } from '../../src/domain/cooperatives/cooperative.ts'
import { isUuid } from '../../src/domain/ids.ts'
import type { Environment } from '../../src/ports/collections.ts'

const moneyFields = [
  'share_price',
  'share_value',
  'entry_fee',
  'min_investment_amount',
  'price_per_share',
  'total',
]

/**
 * Collects every member of every object in every answer of the API, with its place, name and value.
 */
async function membersOfAnswers() {
  const { answers } = await callEveryEndpoint()
  return answers.flatMap(([title, { body }]) =>
    collectObjects(body).flatMap((object) =>
      Object.entries(object).map(([name, value]) => ({ title, object, name, value })),
    ),
  )
}

t.test('JSON field names are snake_case in both directions [S-service-13]', async (t) => {
  const members = await membersOfAnswers()
  t.ok(members.length > 300, `${members.length} members`)
  const other = members.filter(({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
  t.strictSame(
    other.map(({ title, name }) => [title, name]),
    [],
  )
  const { world } = await createMarket()
  const body = { partnerCustomerRef: 'customer-2' }
  const refused = await world.request('POST', '/v1/investors', { token: world.partner.token, body })
  t.match(refused.body, { status: 400, detail: 'Unknown field: partnerCustomerRef.' })
})

t.test(
  'money is a decimal string with a separate currency field (ISO 4217) [S-service-14]',
  async (t) => {
    const members = await membersOfAnswers()
    const amounts = members.filter(({ name }) => moneyFields.includes(name))
    t.strictSame(new Set(amounts.map(({ name }) => name)), new Set(moneyFields))
    for (const { title, object, name, value } of amounts) {
      t.match(value, /^\d+\.\d\d$/, `${title} ${name}`)
      t.equal(object[`${name}_currency`], 'EUR', `${title} ${name}_currency`)
    }
    const currencies = members.filter(({ name }) => name.endsWith('_currency'))
    t.equal(currencies.length, amounts.length, 'every currency has an amount')
  },
)

t.test('percentages, distances and tonnages are ordinary numbers [S-service-15]', async (t) => {
  const members = await membersOfAnswers()
  for (const name of ['dividend_rate_percent', 'distance_km', 'co2_savings_tons']) {
    const values = members.filter((member) => member.name === name).map(({ value }) => value)
    t.ok(values.length > 0, name)
    t.ok(values.every(Number.isFinite), name)
  }
})

t.test('all ids are UUIDs [S-service-18]', async (t) => {
  const ids = (await membersOfAnswers()).filter(({ name }) => /^id$|_id$/.test(name))
  const names = ['client_id', 'cooperative_id', 'id', 'investor_id', 'organization_id']
  const found = [...new Set(ids.map(({ name }) => name))].filter((name) => name !== 'tax_id').sort()
  t.strictSame(found, [...names, 'share_purchase_id'])
  for (const { title, name, value } of ids) {
    if (name !== 'tax_id') t.ok(isUuid(String(value)), `${title} ${name}`)
  }
})

t.test(
  'an investor and an order have one name for their id, and no bare id [S-service-19]',
  async (t) => {
    const { answers } = await callEveryEndpoint()
    for (const [title, { body }] of answers) {
      const people = collectObjects(body).filter(
        (object) => 'is_profile_complete' in object || 'share_count' in object,
      )
      for (const object of people) {
        t.notOk('id' in object, title)
        t.ok('investor_id' in object, title)
        t.equal('share_purchase_id' in object, 'share_count' in object, title)
      }
    }
    const { text } = answers.find(([title]) => title.endsWith('/holdings'))?.[1] ?? { text: '' }
    t.match(text, '"investor_id"')
  },
)

t.test(
  'timestamps have an offset, and calendar dates are yyyy-MM-dd [S-service-16] [D17]',
  async (t) => {
    const members = await membersOfAnswers()
    const timestamps = members.filter(({ name, value }) => name.endsWith('_at') && value !== null)
    const names = ['created_at', 'given_at', 'signed_at', 'updated_at']
    t.strictSame([...new Set(timestamps.map(({ name }) => name))].sort(), names)
    for (const { title, name, value } of timestamps) {
      t.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, `${title} ${name}`)
    }
    const dates = members.filter(({ name }) => name === 'birth_date' || name === 'commissioned_on')
    t.ok(dates.some(({ name, value }) => name === 'birth_date' && value !== null))
    for (const { title, name, value } of dates)
      t.match(value, /^\d{4}-\d\d-\d\d$/, `${title} ${name}`)
  },
)

t.test('lists are pages in an object, never bare arrays [S-service-20]', async (t) => {
  const { answers } = await callEveryEndpoint()
  for (const [title, { body }] of answers) t.notOk(Array.isArray(body), title)
  const lists = answers.filter(([, { body }]) => 'items' in body)
  t.equal(lists.length, 4)
  for (const [title, { body }] of lists) {
    const { items, sort, ...envelope } = body
    t.ok(Array.isArray(items) && items.length > 0, title)
    const counted = { page: 1, size: 20, total_items: items.length, total_pages: 1 }
    t.strictSame(envelope, { ...counted, has_next: false, has_previous: false }, title)
    t.equal(typeof sort, title.includes('/cooperatives') ? 'string' : 'undefined', title)
  }
})

t.test('every list clamps page and size, and refuses text [S-paging-1]', async (t) => {
  const market = await createMarket()
  for (const key of ['wind', 'heat']) {
    const cooperative = buildCooperative({ key })
    await storeCooperatives(market.world.service.store, cooperative)
    await placeAccepted({ ...market, cooperative })
  }
  await placeAccepted(market)
  const { investorId } = market
  for (const path of [
    '/v1/cooperatives',
    collectionOf(market),
    `/v1/investors/${investorId}/holdings`,
  ]) {
    for (const [query, count, expected] of [
      ['', 3, { page: 1, size: 20, total_pages: 1, has_next: false, has_previous: false }],
      ['page=&size=', 3, { page: 1, size: 20 }],
      ['page=0&size=0', 1, { page: 1, size: 1, total_pages: 3, has_next: true }],
      ['page=-3&size=-3', 1, { page: 1, size: 1, has_previous: false }],
      ['size=100', 3, { size: 100 }],
      ['size=101', 3, { size: 100 }],
      ['page=2&size=2', 1, { page: 2, total_pages: 2, has_next: false, has_previous: true }],
      ['page=2&size=1', 1, { page: 2, total_pages: 3, has_next: true, has_previous: true }],
      ['page=9', 0, { page: 9, size: 20, has_next: false, has_previous: true }],
    ] as const) {
      const { body } = await get(market, `${path}?${query}`)
      t.match(body, { ...expected, total_items: 3 }, `${path}?${query}`)
      t.equal(body.items.length, count, `${path}?${query}`)
    }
    for (const query of ['page=one', 'size=1.5', 'page=2&page=2']) {
      const { body } = await get(market, `${path}?${query}`)
      t.match(body, { status: 400, code: 'VALIDATION_ERROR' }, `${path}?${query}`)
      t.notOk('errors' in body)
    }
  }
})

t.test('optional response fields without a value are explicit null [S-service-24]', async (t) => {
  const market = await createMarket({ projects: [buildProject()] })
  const { world, cooperative } = market
  const bare = buildCooperative({
    key: 'bare',
    description: null,
    city: null,
    postalCode: null,
    websiteUrl: null,
    energyType: null,
    dividendRatePercent: null,
    coordinates: null,
    projects: [buildProject({ id: cooperative.id, city: null, capacityKw: null })],
  })
  await storeCooperatives(world.service.store, bare)
  const empty = { partner_customer_ref: 'empty', profile: undefined, email: undefined }
  const investor = `/v1/investors/${await provision(world, empty)}`
  const read = async (path: string) => (await get(market, path)).body
  const put = async (body: unknown) => {
    const options = { token: world.partner.token, body }
    return (await world.request('PUT', `${investor}/profile`, options)).body
  }
  const detail = async ({ id }: Cooperative) => read(`/v1/cooperatives/${id}?expand=projects`)
  const project = async (of: Cooperative) => (await detail(of)).projects[0]
  const sections = { ...completeProfile(), ...companySections() }
  for (const [title, without, within] of [
    ['cooperative', await detail(bare), await detail(cooperative)],
    ['project', await project(bare), await project(cooperative)],
    ['investor', await read(investor), await read(`/v1/investors/${market.investorId}`)],
    ['profile', await put({ consents: givenConsents() }), await put(sections)],
  ] as const) {
    t.strictSame(Object.keys(without), Object.keys(within), title)
    t.ok(nullsOf(without) > nullsOf(within), title)
  }
})

function nullsOf(object: object): number {
  return Object.values(object).filter((value) => value === null).length
}

t.test('staging and production have the same contract [S-service-11]', async (t) => {
  const namesIn = async (environment: Environment) => {
    const { answers } = await callEveryEndpoint({ environment })
    return answers.map(([title, { status, body }]) => [
      title.replaceAll(/[0-9a-f-]{36}/g, 'ID'),
      status,
      collectObjects(body).map((object) => Object.keys(object)),
    ])
  }
  t.strictSame(await namesIn('production'), await namesIn('staging'))
})
