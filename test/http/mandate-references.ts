import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { createMarket, type Market, place, provision } from '../../fixtures/world/market.ts'
import { runOperation } from '../../src/operations/operations.ts'

const iban = 'DE12500105170648489890'
const otherIban = 'DE89370400440532013000'
const used = 'was already used with a different debtor IBAN'
const lapsed =
  'must not be more than 36 months ago, because a mandate lapses when nothing was collected with it for so long: ask the investor to sign a new one'

function mandate(fields: Record<string, unknown>) {
  return { sepa_mandate: { signed_at: '2026-01-10T09:30:00+01:00', ...fields } }
}

/** Places an order and returns the status and the fault of the reference. */
async function order(
  market: Market,
  fields: Record<string, unknown>,
  options: Parameters<typeof place>[2] = {},
): Promise<[number, string | undefined]> {
  const { status, body } = await place(market, mandate(fields), options)
  return [status, body.errors?.['sepa_mandate.reference']]
}

t.test('a mandate reference that was used with another debtor IBAN gets 422 [D4]', async (t) => {
  const market = await createMarket()
  const reference = 'Mandate-1'
  t.strictSame(await order(market, { reference }), [201, undefined])
  t.strictSame(await order(market, { reference, debtor_iban: otherIban }), [422, used])
  t.strictSame(await order(market, { reference: 'MANDATE-1', debtor_iban: otherIban }), [422, used])
  t.strictSame(await order(market, { reference, debtor_iban: iban }), [201, undefined])
  t.strictSame(await order(market, { reference, debtor_iban: 'de12 5001 0517 0648 4898 90' }), [
    201,
    undefined,
  ])
  t.strictSame(await order(market, { reference: 'Mandate-2', debtor_iban: otherIban }), [
    201,
    undefined,
  ])
})

t.test('a used reference is reported together with all other faults [D15]', async (t) => {
  const market = await createMarket()
  const reference = 'Mandate-1'
  t.strictSame(await order(market, { reference }), [201, undefined])
  const later = '2030-01-01T00:00:00Z'
  const other = { reference, debtor_iban: otherIban }
  const rows: readonly (readonly [mandate: object, faults: object])[] = [
    [other, { statute_consent_given_at: 'must not be in the future' }],
    [{ ...other, signed_at: 'now' }, { 'sepa_mandate.signed_at': /^must be a timestamp/ }],
  ]
  for (const [fields, faults] of rows) {
    const body = { ...mandate({ ...fields }), statute_consent_given_at: later }
    const { errors } = (await place(market, body)).body
    t.match(errors, { 'sepa_mandate.reference': used, ...faults })
  }
  for (const debtor_iban of ['DE1', 1]) {
    const fields = mandate({ reference, debtor_iban })
    const { errors } = (await place(market, { ...fields, statute_consent_given_at: later })).body
    const paths = ['sepa_mandate.debtor_iban', 'statute_consent_given_at']
    t.strictSame(
      Object.keys(errors).sort(),
      paths,
      'an account that cannot be read is not compared',
    )
  }
})

t.test('a reference stays used, even if its order is rejected or cancelled [D4]', async (t) => {
  const market = await createMarket()
  const { body } = await place(market, mandate({ reference: 'M-1' }))
  const { share_purchase_id } = body
  await runOperation(market.world.service, 'purchase.cancel', { share_purchase_id })
  t.strictSame(await order(market, { reference: 'M-1', debtor_iban: otherIban }), [422, used])
})

t.test('a reference is used for the whole organization, whichever investor used it', async (t) => {
  const market = await createMarket()
  const { world } = market
  const second = await provision(world, {
    partner_customer_ref: 'customer-2',
    profile: completeProfile({ bank_account: { iban: otherIban } }),
  })
  await order(market, { reference: 'M-1' })
  t.strictSame(await order(market, { reference: 'M-1' }, { investorId: second }), [422, used])
  const { token } = world.otherPartner
  const theirs = await provision(world, {}, token)
  const fields = { reference: 'M-1', debtor_iban: otherIban }
  t.strictSame(await order(market, fields, { token, investorId: theirs }), [201, undefined])
})

t.test('a reference that was issued for another order counts as used [D4]', async (t) => {
  const market = await createMarket()
  const { body } = await place(market)
  const { reference } = body.sepa_mandate
  for (const spelled of [reference, reference.toLowerCase()]) {
    const fields = { reference: spelled, debtor_iban: otherIban }
    t.strictSame(await order(market, fields), [422, used])
  }
  t.strictSame(await order(market, { reference }), [201, undefined])
})

