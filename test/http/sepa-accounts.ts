import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { applyFixtureFile, buildFixtureFile } from '../../fixtures/world/fixture-files.ts'
import { createMarket, get, place, provision } from '../../fixtures/world/market.ts'

const signed_at = '2026-01-10T09:30:00+01:00'

// Examples from the register of IBANs (ISO 13616).
const inside: readonly string[] = [
  ...['AT611904300234573201', 'BE68539007547034', 'BG80BNBG96611020345678'],
  ...['HR1210010051863000160', 'CY17002001280000001200527600', 'CZ6508000000192000145399'],
  ...['DK5000400440116243', 'EE382200221020145685', 'FI2112345600000785'],
  ...['FR1420041010050500013M02606', 'DE89370400440532013000', 'GR1601101250000000012300695'],
  ...['HU42117730161111101800000000', 'IE29AIBK93115212345678', 'IT60X0542811101000000123456'],
  ...['LV80BANK0000435195001', 'LT121000011101001000', 'LU280019400644750000'],
  ...['MT84MALT011000012345MTLCAST001S', 'NL91ABNA0417164300', 'PL61109010140000071219812874'],
  ...['PT50000201231234567890154', 'RO49AAAA1B31007593840000', 'SK3112000000198742637541'],
  ...['SI56263300012039086', 'ES9121000418450200051332', 'SE4550000000058398257466'],
  ...['IS140159260076545510730339', 'LI21088100002324013AA', 'NO9386011117947'],
  ...['AD1200012030200359100100', 'AL47212110090000000235698741', 'CH9300762011623852957'],
  ...['GB29NWBK60161331926819', 'GI75NWBK000000007099453', 'MC5811222000010123456789030'],
  ...['MD24AG000225100013104168', 'ME25505000012345678951', 'MK07250120000058984'],
  ...['RS35260005601001611379', 'SM86U0322509800000000270100', 'VA59001123000012345678'],
]
const outside: readonly string[] = [
  ...['TR330006100519786457841326', 'AE070331234567890123456', 'BA391290079401028494'],
  ...['BR1800360305000010009795493C1', 'BY13NBRB3600900000002Z00AB00', 'GE29NB0000000101904917'],
  ...['IL620108000000099999999', 'KZ86125KZT5004100100', 'SA0380000000608010167519'],
  ...['TN5910006035183598478831', 'UA213223130000026007233566001', 'XK051212012345678906'],
]

t.test('an order is for an account in a SEPA country [D13]', async (t) => {
  const market = await createMarket()
  for (const debtor_iban of inside) {
    const { status } = await place(market, { sepa_mandate: { signed_at, debtor_iban } })
    t.equal(status, 201, debtor_iban)
  }
  const before = (await get(market, `/v1/investors/${market.investorId}/holdings`)).text
  for (const iban of outside) {
    for (const debtor_iban of [iban, `${iban.toLowerCase().replace(/.{4}/g, '$& ').trim()}`]) {
      const { status, body } = await place(market, { sepa_mandate: { signed_at, debtor_iban } })
      t.match({ status, ...body }, { status: 422, code: 'VALIDATION_ERROR' }, debtor_iban)
      t.strictSame(body.errors, {
        'sepa_mandate.debtor_iban': `must be in a SEPA country, because no direct debit can be collected from an account in ${iban.slice(0, 2)}`,
      })
    }
  }
  t.equal((await get(market, `/v1/investors/${market.investorId}/holdings`)).text, before)
})

t.test('the same holds for the account of the profile, which stays allowed there', async (t) => {
  const market = await createMarket()
  const { world } = market
  for (const [index, iban] of outside.entries()) {
    const profile = completeProfile({ bank_account: { iban } })
    const fields = { partner_customer_ref: `customer-${index + 2}`, profile }
    const investorId = await provision(world, fields)
    const investor = (await get(market, `/v1/investors/${investorId}`)).body
    t.ok(investor.is_profile_complete, iban)
    const { status, body } = await place(market, {}, { investorId })
    t.equal(status, 422, iban)
    t.strictSame(body.errors, {
      'sepa_mandate.debtor_iban': `must be sent and be in a SEPA country, because no direct debit can be collected from the account of the profile, which is in ${iban.slice(0, 2)}`,
    })
    const other = { sepa_mandate: { signed_at, debtor_iban: 'DE89370400440532013000' } }
    t.equal((await place(market, other, { investorId })).status, 201, 'another account is enough')
  }
})

t.test(
  'it is one of all faults of an order, and comes before a conflict [D15] [D16]',
  async (t) => {
    const market = await createMarket()
    const { world } = market
    const incomplete = await provision(world, {
      partner_customer_ref: 'customer-2',
      profile: completeProfile({ first_name: null, bank_account: { iban: `${outside[0]}` } }),
    })
    const late = { share_count: 0, sepa_mandate: { signed_at: '2030-01-01T00:00:00Z' } }
    const faults = (await place(market, late, { investorId: incomplete })).body.errors
    t.strictSame(Object.keys(faults).sort(), [
      'sepa_mandate.debtor_iban',
      'sepa_mandate.signed_at',
      'share_count',
    ])
    t.equal((await place(market, {}, { investorId: incomplete })).status, 422)
    const german = { sepa_mandate: { signed_at, debtor_iban: 'DE89370400440532013000' } }
    t.equal((await place(market, german, { investorId: incomplete })).status, 409)
  },
)

t.test('a fixture file places no order for such an account', async (t) => {
  const { world } = await createMarket()
  const file = buildFixtureFile()
  const [organization] = file.organizations
  const profile = completeProfile({ bank_account: { iban: `${outside[0]}` } })
  const investor = {
    ...completeProvision({ profile }),
    share_purchases: [{ cooperative: 'sun', share_count: 5 }],
  }
  const refused = { ...file, organizations: [{ ...organization, investors: [investor] }] }
  await t.rejects(applyFixtureFile(world.service, refused), {
    code: 'VALIDATION_ERROR',
    extra: {
      errors: {
        'organizations.0.investors.0.share_purchases.0.sepa_mandate.debtor_iban':
          /no direct debit can be collected/,
      },
    },
  })
})
