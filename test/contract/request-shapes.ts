import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import type { Struct } from 'superstruct'
import t from 'tap'
import { contract } from '../../fixtures/contract/contract.ts'
import {
  mutated,
  profileBody,
  provisionBody,
  sharePurchaseBody,
} from '../../fixtures/contract/request-bodies.ts'
import { parseTimestamp } from '../../src/domain/timestamp.ts'
import { checkShape } from '../../src/wire/check-shape.ts'
import { profileShape, provisionShape } from '../../src/wire/investors.ts'
import { sharePurchaseShape } from '../../src/wire/share-purchases.ts'

// The contract names only the format of dates and addresses. Their meaning is checked after the
// shape. Clients write RFC 3339 with it, and the service reads more of ISO 8601 (D17).
const ajv = new Ajv2020({
  strict: false,
  formats: {
    date: true,
    'date-time': (text: string) => parseTimestamp(text) !== undefined,
  },
})
formats.default(ajv, ['uuid'])
ajv.addSchema(contract, 'contract')

interface Row {
  readonly schema: string
  readonly shape: Struct<never, never>
  readonly good: fc.Arbitrary<unknown>
}

const rows = [
  { schema: 'ProvisionRequest', shape: provisionShape, good: provisionBody },
  { schema: 'ProfileRequest', shape: profileShape, good: profileBody },
  { schema: 'SharePurchaseRequest', shape: sharePurchaseShape, good: sharePurchaseBody },
] as unknown as readonly Row[]

const fits = (body: unknown, shape: Row['shape']) => checkShape(body, shape)[0] === undefined

for (const { schema, shape, good } of rows) {
  const inContract = ajv.compile<unknown>({ $ref: `contract#/components/schemas/${schema}` })

  t.test(`contract and shape both accept a valid body of ${schema}`, async (t) => {
    const isGood = (body: unknown) => inContract(body) && fits(body, shape)
    t.doesNotThrow(() => fc.assert(fc.property(good, isGood), { numRuns: 300 }))
  })

  t.test(`contract and shape both refuse an invalid body of ${schema}`, async (t) => {
    const verdicts = new Set<boolean>()
    const agree = (body: unknown) => {
      const verdict = fits(body, shape)
      verdicts.add(verdict)
      return inContract(body) === verdict
    }
    t.doesNotThrow(() => fc.assert(fc.property(mutated(good), agree), { numRuns: 3000 }))
    t.equal(verdicts.size, 2, 'some bodies were valid and some were not')
  })
}
