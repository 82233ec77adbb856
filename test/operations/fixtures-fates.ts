import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import { runOperation } from '../../src/operations/operations.ts'
import type { Service } from '../../src/usecases/service.ts'

const place = 'organizations.0.investors.0'

interface Investor {
  readonly fate?: string | null
  readonly iban?: string
  readonly orders?: readonly Readonly<Record<string, unknown>>[]
}

function setUp({ fate, iban, orders = [{}] }: Investor = {}) {
  const [organization] = buildFixtureFile().organizations
  const share_purchases = orders.map((order) => ({ cooperative: 'sun', share_count: 5, ...order }))
  const profile = completeProfile(iban === undefined ? {} : { bank_account: { iban } })
  const investor = { ...completeProvision({ profile }), share_purchases }
  const investors = [fate === undefined ? investor : { ...investor, fate }]
  return { ...buildFixtureFile(), organizations: [{ ...organization, investors }] }
}

/** Lists the fates of all orders, oldest first. */
async function fatesOf(service: Service): Promise<readonly (string | null)[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the answers are JSON of many shapes.
  const run = (name: string, input: object) => runOperation(service, name, input) as Promise<any>
  const fates: (string | null)[] = []
  for (const { share_purchase_id } of await run('purchase.list', {})) {
    fates.push((await run('purchase.show', { share_purchase_id })).fate)
  }
  return fates
}

t.test(
  'the fate of an order takes precedence over the fates of its investor and account',
  async (t) => {
    const rows: readonly [Investor, string | null][] = [
      [
        { fate: 'settle', iban: 'DE66100000000000000004', orders: [{ fate: 'reject:No.' }] },
        'reject:No.',
      ],
      [{ fate: 'settle', iban: 'DE66100000000000000004' }, 'settle'],
      [{ iban: 'DE66100000000000000004' }, 'stay'],
      [{ orders: [{ fate: 'return-after:500ms' }] }, 'return-after:500ms'],
      [{ fate: null, orders: [{ fate: null }] }, null],
    ]
    for (const [investor, expected] of rows) {
      const service = await createEmptyService()
      await applyFixtureFile(service, setUp(investor))
      t.strictSame(await fatesOf(service), [expected], JSON.stringify(investor))
    }
  },
)

t.test('a file with fates is safe to apply repeatedly', async (t) => {
  const service = await createEmptyService()
  const file = setUp({ fate: 'settle', orders: [{ fate: 'stay' }, {}] })
  await applyFixtureFile(service, file)
  const before = await exportFixtureFile(service)
  const { created, updated } = await applyFixtureFile(service, file)
  t.match(created, { investors: 0, share_purchases: 0 })
  t.match(updated, { investors: 0 })
  await applyFixtureFile(service, setUp({ orders: [{}, {}] }))
  t.strictSame(await exportFixtureFile(service), before, 'an omitted fate does not change')
})

t.test('a new fate of an investor applies only to later orders', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, setUp({ fate: 'settle' }))
  const changed = setUp({ fate: 'reject:No.', orders: [{}, {}] })
  const dryRun = await applyFixtureFile(service, { ...changed, dry_run: true })
  t.match(
    dryRun.changes,
    exactArrays([
      {
        kind: 'investor',
        outcome: 'updated',
        fields: [{ field: 'fate', before: 'settle', after: 'reject:No.' }],
      },
      { kind: 'share_purchase', outcome: 'created' },
    ]),
  )
  t.match((await applyFixtureFile(service, changed)).updated, { investors: 1 })
  t.strictSame(await fatesOf(service), ['settle', 'reject:No.'])
})

t.test('another fate of a stored order contradicts the store [D48]', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, setUp())
  const refused = applyFixtureFile(service, setUp({ orders: [{ fate: 'settle' }] }))
  const errors = {
    [`${place}.share_purchases.0.fate`]: 'the file says settle, the store says nothing',
  }
  await t.rejects(refused, { code: 'VALIDATION_ERROR', extra: { errors } })
})

t.test('an export has the fates, and gives the same export again', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  const orders = [{ fate: 'return-after:3d', status: 'approved' }, {}]
  await applyFixtureFile(one, setUp({ fate: 'settle', orders }))
  const exported = await exportFixtureFile(one)
  const [investor] = exported.organizations[0].investors
  t.equal(investor.fate, 'settle')
  t.match(investor.share_purchases, exactArrays([{ fate: 'return-after:3d' }, { fate: 'settle' }]))
  await applyFixtureFile(other, exported)
  t.strictSame(await exportFixtureFile(other), exported)
})

t.test('an exported order without a fate does not get the fate of its investor', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  await applyFixtureFile(one, setUp())
  await applyFixtureFile(one, setUp({ fate: 'settle' }))
  await applyFixtureFile(other, await exportFixtureFile(one))
  t.strictSame(await fatesOf(other), [null])
})

const forms =
  'must be settle, reject:REASON, return-after:DURATION (such as return-after:3d) or stay'

const refusals: readonly [fate: unknown, fault: string][] = [
  ['setle', forms],
  ['', forms],
  [3, forms],
  ['settle ', forms],
  ['reject', forms],
  ['reject: ', `${forms}; the reason must not be blank`],
  [`reject:${'x'.repeat(201)}`, 'must have a reason of at most 200 characters'],
  ['reject:a\u0007b', 'must have a reason without control characters'],
  ['return-after:', `${forms}; a duration is a number and ms, s, m, h or d`],
  ['return-after:3 days', `${forms}; a duration is a number and ms, s, m, h or d`],
  ['return-after:0s', 'must be a return after at most 3650d'],
  ['return-after:3651d', 'must be a return after at most 3650d'],
]

t.test('an unknown fate is refused with the list of known fates', async (t) => {
  for (const [fate, fault] of refusals) {
    const service = await createEmptyService()
    const onOrder = applyFixtureFile(service, setUp({ orders: [{ fate }] }))
    const there = { [`${place}.share_purchases.0.fate`]: fault }
    await t.rejects(onOrder, { code: 'VALIDATION_ERROR', extra: { errors: there } }, String(fate))
    const onInvestor = applyFixtureFile(service, setUp({ fate: fate as string }))
    const here = { [`${place}.fate`]: fault }
    await t.rejects(onInvestor, { code: 'VALIDATION_ERROR', extra: { errors: here } }, String(fate))
  }
})

t.test('production refuses fates in a file and reports all of them together', async (t) => {
  const service = await createEmptyService({ environment: 'production' })
  const refused = applyFixtureFile(
    service,
    setUp({ fate: 'stay', orders: [{}, { fate: 'settle' }] }),
  )
  await t.rejects(refused, {
    code: 'TESTING_AID_IN_PRODUCTION',
    extra: {
      errors: {
        [`${place}.fate`]: 'must be left out',
        [`${place}.share_purchases.1.fate`]: 'must be left out',
      },
    },
  })
})
