import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { collectionOf, createMarket, sharePurchaseBody } from '../../fixtures/world/market.ts'

const market = await createMarket()
const { world, investorId } = market
const { token } = world.partner

function send(method: string, path: string, body: unknown) {
  return world.request(method, path, { token, body })
}

t.test('the errors of a malformed order are in plain words', async (t) => {
  const rows: [change: Record<string, unknown>, errors: Record<string, string>][] = [
    [{ share_count: 0 }, { share_count: 'must be a whole number, at least 1' }],
    [{ share_count: 1.5 }, { share_count: 'must be a whole number' }],
    [{ share_count: '5' }, { share_count: 'must be a whole number' }],
    [{ applicant_type: 'firm' }, { applicant_type: 'must be private or company' }],
    [{ sepa_mandate: [] }, { sepa_mandate: 'must be an object' }],
    [{ sepa_mandate: 'x' }, { sepa_mandate: 'must be an object' }],
    [{ cooperative_id: undefined }, { cooperative_id: 'is required' }],
  ]
  for (const [change, errors] of rows) {
    const { status, body } = await send('POST', collectionOf(market), {
      ...sharePurchaseBody(market),
      ...change,
    })
    t.equal(status, 422, JSON.stringify(change))
    t.strictSame(body.errors, errors)
  }
})

t.test('the errors of a malformed profile are in plain words', async (t) => {
  const { consents, ...profile } = completeProfile()
  const terms = { given: 'yes', given_at: null }
  const body = { ...profile, consents: { ...(consents as object), terms } }
  const given = await send('PUT', `/v1/investors/${investorId}/profile`, body)
  t.equal(given.status, 422)
  t.strictSame(Object.values(given.body.errors), ['must be true or false'])
  for (const first_name of ['\u0000', '\ud800', 'Fr\u0085ieda']) {
    const mutated = await send('PUT', `/v1/investors/${investorId}/profile`, {
      ...completeProfile(),
      first_name,
    })
    t.equal(mutated.status, 422)
    t.strictSame(Object.values(mutated.body.errors), [
      'must not contain control characters or broken surrogates',
    ])
  }
})

t.test('a body that is not an object has one error, on body', async (t) => {
  for (const body of [
    '[]',
    '[1]',
    `[${JSON.stringify(completeProvision())}]`,
    'null',
    '"a"',
    '1',
  ]) {
    for (const [method, path] of [
      ['POST', '/v1/investors'],
      ['POST', collectionOf(market)],
    ] as const) {
      const answer = await send(method, path, body)
      t.equal(answer.status, 422, `${path} ${body}`)
      t.strictSame(answer.body.errors, { body: 'must be an object' })
    }
    const profile = await send('PUT', `/v1/investors/${investorId}/profile`, body)
    t.equal(profile.status, 422, `profile ${body}`)
    t.strictSame(Object.values(profile.body.errors), ['must be an object'])
  }
})