t.test('when orders race for a reference with different IBANs, one IBAN wins [D4]', async (t) => {
  const market = await createMarket()
  const investors = [market.investorId]
  for (const ref of ['customer-2', 'customer-3', 'customer-4']) {
    investors.push(await provision(market.world, { partner_customer_ref: ref }))
  }
  for (const reference of ['M-1', 'M-2', 'M-3']) {
    const answers = await Promise.all(
      investors.map((investorId, index) =>
        order(market, { reference, debtor_iban: index % 2 ? otherIban : iban }, { investorId }),
      ),
    )
    t.strictSame(answers.map(([status]) => status).sort(), [201, 201, 422, 422])
  }
})

t.test(
  'an order that is not marked as the first use of its reference counts as a use [D4]',
  async (t) => {
    const market = await createMarket()
    const { service, partner } = market.world
    const { body } = await place(market, mandate({ reference: 'M-1' }))
    await service.store.write(anything, async ({ sharePurchases }) => {
      const stored = await sharePurchases.get(partner.organizationId, body.share_purchase_id)
      if (!stored) throw new Error('The order was not stored.')
      const { isFirstOfReference: _, ...sepaMandate } = stored.sepaMandate
      await sharePurchases.put({ ...stored, sepaMandate })
    })
    t.strictSame(await order(market, { reference: 'M-1', debtor_iban: otherIban }), [422, used])
  },
)

/** Places an order and returns the status and the fault of the signature. */
async function sign(
  market: Market,
  fields: Record<string, unknown>,
  options: Parameters<typeof place>[2] = {},
): Promise<[number, string | undefined]> {
  const { status, body } = await place(market, mandate(fields), options)
  return [status, body.errors?.['sepa_mandate.signed_at']]
}

const old = { signed_at: '2021-05-03T12:00:00Z' }

t.test('a mandate that was not used for 36 months has lapsed [D4]', async (t) => {
  const market = await createMarket()
  for (const [signed_at, isValid] of [
    ['2023-11-20T00:00:00+01:00', true],
    ['2023-11-19T23:59:59+01:00', false],
    ['2023-11-19T23:00Z', true],
    ['2023-11-20T01:00:00+09:00', false],
    ['2019-03-03T09:00:00Z', false],
    ['1900-01-01T00:00:00Z', false],
    ['2026-11-20T10:00:00Z', true],
  ] as const) {
    const [status, fault] = await sign(market, { signed_at })
    t.strictSame([status, fault], isValid ? [201, undefined] : [422, lapsed], signed_at)
  }
})

t.test('an order of the last 36 months has used the reference of a mandate [D4]', async (t) => {
  const market = await createMarket()
  const { world } = market
  t.strictSame(await sign(market, { ...old, reference: 'M-1' }), [422, lapsed])
  t.strictSame(await sign(market, { reference: 'M-1' }), [201, undefined])
  t.strictSame(await sign(market, { ...old, reference: 'm-1' }), [201, undefined])
  t.strictSame(await sign(market, { ...old, reference: 'M-2' }), [422, lapsed])
  const issued = (await place(market)).body.sepa_mandate.reference
  t.strictSame(await sign(market, { ...old, reference: issued }), [201, undefined])
  t.strictSame(await sign(market, old), [422, lapsed], 'a new reference was never used')

  const second = await provision(world, { partner_customer_ref: 'customer-2' })
  const used = { ...old, reference: 'M-1' }
  t.strictSame(await sign(market, used, { investorId: second }), [201, undefined])
  const { token } = world.otherPartner
  const theirs = await provision(world, {}, token)
  t.strictSame(await sign(market, used, { token, investorId: theirs }), [422, lapsed])
})

t.test('the 36 months begin again with each use of the reference [D4]', async (t) => {
  const market = await createMarket()
  const { world } = market
  const placeAgain = async (signed_at = old.signed_at) =>
    sign(
      market,
      { signed_at, reference: 'M-1' },
      { token: await world.tokenWith('applications:write') },
    )
  const days = (count: number) => world.clock.advance(count * 24 * 3600)
  t.strictSame(await placeAgain('2026-11-20T09:00:00Z'), [201, undefined])
  // The day 36 months later.
  days(3 * 365 + 1)
  t.strictSame(await placeAgain(), [201, undefined])
  days(3 * 365)
  t.strictSame(await placeAgain(), [201, undefined])
  days(3 * 365 + 2)
  t.strictSame(await placeAgain(), [422, lapsed])
})

