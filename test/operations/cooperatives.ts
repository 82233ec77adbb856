import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { collectionOf, createMarket, get, place } from '../../fixtures/world/market.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { deriveId } from '../../src/domain/ids.ts'
import type { Problem } from '../../src/domain/problem.ts'
import { runOperation } from '../../src/operations/operations.ts'

const minimal = {
  key: 'sun',
  name: 'Sonne eG',
  energy_category: 'solar',
  share_price: '250.00',
}

const complete = {
  ...minimal,
  id: '0b6c1a52-1111-4222-8333-444455556666',
  published: true,
  description: 'Zwei\nZeilen.\n',
  city: 'Kempten',
  postal_code: '01067',
  website_url: 'https://sonne.example',
  energy_type: 'rooftop',
  share_price: 250.5,
  share_price_currency: 'EUR',
  share_value: '100',
  share_value_currency: 'EUR',
  entry_fee: 25,
  entry_fee_currency: 'EUR',
  minimum_shares: 2,
  dividend_type: 'fixed',
  dividend_rate_percent: 3.5,
  bafa_funded: true,
  affiliation: 'affiliated',
  coordinates: { latitude: 47.7, longitude: 10.3 },
  creditor: {
    name: 'Sonne eG',
    creditor_id: 'DE98ZZZ09999999999',
    iban: 'DE02120300000000202051',
    bic: 'INGDDEFFXXX',
    notice_days: 5,
    lead_days: 3,
  },
  projects: [
    {
      name: 'Dach',
      type: 'roof',
      energy_category: 'solar',
      city: 'Kempten',
      capacity_kw: 99.5,
      annual_yield_mwh: 95,
      co2_savings_tons: 38,
      commissioned_on: '2019-05-01',
    },
  ],
}

function run(world: World, name: string, input: unknown) {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
  return runOperation(world.service, name, input) as Promise<any>
}

function importOf(world: World, ...cooperatives: readonly unknown[]) {
  return run(world, 'cooperative.import', { cooperatives })
}

t.test('an imported cooperative is unpublished unless it has published: true', async (t) => {
  const world = await createWorld()
  const answer = await importOf(world, minimal, { ...minimal, key: 'wind', published: true })
  t.match(answer, { created: 2, updated: 0, unchanged: 0 })
  t.match(
    answer.cooperatives,
    exactArrays([
      { key: 'sun', name: 'Sonne eG', published: false, outcome: 'created' },
      { key: 'wind', published: true, outcome: 'created' },
    ]),
  )
})

t.test('omitted fields of a definition have their defaults', async (t) => {
  const world = await createWorld()
  await importOf(world, minimal)
  t.strictSame(await run(world, 'cooperative.show', { cooperative: 'sun' }), {
    key: 'sun',
    id: deriveId('cooperative', 'sun'),
    name: 'Sonne eG',
    published: false,
    description: null,
    city: null,
    postal_code: null,
    website_url: null,
    energy_category: 'solar',
    energy_type: null,
    share_price: '250.00',
    share_price_currency: 'EUR',
    share_value: '250.00',
    share_value_currency: 'EUR',
    entry_fee: '0.00',
    entry_fee_currency: 'EUR',
    minimum_shares: 1,
    dividend_type: 'none',
    dividend_rate_percent: null,
    bafa_funded: false,
    affiliation: 'independent',
    coordinates: null,
    creditor: null,
    projects: [],
    images: [],
    created_at: world.clock.now(),
    updated_at: world.clock.now(),
  })
})

t.test('a complete definition is stored unchanged, and show prints it again', async (t) => {
  const world = await createWorld()
  await importOf(world, complete)
  const { images, created_at, updated_at, ...shown } = await run(world, 'cooperative.show', {
    cooperative: complete.id,
  })
  t.strictSame(shown, {
    ...complete,
    description: 'Zwei\nZeilen.',
    share_price: '250.50',
    share_value: '100.00',
    entry_fee: '25.00',
    projects: [{ ...complete.projects[0], id: deriveId('project', 'sun', 'Dach') }],
  })
  t.match(await importOf(world, shown), { created: 0, updated: 0, unchanged: 1 })
})

