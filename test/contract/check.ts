import t from 'tap'
import { checkAnswer, checkEvent } from '../../fixtures/contract/check-answer.ts'
import { contract } from '../../fixtures/contract/contract.ts'
import { createDemoService } from '../../fixtures/contract/demo-service.ts'
import { answerOf, type Exchange } from '../../fixtures/contract/exchange.ts'
import { type Answer, findProblemFaults } from '../../src/contract/check.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'
import { listPinnedContracts } from '../../src/contract/pinned-contract.ts'

const [pinned] = listPinnedContracts(documents)
if (!pinned) throw new Error('No version of the contract is published.')

const demo = await createDemoService()

async function ask(path: string): Promise<Exchange> {
  const { status, headers, text } = await demo.request('GET', path, { token: demo.token })
  return { method: 'GET', path, status, headers, text }
}

const page = await ask('/v1/cooperatives?size=2')
const refusal = await ask('/v1/cooperatives?near_lat=48')

type Change = (exchange: Exchange) => Partial<Exchange>

function withHeader(name: string, value?: string): Change {
  return ({ headers }) => {
    const changed = new Headers(headers)
    changed.delete(name)
    if (value !== undefined) changed.set(name, value)
    return { headers: changed }
  }
}

function withBody(change: (body: Record<string, unknown>) => unknown): Change {
  return ({ text }) => ({ text: JSON.stringify(change(JSON.parse(text))) })
}

function withItem(change: (item: Record<string, unknown>) => unknown): Change {
  return withBody(({ items, ...rest }) => {
    const [first, ...others] = items as Record<string, unknown>[]
    return { ...rest, items: [change(first ?? {}), ...others] }
  })
}

interface Planted {
  readonly from?: Exchange
  readonly change: Change
  readonly fault: RegExp
  /** What partners must accept, because later versions may add it. */
  readonly isTolerated?: true
}

/** Wrong answers by the kind of their fault. */
const planted: Readonly<Record<string, Planted>> = {
  'an undocumented status': { change: () => ({ status: 418 }), fault: /418: no such status in 1/ },
  'another content type': {
    change: withHeader('content-type', 'text/plain'),
    fault: /content-type: text\/plain is not in 1/,
  },
  'no content type': {
    change: withHeader('content-type'),
    fault: /content-type: none is not in 1/,
  },
  'a missing header': {
    change: withHeader('x-request-id'),
    fault: /header X-Request-Id is missing/,
  },
  'a header that is not a number': {
    change: withHeader('ratelimit-limit', '0x1'),
    fault: /header RateLimit-Limit must be integer/,
  },
  'an empty header': {
    change: withHeader('ratelimit-reset', ''),
    fault: /header RateLimit-Reset must be integer/,
  },
  'an undocumented header': {
    change: withHeader('x-powered-by', 'us'),
    fault: /header x-powered-by is not documented/,
    isTolerated: true,
  },
  'a body that is not JSON': { change: () => ({ text: 'page' }), fault: / \/ must be object/ },
  'no body': { change: () => ({ text: '' }), fault: / \/ must be object/ },
  'a body in an answer to HEAD': {
    change: () => ({ method: 'HEAD' }),
    fault: /there is a body in an answer to HEAD/,
  },
  'an object in place of a list': {
    change: withBody((body) => ({ ...body, items: {} })),
    fault: /\/items must be array/,
  },
  'a missing property': {
    change: withItem(({ name: _, ...item }) => item),
    fault: /\/items\/0\/name is missing/,
  },
  'an unknown property': {
    change: withItem((item) => ({ ...item, stars: 5 })),
    fault: /\/items\/0\/stars is not documented/,
    isTolerated: true,
  },
  'a null that the schema does not allow': {
    change: withItem((item) => ({ ...item, name: null })),
    fault: /\/items\/0\/name must be string/,
  },
  'a number in place of an amount': {
    change: withItem((item) => ({ ...item, share_price: 250 })),
    fault: /\/items\/0\/share_price must be string/,
  },
  'an id of another form': {
    change: withItem((item) => ({ ...item, id: 'c-1' })),
    fault: /\/items\/0\/id must match/,
  },
  'a new value in a list that can grow': {
    change: withBody((body) => ({ ...body, sort: 'dividend_desc' })),
    fault: /\/sort must be equal to one of/,
    isTolerated: true,
  },
  'a problem without its trace': {
    from: refusal,
    change: withBody(({ trace_id: _, ...body }) => body),
    fault: /\/trace_id is missing/,
  },
}

