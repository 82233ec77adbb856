import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'
import type { Service } from '../../src/usecases/service.ts'

const nothing = {
  organizations: 0,
  clients: 0,
  webhooks: 0,
  cooperatives: 0,
  investors: 0,
  share_purchases: 0,
}
const everything = {
  organizations: 1,
  clients: 1,
  webhooks: 1,
  cooperatives: 1,
  investors: 1,
  share_purchases: 1,
}

/** Makes a set-up whose investor has these orders. */
function withOrders(...orders: readonly Record<string, unknown>[]) {
  return withInvestor((investor) => ({ ...investor, share_purchases: orders }))
}

function withInvestor(change: (investor: Record<string, unknown>) => unknown) {
  const setUp = buildFixtureFile()
  return {
    ...setUp,
    organizations: setUp.organizations.map((organization) => ({
      ...organization,
      investors: organization.investors.map(change),
    })),
  }
}

function withClient(client: Record<string, unknown>): unknown {
  const setUp = buildFixtureFile()
  return { ...setUp, organizations: [{ name: 'Musterbank', clients: [client] }] }
}

async function ordersOf(service: Service) {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is JSON.
  return (await runOperation(service, 'purchase.list', {})) as any[]
}

t.test('applying a file returns counts', async (t) => {
  const service = await createEmptyService()
  const answer = await applyFixtureFile(service, buildFixtureFile())
  t.match(answer, { created: everything, updated: nothing, unchanged: nothing })
  t.match(
    await ordersOf(service),
    exactArrays([{ status: 'submitted', share_count: 5, total: '500.00' }]),
  )
})

t.test('applying a file again changes nothing', async (t) => {
  const { service, clock } = await createWorld()
  const setUp = withOrders({ cooperative: 'sun', share_count: 5, status: 'settled' })
  await applyFixtureFile(service, setUp)
  const lists = ['organization.list', 'client.list', 'cooperative.list', 'purchase.list']
  const read = () => Promise.all(lists.map((name) => runOperation(service, name, {})))
  const before = [await read(), await exportFixtureFile(service)]
  clock.advance(3600)
  t.strictSame(await applyFixtureFile(service, setUp), {
    created: nothing,
    updated: nothing,
    unchanged: everything,
    clients: [],
    webhooks: [],
  })
  t.strictSame([await read(), await exportFixtureFile(service)], before)
})

t.test('omitted ids are derived from the names, so two machines get the same ids', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  await applyFixtureFile(one, buildFixtureFile())
  await applyFixtureFile(other, buildFixtureFile())
  const idsOf = async (service: Service) => {
    const [organization] = (await exportFixtureFile(service)).organizations
    const [investor] = organization.investors
    return [
      organization.organization_id,
      organization.clients[0].client_id,
      investor.investor_id,
      investor.share_purchases[0].share_purchase_id,
    ]
  }
  t.strictSame(await idsOf(one), await idsOf(other))
  t.equal(new Set(await idsOf(one)).size, 4)
})

t.test(
  'a client without a secret in the file gets a working secret that is shown once',
  async (t) => {
    const world = await createWorld()
    const { clients } = await applyFixtureFile(world.service, buildFixtureFile())
    t.match(
      clients,
      exactArrays([{ organization: 'Musterbank', name: 'full', client_secret: String }]),
    )
    const [{ client_id, client_secret }] = clients
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await world.request('POST', '/oauth2/token', { body: String(body), headers })
    t.equal(answer.status, 200)
    t.strictSame((await applyFixtureFile(world.service, buildFixtureFile())).clients, [])
  },
)

t.test('a client keeps a fixed secret and its other fields', async (t) => {
  const service = await createEmptyService()
  const client = {
    client_id: 'd0000000-0000-4000-8000-000000000001',
    client_secret: 'fixed-secret',
    scopes: ['projects:read', 'cooperatives:read'],
    kind: 'internal',
    disabled: true,
  }
  const { clients } = await applyFixtureFile(service, withClient(client))
  t.match(
    clients,
    exactArrays([
      {
        client_id: client.client_id,
        client_secret: 'fixed-secret',
        granted_scopes: ['cooperatives:read', 'projects:read'],
        kind: 'internal',
        disabled: true,
      },
    ]),
  )
  const enabled = await applyFixtureFile(service, withClient({ ...client, disabled: false }))
  t.match(enabled, { updated: { clients: 1 } })
  t.strictSame(enabled.clients, [])
})

