import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import {
  companySections,
  completeProfile,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  applyFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import { createMarket, type Market, place, placeAccepted } from '../../fixtures/world/market.ts'
import { maximumDependents } from '../../src/domain/share-purchases/dependencies.ts'
import { runOperation } from '../../src/operations/operations.ts'
import type { Service } from '../../src/usecases/service.ts'

const key = 'solar-allgaeu'

interface Row {
  readonly title: string
  /** Places the orders, and afterwards changes the terms under which they were placed. */
  readonly live: (market: Market) => Promise<unknown>
  /** The total of each order, oldest first. */
  readonly totals: readonly string[]
}

function operate({ world }: Market, name: string, input: unknown): Promise<unknown> {
  return runOperation(world.service, name, input)
}

/** Imports the cooperative again, with other terms. */
async function redefine(market: Market, terms: Record<string, unknown>): Promise<void> {
  const { cooperatives } = await exportFixtureFile(market.world.service)
  await operate(market, 'cooperative.import', { cooperatives: [{ ...cooperatives[0], ...terms }] })
}

async function replaceProfile({ world, investorId }: Market, profile: unknown): Promise<void> {
  const { token } = world.partner
  const path = `/v1/investors/${investorId}/profile`
  const answer = await world.request('PUT', path, { token, body: profile })
  if (answer.status !== 200) throw new Error(`The profile was not replaced: ${answer.text}`)
}

const notGiven = { given: false }

const rows: readonly Row[] = [
  {
    title: 'the price and the fee have changed',
    live: async (market) => {
      const share_purchase_id = await placeAccepted(market)
      await operate(market, 'purchase.approve', { share_purchase_id })
      await operate(market, 'purchase.settle', { share_purchase_id })
      await operate(market, 'cooperative.set_price', { cooperative: key, share_price: '250.00' })
      await redefine(market, { entry_fee: '40.00' })
    },
    totals: ['515.00'],
  },
  {
    title: 'the fee was due again after a cancelled order',
    live: async (market) => {
      const share_purchase_id = await placeAccepted(market)
      await operate(market, 'purchase.cancel', { share_purchase_id })
      await placeAccepted(market, { share_count: 2 })
      await placeAccepted(market, { share_count: 1 })
    },
    totals: ['515.00', '215.00', '100.00'],
  },
  {
    title: 'the minimum of shares was raised',
    live: async (market) => {
      await placeAccepted(market)
      await redefine(market, { minimum_shares: 10 })
    },
    totals: ['515.00'],
  },
  {
    title: 'a consent was revoked',
    live: async (market) => {
      await placeAccepted(market)
      const consents = givenConsents({ terms: notGiven, privacy: notGiven })
      await replaceProfile(market, completeProfile({ consents }))
    },
    totals: ['515.00'],
  },
  {
    title: 'the profile was emptied',
    live: async (market) => {
      await placeAccepted(market)
      const consents = { terms: notGiven, privacy: notGiven, data_sharing: notGiven }
      await replaceProfile(market, { consents })
    },
    totals: ['515.00'],
  },
  {
    title: 'the company was removed',
    live: async (market) => {
      await replaceProfile(market, completeProfile(companySections()))
      await placeAccepted(market, { applicant_type: 'company' })
      await replaceProfile(market, completeProfile())
    },
    totals: ['515.00'],
  },
  {
    title: 'the cooperative is no longer in the catalogue',
    live: async (market) => {
      await placeAccepted(market)
      await operate(market, 'cooperative.unpublish', { cooperative: key })
    },
    totals: ['515.00'],
  },
  {
    title: 'the orders depend on others, some settled and some rejected',
    live: async (market) => {
      await redefine(market, { minimum_shares: 5 })
      const ended = await placeAccepted(market)
      await placeAccepted(market, { share_count: 1 })
      await operate(market, 'purchase.cancel', { share_purchase_id: ended })
      const dependency = await placeAccepted(market)
      const second = await placeAccepted(market, { share_count: 2 })
      await placeAccepted(market, { share_count: 3 })
      for (const share_purchase_id of [dependency, second]) {
        await operate(market, 'purchase.approve', { share_purchase_id })
        await operate(market, 'purchase.settle', { share_purchase_id })
      }
    },
    totals: ['515.00', '100.00', '515.00', '200.00', '300.00'],
  },
  {
    title: 'nothing has changed',
    live: async (market) => {
      await placeAccepted(market)
      const share_purchase_id = await placeAccepted(market, { share_count: 3 })
      await operate(market, 'purchase.reject', { share_purchase_id, reason: 'Zu spät.' })
    },
    totals: ['515.00', '300.00'],
  },
]

/** Reads all orders and holdings, without the times and digests that a set-up leaves out. */
async function ordersOf({ store, vault }: Service) {
  return store.read(async ({ sharePurchases, investors }) => {
    const orders = await sharePurchases.list({})
    return Promise.all(
      orders.map(
        async ({ createdAt, updatedAt, transitions, searchTerms, sepaMandate, ...order }) => {
          const investor = await investors.get(order.organizationId, order.investorId)
          const { encryptedDebtorIban, ...mandate } = sepaMandate
          const debtorIban = vault.of(investor?.encryptedKey).decrypt(encryptedDebtorIban)
          return { ...order, mandate, debtorIban }
        },
      ),
    )
  })
}

async function holdingOf(service: Service, { world, investorId, cooperative }: Market) {
  const { organizationId } = world.partner
  const holding = await service.store.read(({ holdings }) =>
    holdings.find(organizationId, investorId, cooperative.id),
  )
  return { shares: holding?.shares, pendingShares: holding?.pendingShares }
}

function createSunMarket(): Promise<Market> {
  return createMarket({ sharePrice: euro('100'), entryFee: euro('15'), minimumShares: 1 })
}

t.test(
  'an export has orders as they were placed, even if the terms have changed [D49]',
  async (t) => {
    for (const { title, live, totals } of rows) {
      await t.test(title, async (t) => {
        const market = await createSunMarket()
        await live(market)
        const { service } = market.world
        const exported = await exportFixtureFile(service)
        const other = await createEmptyService()
        await applyFixtureFile(other, exported)
        t.strictSame(await exportFixtureFile(other), exported)
        const orders = await ordersOf(other)
        t.strictSame(orders, await ordersOf(service))
        t.strictSame(
          orders.map(({ total }) => total),
          totals,
        )
        t.strictSame(await holdingOf(other, market), await holdingOf(service, market))
        const dated = (await runOperation(service, 'fixtures.export', { past: true })) as object
        const third = await createEmptyService()
        await applyFixtureFile(third, { ...dated, past: true })
        t.strictSame(await runOperation(third, 'fixtures.export', { past: true }), dated)
      })
    }
  },
)

t.test('the terms of an exported order have the names of the API [D49]', async (t) => {
  const market = await createSunMarket()
  const { body } = await place(market)
  const [{ investors }] = (await exportFixtureFile(market.world.service)).organizations
  const [order] = investors[0].share_purchases
  const { price_per_share, entry_fee, total, consents } = body
  t.match(order, { price_per_share, entry_fee, total })
  t.strictSame(order.consents, { terms: consents.terms, privacy: consents.privacy })
  t.equal(order.total, '515.00')
})

/** Applies an exported order with a change. */
async function applyChanged(change: Record<string, unknown>, service?: Service): Promise<unknown> {
  const market = await createSunMarket()
  await placeAccepted(market)
  const exported = await exportFixtureFile(market.world.service)
  const [investor] = exported.organizations[0].investors
  investor.share_purchases = [{ ...investor.share_purchases[0], ...change }]
  return applyFixtureFile(service ?? (await createEmptyService()), exported)
}

const place0 = 'organizations.0.investors.0.share_purchases.0'
const mandate = { signed_at: '2026-01-10T08:30:00.000Z', debtor_iban: 'DE12500105170648489890' }
const given = { given: true, given_at: '2026-01-05T10:00:00.000Z' }

const refused: readonly [string, Record<string, unknown>, string][] = [
  ['no share', { share_count: 0 }, 'share_count'],
  [
    'more shares than anybody may hold',
    { share_count: 1_000_000_001, total: '100000000115' },
    'share_count',
  ],
  ['a price that is not an amount', { price_per_share: 'many' }, 'price_per_share'],
  ['a price of zero', { price_per_share: '0.00' }, 'price_per_share'],
  ['a fee that is not an amount', { entry_fee: '-15.00' }, 'entry_fee'],
  ['a total that is not an amount', { total: '515.001' }, 'total'],
  ['a total with too many digits', { total: '9'.repeat(23) }, 'total'],
  ['a total that is not the sum', { total: '500.00' }, 'total'],
  ['no price', { price_per_share: undefined }, 'price_per_share'],
  ['no fee', { entry_fee: undefined }, 'entry_fee'],
  ['a fee that is null', { entry_fee: null }, 'entry_fee'],
  ['no total', { total: undefined }, 'total'],
  ['no applicant type', { applicant_type: undefined }, 'applicant_type'],
  ['no mandate', { sepa_mandate: undefined }, 'sepa_mandate'],
  [
    'no account',
    { sepa_mandate: { ...mandate, debtor_iban: undefined, reference: 'A' } },
    'sepa_mandate.debtor_iban',
  ],
  ['no reference', { sepa_mandate: mandate }, 'sepa_mandate.reference'],
  [
    'a wrong IBAN',
    { sepa_mandate: { ...mandate, debtor_iban: 'DE00', reference: 'A' } },
    'sepa_mandate.debtor_iban',
  ],
  ['no consents', { consents: undefined }, 'consents'],
  ['only a part of the consents', { consents: { terms: given } }, 'consents.privacy'],
  [
    'a consent that was not given',
    { consents: { terms: given, privacy: { given: false } } },
    'consents.privacy.given',
  ],
  [
    'a consent from the future',
    { consents: { terms: { given: true, given_at: '2099-01-01T00:00:00Z' }, privacy: given } },
    'consents.terms.given_at',
  ],
  [
    'a statute consent that is missing',
    { statute_consent_given_at: undefined },
    'statute_consent_given_at',
  ],
  ['an unknown key', { price: '100.00' }, 'price'],
  ['an unknown dependency', { rests_on: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] }, 'rests_on'],
  ['a dependency that is not an id', { rests_on: ['first'] }, 'rests_on.0'],
  ['an unknown cooperative', { cooperative: 'moon' }, 'cooperative'],
]

