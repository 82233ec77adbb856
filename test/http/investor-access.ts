import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { type Answer, createWorld, type World } from '../../fixtures/world/world.ts'

function provision(world: World) {
  const options = { token: world.partner.token, body: completeProvision() }
  return world.request('POST', '/v1/investors', options)
}

t.test(
  'a request for an investor of another partner is answered as if the investor did not exist [S-service-9] [D19]',
  async (t) => {
    const world = await createWorld()
    const { body } = await provision(world)
    const { token } = world.otherPartner
    const unknown = '0198c0de-0000-7000-8000-000000000000'
    const put = { body: completeProfile() }
    const malformed = { body: { consents: null } }
    for (const [title, method, path, options] of [
      ['read', 'GET', (id: string) => `/v1/investors/${id}`, {}],
      ['replace', 'PUT', (id: string) => `/v1/investors/${id}/profile`, put],
      [
        'replace the profile by an invalid one',
        'PUT',
        (id: string) => `/v1/investors/${id}/profile`,
        malformed,
      ],
    ] as const) {
      const answers = await Promise.all(
        [body.investor_id, unknown, 'no-uuid', `${body.investor_id}0`].map((id) =>
          world.request(method, path(id), { token, ...options }),
        ),
      )
      const bare = answers.map(withoutItsOwn)
      t.equal(answers[0]?.body.code, 'MANAGED_INVESTOR_NOT_FOUND', title)
      for (const other of bare.slice(1)) t.strictSame(other, bare[0], title)
    }
    const found = (ref: string) =>
      world.request('GET', `/v1/investors?partner_customer_ref=${ref}`, { token })
    t.strictSame(withoutItsOwn(await found('customer-1')), withoutItsOwn(await found('customer-2')))
  },
)

/** Keeps the bytes of an answer, except for the members that name the request itself. */
function withoutItsOwn({ status, headers, text, body }: Answer) {
  const named = [body.instance, body.trace_id]
  const kept = [...headers].filter(
    ([name]) => !/^(x-request-id|ratelimit-.*|content-length)$/.test(name),
  )
  return { status, kept, text: named.reduce((rest, value) => rest.replace(value, ''), text) }
}

t.test('the id of an investor is read without regard to case', async (t) => {
  const world = await createWorld()
  const { body } = await provision(world)
  const path = `/v1/investors/${body.investor_id.toUpperCase()}`
  const read = await world.request('GET', path, { token: world.partner.token })
  t.strictSame(read.body, body)
})

t.test('each route of an investor needs its scope', async (t) => {
  const world = await createWorld()
  const { body } = await provision(world)
  const token = await world.tokenWith('cooperatives:read')
  for (const [method, path, scope] of [
    ['POST', '/v1/investors', 'investors:write'],
    ['GET', '/v1/investors?partner_customer_ref=customer-1', 'investors:read'],
    ['GET', `/v1/investors/${body.investor_id}`, 'investors:read'],
    ['PUT', `/v1/investors/${body.investor_id}/profile`, 'investors:write'],
  ] as const) {
    const answer = await world.request(method, path, {
      token,
      ...(method !== 'GET' && { body: {} }),
    })
    t.equal(answer.body.code, 'INSUFFICIENT_SCOPE', `${method} ${path}`)
    t.strictSame(answer.body.required_scopes, [scope])
  }
})

t.test('the stored record has no readable personal data [D59]', async (t) => {
  const world = await createWorld()
  const { body } = await provision(world)
  const stored = await world.service.store.read(({ investors }) =>
    investors.get(world.partner.organizationId, body.investor_id),
  )
  t.strictSame(Object.keys(stored ?? {}).sort(), [
    'createdAt',
    'encryptedKey',
    'encryptedPersonalData',
    'investorId',
    'organizationId',
    'partnerCustomerRef',
    'searchTerms',
    'updatedAt',
  ])
  t.notMatch(JSON.stringify(stored), /Frieda|Sonnenschein|DE12500105170648489890/i)
})