t.test('fixed secrets are refused in production, and nothing is changed', async (t) => {
  const service = await createEmptyService({ environment: 'production' })
  await t.rejects(applyFixtureFile(service, withClient({ name: 'full', client_secret: 'fixed' })), {
    code: 'TESTING_AID_IN_PRODUCTION',
    extra: { errors: { 'organizations.0.clients.0.client_secret': String } },
  })
  t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] })
  t.match(await applyFixtureFile(service, buildFixtureFile()), { created: everything })
})

t.test('self-service is refused in production, and nothing is changed', async (t) => {
  const service = await createEmptyService({ environment: 'production' })
  const organizations = [{ name: 'MusterBank', self_service: true }]
  await t.rejects(applyFixtureFile(service, { organizations }), {
    code: 'TESTING_AID_IN_PRODUCTION',
    extra: { errors: { 'organizations.0.self_service': String } },
  })
  t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] })
  await applyFixtureFile(service, { organizations: [{ name: 'MusterBank', self_service: false }] })
  const update = { organization: 'MusterBank', self_service: true }
  await t.rejects(runOperation(service, 'organization.update', update), {
    code: 'TESTING_AID_IN_PRODUCTION',
  })
  const neither = { organization: 'MusterBank' }
  await t.rejects(runOperation(service, 'organization.update', neither), {
    code: 'VALIDATION_ERROR',
  })
})

t.test('an order with a status is placed and afterwards gets that status', async (t) => {
  const ways: readonly [string, readonly string[]][] = [
    ['submitted', ['submitted']],
    ['approved', ['submitted', 'approved']],
    ['settled', ['submitted', 'approved', 'settled']],
    ['rejected', ['submitted', 'rejected']],
    ['cancelled', ['submitted', 'cancelled']],
  ]
  const service = await createEmptyService()
  const orders = ways.map(([status]) => ({ cooperative: 'sun', share_count: 1, status }))
  await applyFixtureFile(service, withOrders(...orders))
  for (const [index, { share_purchase_id }] of (await ordersOf(service)).entries()) {
    const shown = await runOperation(service, 'purchase.show', { share_purchase_id })
    t.match(shown, exactArrays({ history: ways[index]?.[1].map((status) => ({ status })) }))
  }
})

const sunWithFee = { ...buildFixtureFile().cooperatives[0], entry_fee: '15.00' }

t.test('orders that depend on each other get the statuses that their file declares', async (t) => {
  const service = await createEmptyService()
  const statuses = ['settled', 'approved', 'settled', 'cancelled']
  const orders = statuses.map((status) => ({ cooperative: 'sun', share_count: 1, status }))
  const setUp = { ...withOrders(...orders), cooperatives: [sunWithFee] }
  await applyFixtureFile(service, setUp)
  t.match(await ordersOf(service), exactArrays(statuses.map((status) => ({ status }))))
  const ended = ['cancelled', 'rejected', 'cancelled']
  const others = ended.map((status) => ({ cooperative: 'sun', share_count: 1, status }))
  const other = await createEmptyService()
  await applyFixtureFile(other, { ...setUp, ...withOrders(...others), cooperatives: [sunWithFee] })
  t.match(await ordersOf(other), exactArrays(ended.map((status) => ({ status }))))
})

t.test('an order is placed after earlier orders of the file have ended', async (t) => {
  const rows: readonly (readonly [shares: number, status: string, fee: string])[][] = [
    [
      [2, 'cancelled', '15.00'],
      [2, 'settled', '15.00'],
    ],
    [
      [2, 'rejected', '15.00'],
      [1, 'cancelled', '0.00'],
      [2, 'submitted', '15.00'],
      [1, 'rejected', '0.00'],
      [1, 'approved', '0.00'],
    ],
  ]
  const cooperatives = [{ ...sunWithFee, minimum_shares: 2 }]
  for (const declared of rows) {
    const service = await createEmptyService()
    const orders = declared.map(([share_count, status]) => ({
      cooperative: 'sun',
      share_count,
      status,
    }))
    await applyFixtureFile(service, { ...withOrders(...orders), cooperatives })
    const expected = declared.map(([share_count, status, entry_fee]) => ({
      share_count,
      status,
      entry_fee,
    }))
    t.match(await ordersOf(service), exactArrays(expected))
  }
})