t.test('an order with inconsistent terms is refused with its path [D49]', async (t) => {
  const service = await createEmptyService()
  for (const [title, change, path] of refused) {
    const errors = { [`${place0}.${path}`]: String }
    const rejected = { code: 'VALIDATION_ERROR', extra: { errors } }
    await t.rejects(applyChanged(change, service), rejected, title)
    t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] }, title)
  }
})

t.test('an order without terms is placed under the current rules and prices [D49]', async (t) => {
  const without = {
    price_per_share: null,
    entry_fee: null,
    total: null,
    consents: null,
    rests_on: null,
  }
  const service = await createEmptyService()
  await applyChanged({ ...without, share_count: 4 }, service)
  t.match(await runOperation(service, 'purchase.list', {}), exactArrays([{ total: '415.00' }]))
  await t.rejects(
    applyChanged(
      { ...without, share_count: 4 },
      await createEmptyService({ maximumShareCount: 3 }),
    ),
    {
      code: 'VALIDATION_ERROR',
      extra: { errors: { [`${place0}.share_count`]: 'must be at most 3' } },
    },
  )
})

t.test('past orders together need not satisfy the current rules', async (t) => {
  const market = await createSunMarket()
  await placeAccepted(market)
  const exported = await exportFixtureFile(market.world.service)
  const [investor] = exported.organizations[0].investors
  const [{ share_purchase_id, ...order }] = investor.share_purchases
  const large = { ...order, share_count: 600_000_000, total: '60000000015.00' }
  investor.share_purchases = [
    { ...large, status: 'cancelled' },
    { ...large, status: 'settled' },
  ]
  const service = await createEmptyService()
  await applyFixtureFile(service, exported)
  t.strictSame(await holdingOf(service, market), { shares: 600_000_000, pendingShares: 0 })
})

