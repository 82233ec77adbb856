import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { checkedOperatorApp } from '../../fixtures/contract/check-operator-answer.ts'
import { consoleToken, openOperatorApp } from '../../fixtures/world/console.ts'
import { collectionOf, createMarket, sharePurchaseBody } from '../../fixtures/world/market.ts'

const market = await createMarket()
const { world, investorId } = market
const { token } = world.partner

function send(method: string, path: string, body: string) {
  return world.request(method, path, { token, body })
}

/** Renders a value as JSON, with `text` in the place of HERE. */
function jsonWith(value: unknown, text: string): string {
  return JSON.stringify(value).replace('"HERE":0', text)
}

t.test('a duplicate key at any depth gets 400, which names the key [D18]', async (t) => {
  const profile = { ...completeProfile(), HERE: 0 }
  const address = { ...completeProfile().address, HERE: 0 }
  const rows: [method: string, path: string, body: string, named: string][] = [
    [
      'POST',
      '/v1/investors',
      jsonWith({ ...completeProvision(), HERE: 0 }, '"email":"b@mail.example"'),
      'email',
    ],
    [
      'POST',
      '/v1/investors',
      jsonWith(completeProvision({ profile: completeProfile({ address } as never) }), '"city":"K"'),
      'profile.address.city',
    ],
    [
      'PUT',
      `/v1/investors/${investorId}/profile`,
      jsonWith(profile, '"first\\u005fname" : "Otto"'),
      'first_name',
    ],
    [
      'POST',
      collectionOf(market),
      jsonWith(sharePurchaseBody(market, { HERE: 0 }), '"share_count":1000'),
      'share_count',
    ],
    ['POST', `${collectionOf(market)}/${investorId}/cancel`, '{"a":1,"a":1}', 'a'],
    ['POST', '/v1/investors', '{"a":[0,[{"b":1},{"b":[],"c":"{\\"b\\":","b":2}]]}', 'a.1.1.b'],
    ['POST', '/v1/investors', '{"__proto__":1,"__proto__":2}', '__proto__'],
    ['POST', '/v1/investors', '{"":1,"\\\\":1,"\\"":1,"\\\\":1}', '\\'],
  ]
  for (const [method, path, body, named] of rows) {
    const { status, body: problem } = await send(method, path, body)
    t.strictSame([status, problem.code], [400, 'MALFORMED_REQUEST_BODY'], body)
    t.equal(problem.detail, `Duplicate field: ${named}.`)
  }
})

t.test('different keys that look alike are accepted', async (t) => {
  const body = completeProvision({
    partner_customer_ref: 'a","a":"',
    profile: completeProfile({ first_name: '{"a":1,"a":2}', last_name: '\\', phone: '\\"' }),
  })
  t.equal((await send('POST', '/v1/investors', JSON.stringify(body, null, 2))).status, 201)
})

t.test('the search for duplicate keys takes linear time at any depth of the body', async (t) => {
  const size = 60_000
  for (const [title, body] of [
    ['lists', '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['objects', `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
    ['backslashes', JSON.stringify('\\'.repeat(size / 2))],
    ['escaped quotes', JSON.stringify('"'.repeat(size / 2))],
    ['one very long key', `{"${'x'.repeat(size / 3)}":1,"${'x'.repeat(size / 3)}":1}`],
  ] as const) {
    const { status, text } = await send('POST', '/v1/investors', body)
    t.ok(status === 400 || status === 422, title)
    t.ok(text.length < 2000, `${title} do not lead to a long answer`)
  }
})

t.test('operators get the same refusal of duplicate keys [D18]', async (t) => {
  const app = openOperatorApp(world.service)
  const operator = checkedOperatorApp(app)
  const response = await operator.request('/operations/organization.create', {
    method: 'POST',
    headers: { authorization: `Bearer ${consoleToken}` },
    body: '{"name":"A","name":"B"}',
  })
  t.equal(response.status, 400)
  t.match(await response.json(), { detail: 'Duplicate field: name.' })
})