t.test('statuses that contradict each other are refused with their paths', async (t) => {
  const service = await createEmptyService()
  const path = 'organizations.0.investors.0.share_purchases.1'
  const rows: readonly [string, string, string, RegExp][] = [
    ['submitted', 'settled', path, /cannot be settled yet.*which is submitted/],
    ['cancelled', 'settled', `${path}.share_count`, /^must be at least 2, /],
    ['rejected', 'submitted', `${path}.share_count`, /^must be at least 2, /],
  ]
  const cooperatives = [{ ...sunWithFee, minimum_shares: 2 }]
  for (const [first, second, at, fault] of rows) {
    const orders = [first, second].map((status, index) => ({
      cooperative: 'sun',
      share_count: index === 0 ? 2 : 1,
      status,
    }))
    const applied = applyFixtureFile(service, { ...withOrders(...orders), cooperatives })
    const refused = { name: 'Problem', extra: { errors: { [at]: fault } } }
    await t.rejects(applied, refused, `${first}, ${second}`)
    t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] })
  }
})

t.test('a changed cooperative in the file is updated', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const changed = { ...buildFixtureFile().cooperatives[0], share_price: '120.00' }
  t.match(await applyFixtureFile(service, { cooperatives: [changed] }), {
    updated: { ...nothing, cooperatives: 1 },
    unchanged: nothing,
  })
  t.match(
    await ordersOf(service),
    exactArrays([{ price_per_share: '100.00' }]),
    'orders keep their terms',
  )
})

t.test('a changed organization in the file is updated', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const organizations = [{ name: 'MusterBank', investor_mail: false, self_service: true }]
  t.match(await applyFixtureFile(service, { organizations }), { updated: { organizations: 1 } })
  t.match(await runOperation(service, 'organization.list', {}), exactArrays(organizations))
  t.match(await applyFixtureFile(service, { organizations: [{ name: 'MusterBank' }] }), {
    unchanged: { organizations: 1 },
  })
})

t.test('a changed investor in the file gets the whole new profile', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const profile = {
    last_name: 'Neumann',
    consents: { terms: { given: false }, privacy: { given: true }, data_sharing: { given: false } },
  }
  const answer = await applyFixtureFile(
    service,
    withInvestor((investor) => ({ ...investor, profile })),
  )
  t.match(answer, { updated: { ...nothing, investors: 1 }, unchanged: { share_purchases: 1 } })
  const [{ investors }] = (await exportFixtureFile(service)).organizations
  t.equal(investors[0].profile.last_name, 'Neumann')
  t.notOk(investors[0].profile.bank_account)
  t.equal(investors[0].email, 'frieda.sonnenschein@mail.example')
})

t.test('stored orders keep their state, and missing orders are added', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const [{ share_purchase_id }] = (await ordersOf(service)) as [{ share_purchase_id: string }]
  await runOperation(service, 'purchase.approve', { share_purchase_id })
  const answer = await applyFixtureFile(
    service,
    withOrders(
      { cooperative: 'sun', share_count: 5, status: 'submitted' },
      { cooperative: 'sun', share_count: 2 },
    ),
  )
  t.match(answer, { created: { share_purchases: 1 }, unchanged: { share_purchases: 1 } })
  t.match(
    await ordersOf(service),
    exactArrays([
      { status: 'approved', share_count: 5 },
      { status: 'submitted', share_count: 2 },
    ]),
  )
})

t.test('duplicate declarations are refused', async (t) => {
  const [organization] = buildFixtureFile().organizations
  const [investor] = organization?.investors ?? []
  const order = {
    cooperative: 'sun',
    share_count: 1,
    share_purchase_id: 'd0000000-0000-4000-8000-00000000000a',
  }
  const rows: readonly [string, unknown, string][] = [
    [
      'a client',
      { clients: [{ name: 'a' }, { name: 'a' }] },
      'organizations.0.clients.1.client_id',
    ],
    [
      'an investor',
      { investors: [investor, investor] },
      'organizations.0.investors.1.partner_customer_ref',
    ],
    [
      'an order',
      { investors: [{ ...investor, share_purchases: [order, order] }] },
      'organizations.0.investors.0.share_purchases.1.share_purchase_id',
    ],
  ]
  for (const [title, change, path] of rows) {
    const setUp = {
      ...buildFixtureFile(),
      organizations: [{ ...organization, ...(change as object) }],
    }
    const errors = { [path]: 'appears more than once' }
    const refused = { code: 'VALIDATION_ERROR', extra: { errors } }
    await t.rejects(applyFixtureFile(await createEmptyService(), setUp), refused, title)
  }
})