t.test('a lower share limit does not apply to orders from another store', async (t) => {
  const service = await createEmptyService({ maximumShareCount: 3 })
  t.match(await applyChanged({}, service), { created: { share_purchases: 1 } })
})

t.test('the account of an order may be written in groups', async (t) => {
  const service = await createEmptyService()
  const debtor_iban = 'de12 5001 0517 0648 4898 90'
  await applyChanged({ sepa_mandate: { ...mandate, debtor_iban, reference: 'A-1' } }, service)
  t.match(await ordersOf(service), exactArrays([{ debtorIban: 'DE12500105170648489890' }]))
})

t.test('a past order can depend only on orders that may have dependents [D1]', async (t) => {
  const market = await createSunMarket()
  await placeAccepted(market)
  const second = await placeAccepted(market)
  await placeAccepted(market)
  const exported = await exportFixtureFile(market.world.service)
  const [investor] = exported.organizations[0].investors
  investor.share_purchases[2].rests_on = [second]
  await t.rejects(applyFixtureFile(await createEmptyService(), exported), {
    code: 'VALIDATION_ERROR',
    extra: {
      errors: {
        'organizations.0.investors.0.share_purchases.2.rests_on':
          'must name earlier share purchases of the same investor and cooperative on which others can depend',
      },
    },
  })
})

