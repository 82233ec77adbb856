import t from 'tap'
import {
  buildCooperative,
  buildProject,
  storeCooperatives,
} from '../../fixtures/builders/cooperatives.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { deriveId } from '../../src/domain/ids.ts'
import type { Scope } from '../../src/domain/oauth/scope.ts'

const projects = [
  buildProject({ name: 'Schule', hasImage: true }),
  buildProject({
    name: 'Feld',
    type: 'open field',
    city: null,
    capacityKw: null,
    commissionedOn: null,
  }),
  buildProject({ name: 'Rathaus', capacityKw: 0.5 }),
]
const cooperative = buildCooperative({ projects })
const hidden = buildCooperative({ key: 'hidden', published: false })

async function openDetail() {
  const world = await createWorld()
  await storeCooperatives(world.service.store, cooperative, hidden)
  const { token } = world.partner
  const read = (path: string) => world.request('GET', `/v1/cooperatives/${path}`, { token })
  return { world, read }
}

t.test('the detail has projects_by_type without expand [S-cooperatives-2]', async (t) => {
  const { read } = await openDetail()
  for (const query of ['', '?expand=', '?colour=red']) {
    const { status, body } = await read(`${cooperative.id}${query}`)
    t.equal(status, 200)
    t.match(body, { id: cooperative.id, coordinates: { latitude: 47.7267, longitude: 10.3139 } })
    t.equal(body.projects, null)
    t.strictSame(body.projects_by_type, [
      { type: 'open field', count: 1, capacity_kw: null },
      { type: 'rooftop', count: 2, capacity_kw: 100 },
    ])
  }
})

t.test('the detail has projects with expand=projects [S-cooperatives-3]', async (t) => {
  const { world, read } = await openDetail()
  for (const query of ['?expand=projects', '?expand=projects,projects']) {
    const { body } = await read(`${cooperative.id}${query}`)
    t.equal(body.projects_by_type, null)
    t.strictSame(body.projects.slice(0, 2), [
      {
        id: deriveId('project', 'solar-allgaeu', 'Schule'),
        name: 'Schule',
        type: 'rooftop',
        energy_category: 'solar',
        city: 'Kempten',
        capacity_kw: 99.5,
        annual_yield_mwh: 95,
        co2_savings_tons: 38.2,
        commissioned_on: '2019-05-01',
        image_url: `${world.service.settings.baseUrl}/images/projects/${projects[0]?.id}`,
      },
      {
        id: deriveId('project', 'solar-allgaeu', 'Feld'),
        name: 'Feld',
        type: 'open field',
        energy_category: 'solar',
        city: null,
        capacity_kw: null,
        annual_yield_mwh: 95,
        co2_savings_tons: 38.2,
        commissioned_on: null,
        image_url: null,
      },
    ])
  }
})

t.test('the id of a cooperative is read without regard to case', async (t) => {
  const { read } = await openDetail()
  const { status, body } = await read(cooperative.id.toUpperCase())
  t.strictSame([status, body.id], [200, cooperative.id])
})

t.test(
  'an unrecognized expand token gets 422 VALIDATION_ERROR without an errors map [S-cooperative-1]',
  async (t) => {
    const { read } = await openDetail()
    for (const token of ['project', 'Projects', 'projects,owners', ',']) {
      const { status, body } = await read(`${cooperative.id}?expand=${token}`)
      t.equal(status, 422, token)
      t.match(body, { code: 'VALIDATION_ERROR', detail: /expand/ })
      t.notOk('errors' in body)
    }
  },
)

t.test(
  'an unknown and an unpublished cooperative both get 404 COOPERATIVE_NOT_FOUND [S-cooperative-2]',
  async (t) => {
    const { read } = await openDetail()
    const ids = [deriveId('nobody'), hidden.id, 'no-uuid', '%F0%9F%8C%9E', `${cooperative.id}0`]
    const answers = await Promise.all(ids.map(read))
    for (const { status, body } of answers) {
      t.equal(status, 404)
      const { instance: _instance, trace_id: _traceId, ...rest } = body
      const { instance: _path, trace_id: _id, ...first } = answers[0]?.body ?? {}
      t.equal(body.code, 'COOPERATIVE_NOT_FOUND')
      t.strictSame(rest, first)
    }
  },
)

t.test(
  'without a required scope the detail gets 403 and names the scope [S-cooperative-3]',
  async (t) => {
    const { world } = await openDetail()
    const path = `/v1/cooperatives/${cooperative.id}`
    const rows: readonly [Scope, Scope][] = [
      ['cooperatives:read', 'projects:read'],
      ['projects:read', 'cooperatives:read'],
    ]
    for (const [held, missing] of rows) {
      const token = await world.tokenWith(held)
      for (const query of ['', '?expand=projects']) {
        const { status, headers, body } = await world.request('GET', path + query, { token })
        t.equal(status, 403)
        t.match(body, { code: 'INSUFFICIENT_SCOPE', detail: new RegExp(missing) })
        t.ok(body.required_scopes.includes(missing))
        t.match(headers.get('www-authenticate'), missing)
      }
    }
  },
)

t.test('the list needs only cooperatives:read', async (t) => {
  const { world } = await openDetail()
  const statusWith = async (scope: Scope) =>
    (await world.request('GET', '/v1/cooperatives', { token: await world.tokenWith(scope) })).status
  t.equal(await statusWith('cooperatives:read'), 200)
  t.equal(await statusWith('projects:read'), 403)
})
