import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { findFaults } from '../../fixtures/contract/validators.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'

const holding = {
  id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c10',
  investor_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c12',
  created_at: '2026-03-31T07:30:00.000Z',
  updated_at: '2026-03-31T07:30:00.000Z',
  cooperative_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c11',
  shares: 4,
  pending_shares: 0,
  first_acquired_at: '2026-03-31T07:30:00.000Z',
}

t.test('an answer may grow by the published document, and not by the tests', async (t) => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(JSON.parse(documents[`${latestVersion}.json`]), 'published')
  const published = ajv.compile({ $ref: 'published#/components/schemas/Holding' })
  const faultsOf = (value: unknown) => findFaults(['components', 'schemas', 'Holding'], value)
  t.strictSame(faultsOf(holding), [])
  t.ok(published({ ...holding, certificate_url: null }))
  t.match(faultsOf({ ...holding, certificate_url: null }), [/certificate_url/])
})

t.test('a request may not have more than it says', async (t) => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(JSON.parse(documents[`${latestVersion}.json`]), 'published')
  const mandate = ajv.compile({ $ref: 'published#/components/schemas/SepaMandateRequest' })
  const signed = { signed_at: '2026-03-31T07:30:00.000Z' }
  t.ok(mandate(signed))
  t.notOk(mandate({ ...signed, signed_by: 'Erika' }))
})