t.test('an order that ended before its approval has not used the mandate [D4]', async (t) => {
  const market = await createMarket()
  const { service } = market.world
  const run = (name: string, share_purchase_id: string) =>
    runOperation(service, `purchase.${name}`, { share_purchase_id })
  for (const [reference, decisions, status] of [
    ['M-1', ['cancel'], 422],
    ['M-2', ['reject'], 422],
    ['M-3', ['approve'], 201],
    ['M-4', ['approve', 'settle'], 201],
    ['M-5', ['approve', 'reject'], 201],
  ] as const) {
    const { share_purchase_id } = (await place(market, mandate({ reference }))).body
    for (const decision of decisions) await run(decision, share_purchase_id)
    t.equal((await sign(market, { ...old, reference }))[0], status, decisions.join(', '))
  }
  const issued = (await place(market)).body
  await run('cancel', issued.share_purchase_id)
  const { reference } = issued.sepa_mandate
  t.strictSame(await sign(market, { ...old, reference }), [422, lapsed])
})

t.test('orders of the past are recorded as they were, and use their mandates [D4]', async (t) => {
  const market = await createMarket()
  const { world, cooperative } = market
  const given = { given: true, given_at: '2019-03-01T09:00:00Z' }
  const past = (reference: string, year: number) => ({
    cooperative: cooperative.key,
    share_count: 3,
    applicant_type: 'private',
    statute_consent_given_at: given.given_at,
    price_per_share: '100.00',
    entry_fee: '0.00',
    total: '300.00',
    sepa_mandate: { signed_at: '2015-03-03T09:00:00Z', debtor_iban: iban, reference },
    consents: { terms: given, privacy: given },
    status: 'settled',
    created_at: `${year}-03-04T09:00:00Z`,
    history: ['submitted', 'approved', 'settled'].map((status, index) => ({
      status,
      at: `${year}-03-0${4 + index}T09:00:00Z`,
    })),
  })
  const file = (ref: string, ...share_purchases: readonly object[]) => ({
    organizations: [
      {
        name: 'Demo Bank',
        investors: [{ ...completeProvision({ partner_customer_ref: ref }), share_purchases }],
      },
    ],
    past: true,
  })
  const apply = (input: object) => runOperation(world.service, 'fixtures.apply', input)
  await apply(file('c-1', past('OLD-1', 2019), past('OLD-2', 2025)))
  // The latest use counts, not the one that was recorded last.
  await apply(file('c-2', past('OLD-2', 2018)))
  t.strictSame(await sign(market, { ...old, reference: 'OLD-1' }), [422, lapsed])
  t.strictSame(await sign(market, { ...old, reference: 'OLD-2' }), [201, undefined])
})

t.test(
  'a lapsed mandate is one of all faults of an order, and no fault of a replay [D7]',
  async (t) => {
    const market = await createMarket()
    const headers = { 'idempotency-key': 'key-1' }
    const first = mandate({ signed_at: '2023-11-20T12:00:00Z', reference: 'M-1' })
    const placed = await place(market, first, { headers })
    t.equal(placed.status, 201)
    await runOperation(market.world.service, 'purchase.cancel', {
      share_purchase_id: placed.body.share_purchase_id,
    })
    market.world.clock.advance(20 * 3600)
    const token = await market.world.tokenWith('applications:write')
    const replayed = await place(market, first, { headers, token })
    t.equal(replayed.status, 201, 'replayed a day later')
    t.equal(replayed.body.share_purchase_id, placed.body.share_purchase_id)
    t.strictSame(await sign(market, { signed_at: '2023-11-20T12:00:00Z' }, { token }), [
      422,
      lapsed,
    ])
    for (const more of [{ statute_consent_given_at: '2030-01-01T00:00:00Z' }, { share_count: 0 }]) {
      const { errors } = (await place(market, { ...mandate(old), ...more }, { token })).body
      const [name = ''] = Object.keys(more)
      t.strictSame(Object.keys(errors).sort(), ['sepa_mandate.signed_at', name].sort())
    }
    const wrong = mandate({ ...old, reference: '//' })
    t.strictSame(Object.keys((await place(market, wrong, { token })).body.errors), [
      'sepa_mandate.reference',
    ])
  },
)