t.test(
  'an import updates cooperatives by key, and does not touch unchanged cooperatives',
  async (t) => {
    const world = await createWorld()
    const before = await importOf(world, complete, { ...minimal, key: 'wind' })
    world.clock.advance(60)
    const changed = { ...complete, published: undefined, name: 'Sonne und Mond eG' }
    const after = await importOf(world, changed, { ...minimal, key: 'wind' })
    t.match(after, { created: 0, updated: 1, unchanged: 1 })
    t.strictSame(after.cooperatives[1], { ...before.cooperatives[1], outcome: 'unchanged' })
    const shown = await run(world, 'cooperative.show', { cooperative: 'sun' })
    t.match(shown, { id: complete.id, name: 'Sonne und Mond eG', published: true })
    t.equal(shown.updated_at, world.clock.now())
    t.not(shown.created_at, shown.updated_at)
  },
)

t.test('an import stores all its cooperatives or none', async (t) => {
  const world = await createWorld()
  await t.rejects(
    importOf(world, minimal, { ...minimal, key: 'wind', id: deriveId('cooperative', 'sun') }),
  )
  t.strictSame(await run(world, 'cooperative.list', {}), [])
})

t.test('an import that would merge two cooperatives names the field', async (t) => {
  const project = { name: 'Dach', type: 'roof', energy_category: 'solar' }
  const rows: readonly [string, readonly unknown[], string][] = [
    ['a repeated key', [minimal, minimal], 'cooperatives.1.key'],
    [
      'an id that differs from the stored one',
      [{ ...complete, id: deriveId('x') }],
      'cooperatives.0.id',
    ],
    [
      'the id of another cooperative',
      [{ ...minimal, key: 'wind', id: complete.id }],
      'cooperatives.0.id',
    ],
    [
      'two projects with the same name',
      [{ ...minimal, key: 'wind', projects: [project, project] }],
      'cooperatives.0.projects.1',
    ],
    [
      'the project of another',
      [
        {
          ...minimal,
          key: 'wind',
          projects: [{ ...project, id: deriveId('project', 'sun', 'Dach') }],
        },
      ],
      'cooperatives.0.projects.0',
    ],
  ]
  const world = await createWorld()
  await importOf(world, complete)
  for (const [title, cooperatives, path] of rows) {
    const problem: Problem = await importOf(world, ...cooperatives).catch((error) => error)
    t.equal(problem.code, 'VALIDATION_ERROR', title)
    t.strictSame(Object.keys(problem.extra.errors ?? {}), [path], title)
  }
})

t.test('a project may move from one cooperative to another, with its image', async (t) => {
  const world = await createWorld()
  const image = { content_type: 'image/svg+xml', base64: Buffer.from('<svg/>').toString('base64') }
  const id = deriveId('project', 'moved')
  const projects = [{ id, name: 'Dach', type: 'roof', energy_category: 'solar', image }]
  const wind = { ...minimal, key: 'wind', published: true }
  await importOf(world, { ...minimal, published: true }, { ...wind, projects })
  t.match(await importOf(world, { ...minimal, projects }, wind), { updated: 2 })
  t.equal((await world.request('GET', `/images/projects/${id}`)).status, 200)
})

t.test('publish, unpublish and set-price take an id or a key and change updated_at', async (t) => {
  const world = await createWorld()
  const [{ id }] = (await importOf(world, minimal)).cooperatives
  const rows: readonly [string, object, object][] = [
    ['cooperative.publish', { cooperative: 'sun' }, { published: true }],
    ['cooperative.set_price', { cooperative: id, share_price: '99.9' }, { share_price: '99.90' }],
    ['cooperative.unpublish', { cooperative: id }, { published: false }],
  ]
  for (const [name, input, expected] of rows) {
    world.clock.advance(1)
    const stamped = { ...expected, id, updated_at: world.clock.now() }
    t.match(await run(world, name, input), stamped, name)
    world.clock.advance(1)
    t.match(await run(world, name, input), stamped, `${name} again changes nothing`)
  }
  t.match(
    await run(world, 'cooperative.list', {}),
    exactArrays([{ id, share_price: '99.90', published: false }]),
  )
})

t.test(
  'an unknown cooperative leads to COOPERATIVE_NOT_FOUND, and the message says where to look',
  async (t) => {
    const world = await createWorld()
    const names = ['cooperative.show', 'cooperative.publish', 'cooperative.unpublish']
    for (const name of names) {
      const rejected = { code: 'COOPERATIVE_NOT_FOUND', message: /cooperative list/ }
      await t.rejects(run(world, name, { cooperative: 'moon' }), rejected, name)
    }
  },
)

