import { validate } from 'superstruct'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { cooperativeDefinitionShape } from '../../src/wire/cooperative-definition.ts'

const minimal = { key: 'sun', name: 'Sonne', energy_category: 'solar', share_price: '250.00' }
const project = { name: 'Dach', type: 'roof', energy_category: 'solar' }

function faultsOf(fields: object): string[] {
  const [error] = validate({ ...minimal, ...fields }, cooperativeDefinitionShape)
  return error?.failures().map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

t.test('optional fields of a definition may be null', async (t) => {
  t.strictSame(faultsOf({}), [])
  const optional = Object.keys(cooperativeDefinitionShape.schema).filter(
    (name) => !(name in minimal),
  )
  t.strictSame(faultsOf(Object.fromEntries(optional.map((name) => [name, null]))), [])
  t.ok(optional.length > 15)
})

t.test('each field is checked, and the message says which values are allowed', async (t) => {
  const rows: readonly [object, RegExp][] = [
    [{ nmae: 'x' }, /^nmae: /],
    [{ key: undefined }, /^key: must be text/],
    [{ key: ' ' }, /^key: must not be blank/],
    [{ id: 'abc' }, /^id: must be a UUID/],
    [{ published: 'yes' }, /^published: /],
    [{ name: 'x'.repeat(201) }, /^name: must have at most 200 characters/],
    [{ name: 'a\u0000b' }, /^name: must not contain control characters/],
    [{ name: 'half a pair \ud800' }, /^name: must not contain control characters/],
    [{ description: 'x'.repeat(4001) }, /^description: must have at most 4000 characters/],
    [{ description: 'a\u0007b' }, /^description: must not contain control characters/],
    [{ postal_code: 1067 }, /^postal_code: must be text: put it in quotes/],
    [{ website_url: 'javascript:alert(1)' }, /^website_url: must be an http or https address/],
    [{ website_url: 'sonne.example' }, /^website_url: must be an http or https address/],
    [{ energy_category: 'Solar' }, /^energy_category: /],
    [{ share_price: undefined }, /^share_price: must be an amount/],
    [{ share_price: 0 }, /^share_price: must be greater than zero/],
    [{ share_price: -1 }, /^share_price: must be an amount/],
    [{ share_price: 0.1 + 0.2 }, /^share_price: must be an amount/],
    [{ share_price: '1,50' }, /^share_price: must be an amount/],
    [{ share_price: 1e21 }, /^share_price: must be an amount/],
    [{ share_price_currency: 'CHF' }, /^share_price_currency: /],
    [{ share_value: '0.00' }, /^share_value: must be greater than zero/],
    [{ entry_fee: true }, /^entry_fee: must be an amount/],
    [{ minimum_shares: 0 }, /^minimum_shares: /],
    [{ minimum_shares: 1.5 }, /^minimum_shares: /],
    [{ dividend_type: 'some' }, /^dividend_type: /],
    [{ dividend_rate_percent: 101 }, /^dividend_rate_percent: /],
    [{ affiliation: 'none' }, /^affiliation: /],
    [{ coordinates: { latitude: 91, longitude: 0 } }, /^coordinates\.latitude: /],
    [{ coordinates: { latitude: 0 } }, /^coordinates\.longitude: /],
    [{ coordinates: { latitude: Number.NaN, longitude: 0 } }, /^coordinates\.latitude: /],
    [{ hero_image: 'img/hero.svg' }, /^hero_image: /],
    [
      { logo_image: { content_type: 'image/png', base64: 'PHN2Zy8+' } },
      /^logo_image: must be image\/png, as declared/,
    ],
    [{ projects: {} }, /^projects: /],
    [{ projects: [project, { ...project, name: undefined }] }, /^projects\.1\.name: must be text/],
    [
      { projects: [{ ...project, commissioned_on: '2023-02-29' }] },
      /^projects\.0\.commissioned_on: must be a date/,
    ],
    [{ projects: [{ ...project, capacity_kw: -1 }] }, /^projects\.0\.capacity_kw: /],
    [
      { projects: [{ ...project, capacity_kw: Number.POSITIVE_INFINITY }] },
      /^projects\.0\.capacity_kw: /,
    ],
    [{ projects: [{ ...project, colour: 'red' }] }, /^projects\.0\.colour: /],
  ]
  for (const [fields, expected] of rows) {
    const faults = faultsOf(fields)
    t.match(faults, exactArrays([expected]), JSON.stringify(fields).slice(0, 60))
    t.equal(faults.length, 1)
  }
})

t.test('amounts may be numbers with at most two decimals', async (t) => {
  for (const share_price of [250, 250.5, 0.29, '250', '250.5']) {
    t.strictSame(faultsOf({ share_price }), [], String(share_price))
  }
})