t.test('at most 1,000 pending past orders depend on others [D1]', async (t) => {
  const market = await createSunMarket()
  await placeAccepted(market)
  await placeAccepted(market)
  const exported = await exportFixtureFile(market.world.service)
  const [investor] = exported.organizations[0].investors
  const [first, { share_purchase_id, sepa_mandate, ...second }] = investor.share_purchases
  const resting = (count: number) =>
    Array.from({ length: count }, () => ({
      ...second,
      sepa_mandate: { ...sepa_mandate, reference: 'A-1' },
    }))
  investor.share_purchases = [first, ...resting(maximumDependents + 1)]
  await t.rejects(applyFixtureFile(await createEmptyService(), exported), {
    code: 'VALIDATION_ERROR',
    extra: {
      errors: {
        [`organizations.0.investors.0.share_purchases.${maximumDependents + 1}.rests_on`]:
          'must be empty, because 1000 pending share purchases of the investor and cooperative already depend on others, which is the maximum',
      },
    },
  })
  investor.share_purchases = [
    first,
    ...resting(1),
    { ...second, sepa_mandate, status: 'rejected' },
    ...resting(maximumDependents - 1),
  ]
  const applied = applyFixtureFile(await createEmptyService(), exported)
  t.match(await applied, { created: { share_purchases: maximumDependents + 2 } })
})

t.test('an imported order that names no dependency depends on no other order [D1]', async (t) => {
  const market = await createSunMarket()
  await placeAccepted(market)
  await placeAccepted(market, { share_count: 3 })
  const exported = await exportFixtureFile(market.world.service)
  const [investor] = exported.organizations[0].investors
  for (const order of investor.share_purchases) delete order.rests_on
  const service = await createEmptyService()
  await applyFixtureFile(service, exported)
  const [first, second] = await ordersOf(service)
  const own = { ...market, world: { ...market.world, service } }
  await operate(own, 'purchase.cancel', { share_purchase_id: first?.sharePurchaseId })
  for (const name of ['purchase.approve', 'purchase.settle']) {
    await operate(own, name, { share_purchase_id: second?.sharePurchaseId })
  }
  t.strictSame(await holdingOf(service, market), { shares: 3, pendingShares: 0 })
})
