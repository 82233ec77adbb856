import t from 'tap'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import { createMarket, type Market, place, provision } from '../../fixtures/world/market.ts'
import { runOperation } from '../../src/operations/operations.ts'

const iban = 'DE12500105170648489890'
const otherIban = 'DE89370400440532013000'
const used = 'was already used with a different debtor IBAN'

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

t.test('references in orders of an older store count as used [D4]', async (t) => {
  const market = await createMarket()
  const { service, partner } = market.world
  const { body } = await place(market, mandate({ reference: 'M-1' }))
  await service.store.write('test', async ({ sharePurchases }) => {
    const stored = await sharePurchases.get(partner.organizationId, body.share_purchase_id)
    if (!stored) throw new Error('The order was not stored.')
    const { isFirstOfReference: _, ...sepaMandate } = stored.sepaMandate
    await sharePurchases.put({ ...stored, sepaMandate })
  })
  t.strictSame(await order(market, { reference: 'M-1', debtor_iban: otherIban }), [422, used])
})