for (const [kind, { from = page, change, fault, isTolerated }] of Object.entries(planted)) {
  t.test(`the check finds ${kind}`, async (t) => {
    const wrong = { ...from, ...change(from) }
    t.throws(() => checkAnswer(wrong), fault, 'in our own answers')
    const difference = pinned.findDifference('listCooperatives', answerOf(wrong))
    if (isTolerated) t.equal(difference, undefined, 'and accepts it from a deployment')
    else t.match(` ${difference}`, fault, 'in those of a deployment')
  })
}

t.test('the check finds values of a problem that contradict each other', async (t) => {
  const asked = { issuer: 'https://partners.example', path: '/v1/cooperatives' }
  t.strictSame(findProblemFaults(answerOf(refusal), asked), [])
  const faultsOf = (changes: object, answer: Partial<Answer> = {}) => {
    const body = { ...JSON.parse(refusal.text), ...changes }
    return findProblemFaults({ ...answerOf(refusal), ...answer, body }, asked).join()
  }
  t.match(faultsOf({ code: 'NEW' }), /\/type is ".+" instead of ".+\/errors\/new"/)
  t.match(faultsOf({ instance: '/v1/me' }), /\/instance is "\/v1\/me" instead of/)
  t.match(faultsOf({ trace_id: 'b' }), /\/trace_id does not match the X-Request-Id/)
  t.match(faultsOf({ status: 400 }), /\/status is 400 instead of 422/)
  t.match(faultsOf({ errors: {} }, { status: 400 }), /\/errors is present with status 400/)
  t.match(faultsOf({ code: 'INSUFFICIENT_SCOPE' }), /WWW-Authenticate is null instead of Bearer/)
})

t.test('the check finds rules for every answer that no document describes', async (t) => {
  const changed = (change: Change) => () => checkAnswer({ ...page, ...change(page) })
  t.throws(changed(withHeader('x-content-type-options')), /X-Content-Type-Options is not nosniff/)
  t.throws(changed(withHeader('ratelimit-remaining')), /ratelimit-remaining is missing/)
})

t.test('the check finds wrong requests', async (t) => {
  const differenceOf = (body: unknown, type = 'application/json') =>
    pinned.findRequestDifference('placeSharePurchase', type, body)
  t.match(differenceOf({}), /is missing/)
  t.match(differenceOf({}, 'text/plain'), /content-type: text\/plain is not in 1/)
  t.match(pinned.findRequestDifference('readClient', '', 'x'), /unexpected body/)
  t.match(pinned.findRequestDifference('sell', '', ''), `no operation sell in ${latestVersion}`)
})

t.test('the check finds wrong events', async (t) => {
  const type = 'share_purchase.settled'
  const { content } = contract.webhooks[type]?.post.requestBody ?? {}
  const [example] = Object.values(content?.['application/json']?.examples ?? {})
  const body = example?.value as Record<string, unknown>
  const headers = {
    'x-service-webhook-id': String(body['id']),
    'x-service-webhook-event': type,
    'x-service-webhook-signature': `t=1,v1=${'0'.repeat(64)}`,
  }
  const check = (changes: object, changed: object = {}) => {
    const sent = { ...headers, ...changed }
    const event = { ...body, ...changes }
    checkEvent({ headers: sent, text: JSON.stringify(event) })
    return pinned.findEventDifference(type, { headers: new Headers(sent), body: event })
  }
  t.equal(check({}), undefined)
  t.throws(() => check({ type: 'share_purchase.sold' }), /no event share_purchase.sold in 1/)
  t.throws(() => check({ surplus: 1 }), /\/surplus is not documented/)
  t.throws(() => check({ data: null }), /\/data must be object/)
  const unsigned = { 'x-service-webhook-signature': 'none' }
  t.throws(() => check({}, unsigned), /header X-Service-Webhook-Signature must match/i)
})