t.test('set-price does not change placed orders', async (t) => {
  const market = await createMarket({ sharePrice: euro('100') })
  const { world, cooperative } = market
  const { body } = await place(market)
  await run(world, 'cooperative.set_price', { cooperative: cooperative.id, share_price: '120' })
  const order = await get(market, `${collectionOf(market)}/${body.share_purchase_id}`)
  t.strictSame(order.body, body)
  t.match(order.body, { price_per_share: '100.00', total: '500.00' })
})

t.test(
  'each change of a price by a command, an import or a fixture file is recorded',
  async (t) => {
    const world = await createWorld()
    await importOf(world, minimal)
    await run(world, 'cooperative.set_price', { cooperative: 'sun', share_price: '260' })
    world.clock.advance(60)
    await importOf(world, { ...minimal, share_price: '270' })
    await importOf(world, { ...minimal, share_price: '270', city: 'Ulm' })
    await run(world, 'cooperative.update', { cooperative: 'sun', share_price: '280' })
    await run(world, 'fixtures.apply', { cooperatives: [{ ...minimal, share_price: '290' }] })
    const dry = { cooperatives: [{ ...minimal, share_price: '1' }], dry_run: true }
    t.match(await run(world, 'cooperative.import', dry), { updated: 1 })
    const history = await run(world, 'cooperative.price_history', { cooperative: 'sun' })
    const prices = history.map((row: Record<string, string>) => [
      row['old_price'],
      row['new_price'],
    ])
    t.strictSame(prices, [
      ['280.00', '290.00'],
      ['270.00', '280.00'],
      ['260.00', '270.00'],
      ['250.00', '260.00'],
      [null, '250.00'],
    ])
    t.ok(history[0].at > history[4].at)
  },
)

t.test('an update changes only the given fields, and null removes a value', async (t) => {
  const world = await createWorld()
  await importOf(world, complete)
  const before = await run(world, 'cooperative.show', { cooperative: 'sun' })
  const changes = {
    name: 'Neu eG',
    city: null,
    entry_fee: null,
    coordinates: null,
    published: null,
  }
  const after = await run(world, 'cooperative.update', { cooperative: 'sun', ...changes })
  const unset = { city: null, entry_fee: '0.00', coordinates: null }
  t.strictSame(after, { ...before, name: 'Neu eG', ...unset })
  for (const wrong of [{ name: null }, { share_value: null }, { projects: [] }, { key: 'moon' }]) {
    const refused = run(world, 'cooperative.update', { cooperative: 'sun', ...wrong })
    t.match(await refused.catch((error: Problem) => error), { code: 'VALIDATION_ERROR' })
  }
})

t.test('an import can keep fields that its definitions leave out', async (t) => {
  const world = await createWorld()
  const image = { content_type: 'image/svg+xml', base64: btoa('<svg/>') }
  const [project] = complete.projects
  const whole = { ...complete, hero_image: image, projects: [{ ...project, image }] }
  await importOf(world, whole)
  const exported = async () => (await run(world, 'cooperative.export', {}))[0]
  const before = await exported()
  const keep = (definition: object) =>
    run(world, 'cooperative.import', { cooperatives: [definition], keep_absent: true })
  t.match(await keep({ ...minimal, share_price: complete.share_price, name: 'B' }), { updated: 1 })
  t.strictSame(await exported(), { ...before, name: 'B' })
  t.match(await keep({ ...minimal, share_price: '1', projects: [project] }), { updated: 1 })
  const kept = { ...before, name: minimal.name, share_price: '1.00' }
  t.strictSame(await exported(), kept, 'a project keeps its image')
  t.match(await keep({ ...minimal, share_price: '1', city: null, hero_image: null }), {
    updated: 1,
  })
  const { city: _, hero_image: __, ...rest } = kept
  t.strictSame(await exported(), rest, 'null removes the values')
  t.match(await importOf(world, { ...minimal, share_price: '1' }), { updated: 1 })
  t.notOk('projects' in ((await exported()) ?? {}) && (await exported()).projects.length > 0)
})
