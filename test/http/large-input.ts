import t from 'tap'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { Problem } from '../../src/domain/problem.ts'
import { runOperation } from '../../src/operations/operations.ts'

const world = await createWorld()

t.test(
  'an object with more than 200 fields gets 400 and is not examined further [D21]',
  async (t) => {
    const detail = 'Part of the request body has more than 200 fields.'
    for (const [count, expected] of [
      [200, 'Unknown field: profile.field_0.'],
      [201, detail],
      [2500, detail],
    ] as const) {
      const fields = Array.from({ length: count }, (_, number) => [`field_${number}`, number])
      const body = { ...completeProvision(), profile: Object.fromEntries(fields) }
      const { token } = world.partner
      const answer = await world.request('POST', '/v1/investors', { token, body })
      t.equal(answer.status, 400, `${count}`)
      t.match(answer.body, { code: 'MALFORMED_REQUEST_BODY', detail: expected })
    }
  },
)

t.test('the check of a body ends at its first impossible part', async (t) => {
  const fields = (count: number) => Array.from({ length: count }, (_, number) => `"f${number}":1`)
  const malformed = 'The request body is not well-formed JSON in UTF-8.'
  const rows: readonly [unfinished: string, detail: string][] = [
    [`{${fields(200)}`, malformed],
    [`{${fields(201)}`, 'Part of the request body has more than 200 fields.'],
    [`{"profile":[{${fields(201)}`, 'Part of the request body has more than 200 fields.'],
    ['['.repeat(65), malformed],
    ['['.repeat(66), 'Part of the request body is nested more than 64 levels deep.'],
    ['{"a', malformed],
    ['{"a\\', malformed],
  ]
  const { token } = world.partner
  for (const [body, expected] of rows) {
    const answer = await world.request('POST', '/v1/investors', { token, body })
    t.match(answer.body, { status: 400, code: 'MALFORMED_REQUEST_BODY', detail: expected }, body)
  }
})

t.test('an operator gets 50 faults of a long list [D21]', async (t) => {
  const scopes = Array.from({ length: 30_000 }, () => 'everything')
  const input = { organization: world.partner.organizationId, name: 'Another', scopes }
  const outcome: unknown = await runOperation(world.service, 'client.create', input).catch(
    (thrown) => thrown,
  )
  const refusal = outcome instanceof Problem ? outcome : undefined
  t.equal(refusal?.code, 'VALIDATION_ERROR')
  t.equal(Object.keys(refusal?.extra.errors ?? {}).length, 50)
})
