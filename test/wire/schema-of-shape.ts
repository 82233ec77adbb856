import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import {
  array,
  boolean,
  define,
  enums,
  integer,
  literal,
  never,
  object,
  optional,
  refine,
} from 'superstruct'
import t from 'tap'
import { listWithin, numberWithin } from '../../src/wire/bounds.ts'
import { type AnyStruct, checkShape } from '../../src/wire/check-shape.ts'
import {
  amount,
  id,
  limit,
  optionalOrNull,
  optionalText,
  positiveAmount,
  sum,
  text,
  timestamp,
} from '../../src/wire/fields.ts'
import { sharePurchaseFixtureShape } from '../../src/wire/fixture-file.ts'
import { described, schemaOfShape } from '../../src/wire/schema-of-shape.ts'

t.test('the schema of a shape has the fields, choices and bounds of the shape', async (t) => {
  const shape = object({
    name: text(),
    kind: optional(enums(['partner', 'internal'])),
    scopes: listWithin(enums(['a', 'b']), { min: 1 }),
    rests_on: optionalOrNull(listWithin(id(), { min: 0, max: 100 })),
    count: limit(),
    share: numberWithin({ min: 0, max: 100 }),
    given: literal(true),
    dry_run: optional(boolean()),
    left_out: optionalOrNull(never()),
    inner: object({}),
  })
  t.strictSame(schemaOfShape(shape), {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      kind: { type: 'string', enum: ['partner', 'internal'] },
      scopes: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
      rests_on: {
        anyOf: [
          { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 0, maxItems: 100 },
          { type: 'null' },
        ],
      },
      count: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
      share: { type: 'number', minimum: 0, maximum: 100 },
      given: { type: 'boolean', const: true },
      dry_run: { type: 'boolean' },
      left_out: { type: 'null' },
      inner: { type: 'object', properties: {}, additionalProperties: false },
    },
    required: ['name', 'scopes', 'count', 'share', 'given', 'inner'],
    additionalProperties: false,
  })
})

t.test('a shape that JSON Schema cannot describe exactly is refused', async (t) => {
  const even = refine(integer(), 'even', (value) => value % 2 === 0 || 'must be even')
  const refused: [title: string, shape: AnyStruct, message: RegExp][] = [
    ['a check of its own', define('colour', () => true), /the shape "colour" accepts/],
    ['inside another', object({ a: optional(array(define('b', () => true))) }), /"b" accepts/],
    ['never', never() as unknown as AnyStruct, /"never" accepts/],
  ]
  for (const [title, shape, message] of refused) {
    t.throws(() => schemaOfShape(shape), { message }, title)
  }
  t.strictSame(
    schemaOfShape(optionalOrNull(described(even, { type: 'integer', description: 'Even.' }))),
    { description: 'Even.', anyOf: [{ type: 'integer' }, { type: 'null' }] },
  )
})

t.test('a schema accepts everything that its shape accepts', async (t) => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const order = { cooperative: 'solar', share_count: 2 }
  const at = '2026-03-31T09:30:00+02:00'
  const given = { given: true, given_at: at }
  const past = {
    ...order,
    applicant_type: 'private',
    statute_consent_given_at: at,
    price_per_share: '1.00',
    entry_fee: 0,
    total: 2,
    rests_on: null,
    sepa_mandate: { signed_at: at, debtor_iban: 'DE', reference: 'A' },
    consents: { terms: given, privacy: given },
  }
  const values: [shape: AnyStruct, accepted: unknown[], refused: unknown[]][] = [
    [amount(), ['250.00', '0', 250, 250.5, '12.5'], ['1.234', -1, '', null, '1e3']],
    [positiveAmount(), ['0.01', 1], ['x', true]],
    [sum(), [`${'9'.repeat(22)}.99`], ['-1']],
    [id(), ['0198c0de-0000-7000-8000-000000000001'], ['x', 1]],
    [timestamp(), [at, '2026-03-31t09:30:00.123z'], ['2026-03-31', '', 5]],
    [optionalText(), [null, 'ü'.repeat(200), '👩'.repeat(200)], ['', 'x'.repeat(201), 5]],
    [sharePurchaseFixtureShape, [order, past], [{}, { ...order, entry_fee: '1.00' }]],
  ]
  for (const [shape, accepted, refused] of values) {
    const validate = ajv.compile(schemaOfShape(shape))
    for (const value of accepted) {
      t.equal(checkShape(value, shape)[0], undefined, `${JSON.stringify(value)} fits the shape`)
      t.ok(validate(value), `${JSON.stringify(value)} fits the schema`)
    }
    for (const value of refused) {
      t.ok(checkShape(value, shape)[0], `${JSON.stringify(value)} does not fit the shape`)
      t.notOk(validate(value), `${JSON.stringify(value)} does not fit the schema`)
    }
  }
})
