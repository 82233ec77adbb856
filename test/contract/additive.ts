import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { findFaults } from '../../fixtures/contract/validators.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'

const ajv = formats.default(new Ajv2020({ strict: false }))
ajv.addSchema(JSON.parse(documents[`${latestVersion}.json`]), 'published')

function fitsPublished(pointer: string, value: unknown): boolean {
  return ajv.validate({ $ref: `published#/${pointer}` }, value)
}

function faultsOf(pointer: string, value: unknown): string[] {
  return findFaults(pointer.split('/'), value)
}

const at = '2026-03-31T07:30:00.000Z'
const holding = {
  id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c10',
  investor_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c12',
  created_at: at,
  updated_at: at,
  cooperative_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c11',
  shares: 4,
  pending_shares: 0,
  first_acquired_at: at,
}

const forbidden = 'components/responses/Forbidden/content/application~1problem+json/schema'
const problem = {
  type: 'http://localhost/errors/forbidden',
  title: 'A title.',
  status: 403,
  detail: 'A sentence.',
  instance: '/v1/me',
  code: 'FORBIDDEN',
  trace_id: 'a',
}
const unknownCode = { ...problem, type: 'http://localhost/errors/too-young', code: 'TOO_YOUNG' }

const growing: readonly (readonly [pointer: string, today: unknown, later: unknown])[] = [
  ['components/schemas/Holding', holding, { ...holding, certificate_url: null }],
  ['components/schemas/Liveness', { status: 'alive' }, { status: 'alive', since: at }],
  ['components/schemas/EventType', 'share_purchase.settled', 'share_purchase.paid'],
  ['components/schemas/ProblemCode', 'FORBIDDEN', 'TOO_YOUNG'],
  ['components/schemas/Problem', problem, unknownCode],
]

t.test('an answer may grow by the published document, and not by the tests', async (t) => {
  for (const [pointer, today, later] of growing) {
    t.strictSame(faultsOf(pointer, today), [], pointer)
    t.ok(fitsPublished(pointer, later), pointer)
    t.not(faultsOf(pointer, later).length, 0, pointer)
  }
})

t.test('a code that is not of this version fits where others of its status are', async (t) => {
  t.ok(fitsPublished(forbidden, problem))
  t.ok(fitsPublished(forbidden, unknownCode))
  const lacking = { ...problem, code: 'INSUFFICIENT_SCOPE' }
  t.notOk(fitsPublished(forbidden, lacking), 'required_scopes are still required')
})

const signature = `v1=${'0'.repeat(64)}`

t.test('a webhook may have signatures of later schemes beside its own', async (t) => {
  const pointer = 'components/parameters/WebhookSignature/schema'
  for (const [header, fits] of [
    [`t=1,${signature}`, true],
    [`t=1,${signature},v2=x`, true],
    [`t=1,v2=x,${signature}`, true],
    ['t=1,v2=x', false],
    [signature, false],
  ] as const) {
    t.equal(fitsPublished(pointer, header), fits, header)
  }
})

t.test('a request may not have more than it says', async (t) => {
  const pointer = 'components/schemas/SepaMandateRequest'
  t.ok(fitsPublished(pointer, { signed_at: at }))
  t.notOk(fitsPublished(pointer, { signed_at: at, signed_by: 'Erika' }))
})

t.test('what two fields say of one thing has to agree', async (t) => {
  const wrong: readonly (readonly [pointer: string, value: unknown])[] = [
    ['components/schemas/Consent', { given: true, given_at: null }],
    ['components/schemas/Consent', { given: false, given_at: at }],
    ['components/schemas/Timestamp', '2026-03-31T09:30:00.000+02:00'],
    ['components/schemas/Timestamp', '2026-03-31T07:30:00Z'],
    ['components/schemas/Id', holding.id.toUpperCase()],
  ]
  for (const [pointer, value] of wrong) {
    t.notOk(fitsPublished(pointer, value), `${pointer} ${JSON.stringify(value)}`)
  }
  for (const name of ['Investor', 'Profile']) {
    for (const [complete, missing, agrees] of [
      [true, [], true],
      [true, ['email'], false],
      [false, ['email'], true],
      [false, [], false],
    ] as const) {
      const value = { is_profile_complete: complete, missing_profile_fields: missing }
      const faults = faultsOf(`components/schemas/${name}`, value)
      t.equal(faults.includes('/ must NOT be valid {}'), !agrees, `${name} ${complete} ${missing}`)
    }
  }
})
