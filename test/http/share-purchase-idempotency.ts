import t from 'tap'
import { companySections, completeProfile, germanIban } from '../../fixtures/builders/investors.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  provision,
  sharePurchaseBody,
} from '../../fixtures/world/market.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'
import { unpublishCooperative } from '../../src/usecases/cooperatives/cooperatives.ts'
import { createClient } from '../../src/usecases/oauth/clients.ts'
import { issueToken } from '../../src/usecases/oauth/issue-token.ts'
import { Retention } from '../../src/usecases/retention.ts'
import { decideSharePurchase } from '../../src/usecases/share-purchases/change-status.ts'

const day = 24 * 60 * 60

function placeWith(
  market: Market,
  key: string,
  overrides: Record<string, unknown> = {},
  options: { token?: string; investorId?: string } = {},
) {
  return place(market, overrides, { ...options, headers: { 'idempotency-key': key } })
}

/** Requests another token, because tokens expire before keys. */
function freshToken({ world }: Market): Promise<string> {
  return world.tokenWith(...scopes)
}

async function countOrders(market: Market): Promise<number> {
  return (await get(market, collectionOf(market))).body.total_items
}

t.test('a retried order with the same key is placed once [S-placing-2]', async (t) => {
  const market = await createMarket()
  const first = await placeWith(market, 'key-1')
  t.notOk(first.headers.has('idempotent-replayed'))
  const second = await placeWith(market, 'key-1')
  t.equal(second.status, 201)
  t.equal(second.headers.get('idempotent-replayed'), 'true')
  t.equal(second.text, first.text)
  t.equal(await countOrders(market), 1)
})

t.test('without a key the same body places a new order [S-placing-7]', async (t) => {
  const market = await createMarket()
  const ids = [await place(market), await place(market)].map(({ body }) => body.share_purchase_id)
  t.not(ids[0], ids[1])
  t.equal(await countOrders(market), 2)
})

t.test(
  'the order of fields and the spelling of times do not turn a replay into a conflict',
  async (t) => {
    const market = await createMarket()
    const first = await placeWith(market, 'key-1')
    const { cooperative_id, ...rest } = sharePurchaseBody(market)
    const body = {
      ...rest,
      sepa_mandate: { reference: null, signed_at: '2026-01-10T08:30:00Z' },
      applicant_type: 'private',
      cooperative_id: cooperative_id.toUpperCase(),
    }
    const second = await market.world.request('POST', collectionOf(market), {
      token: market.world.partner.token,
      headers: { 'idempotency-key': 'key-1' },
      body,
    })
    t.equal(second.body.share_purchase_id, first.body.share_purchase_id)
  },
)

t.test('the answer to a replay has the current state of the order [D6]', async (t) => {
  const market = await createMarket()
  const { body } = await placeWith(market, 'key-1')
  const sharePurchaseId = body.share_purchase_id
  await decideSharePurchase(market.world.service, { sharePurchaseId, to: 'approved' })
  const replayed = await placeWith(market, 'key-1')
  t.match(replayed.body, { share_purchase_id: sharePurchaseId, status: 'approved' })
})

t.test(
  'a replay is answered even if the order could not be placed any more [S-retry-1] [D7]',
  async (t) => {
    const market = await createMarket()
    const { service } = market.world
    const { body } = await placeWith(market, 'key-1')
    await unpublishCooperative(service, market.cooperative.id)
    const path = `/v1/investors/${market.investorId}/profile`
    const { token } = market.world.partner
    const emptied = await market.world.request('PUT', path, {
      token,
      body: { consents: completeProfile().consents },
    })
    t.equal(emptied.body.is_profile_complete, false)
    t.equal((await place(market)).status, 404)
    const replayed = await placeWith(market, 'key-1')
    t.match(replayed, { status: 201, body: { share_purchase_id: body.share_purchase_id } })
  },
)

t.test('the spelling of an IBAN does not turn a replay into a conflict', async (t) => {
  const market = await createMarket()
  const signed_at = '2026-01-10T09:30:00+01:00'
  const placed = async (debtor_iban: string) =>
    placeWith(market, 'key-1', { sepa_mandate: { signed_at, debtor_iban } })
  const first = await placed('DE89 3704 0044 0532 0130 00')
  t.equal(first.status, 201)
  for (const iban of ['DE89370400440532013000', 'de89\u00a03704\u202f0044 0532 0130 00']) {
    const { body } = await placed(iban)
    t.equal(body.share_purchase_id, first.body.share_purchase_id, iban)
  }
  t.equal((await placed(germanIban)).status, 409)
})

t.test(
  'the same key with a different body gets 409 IDEMPOTENCY_KEY_CONFLICT [S-placing-3] [D7]',
  async (t) => {
    const market = await createMarket()
    await placeWith(market, 'key-1')
    for (const overrides of [
      { share_count: 6 },
      { statute_consent_given_at: '2026-01-10T09:29:01+01:00' },
      { sepa_mandate: { signed_at: '2026-01-10T09:30:00+01:00', reference: 'M-1' } },
      { cooperative_id: '0198c0de-0000-7000-8000-00000000ffff' },
    ]) {
      const { status, body } = await placeWith(market, 'key-1', overrides)
      t.match({ status, ...body }, { status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' })
    }
    const invalid = await placeWith(market, 'key-1', { share_count: 10_001 })
    t.equal(invalid.status, 422, 'the invalid field is reported first')
    t.equal(await countOrders(market), 1)
  },
)

t.test('the same key for a different investor is a conflict [S-placing-4]', async (t) => {
  const market = await createMarket()
  await placeWith(market, 'key-1')
  const investorId = await provision(market.world, { partner_customer_ref: 'customer-2' })
  const { status, body } = await placeWith(market, 'key-1', {}, { investorId })
  t.match({ status, ...body }, { status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' })
})

t.test(
  'the same key is a conflict after the company affiliation changed the applicant_type [S-placing-5]',
  async (t) => {
    const market = await createMarket()
    await placeWith(market, 'key-1')
    const path = `/v1/investors/${market.investorId}/profile`
    const body = completeProfile(companySections())
    await market.world.request('PUT', path, { token: market.world.partner.token, body })
    const refused = await placeWith(market, 'key-1')
    t.match(refused.body, { status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' })
    const sent = await placeWith(market, 'key-1', { applicant_type: 'private' })
    t.equal(sent.status, 201, 'with the sent applicant_type the request is a replay')
  },
)

t.test(
  'a key is valid for 24 hours, and places a new order after that time [S-placing-6]',
  async (t) => {
    const market = await createMarket()
    const { world } = market
    const first = await placeWith(market, 'key-1')
    world.clock.advance(day - 1)
    const honoured = await placeWith(market, 'key-1', {}, { token: await freshToken(market) })
    t.equal(honoured.body.share_purchase_id, first.body.share_purchase_id)
    world.clock.advance(1)
    const second = await placeWith(
      market,
      'key-1',
      { share_count: 7 },
      { token: await freshToken(market) },
    )
    t.match(second, { status: 201, body: { share_count: 7 } })
    const again = await placeWith(
      market,
      'key-1',
      { share_count: 7 },
      { token: await freshToken(market) },
    )
    t.equal(again.body.share_purchase_id, second.body.share_purchase_id, 'the key is used again')
  },
)

t.test('expired keys are purged afterwards [S-limits-4]', async (t) => {
  const market = await createMarket()
  const { world } = market
  const isKept = async (key: string) => {
    const { organizationId } = world.partner
    const get = world.service.store.read((r) => r.idempotencyRecords.get(organizationId, key))
    return (await get) !== undefined
  }
  for (const key of ['key-1', 'key-2']) await placeWith(market, key)
  world.clock.advance(day)
  await placeWith(market, 'later', {}, { token: await freshToken(market) })
  const { service, logger } = world
  await new Retention(service, { eventSeconds: 0, logger }).purgeKeys()
  t.notOk(await isKept('key-1'))
  t.notOk(await isKept('key-2'))
  t.ok(await isKept('later'))
})

t.test('only a placed order occupies a key [D6]', async (t) => {
  const market = await createMarket({ minimumShares: 5 })
  t.equal((await placeWith(market, 'key-1', { share_count: 1 })).status, 422)
  t.equal((await placeWith(market, 'key-1', { share_count: 6 })).status, 201)
})

/** Gets a token for another client of the same organization. */
async function secondToken({ world }: Market): Promise<string> {
  const { service, partner } = world
  const { client } = await createClient(service, { organization: partner.organizationId })
  return (await issueToken(service, { client, scopes: client.grantedScopes })).accessToken
}

t.test('keys belong to the organization and are the same for all its clients [D6]', async (t) => {
  const market = await createMarket()
  const token = await secondToken(market)
  const first = await placeWith(market, 'key-1')
  const second = await placeWith(market, 'key-1', {}, { token })
  t.equal(second.status, 201)
  t.equal(second.headers.get('idempotent-replayed'), 'true')
  t.equal(second.text, first.text)
  const other = await placeWith(market, 'key-1', { share_count: 6 }, { token })
  t.match(other.body, { status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' })
  t.equal(await countOrders(market), 1)
})

t.test('another organization may use the same key', async (t) => {
  const market = await createMarket()
  const { token } = market.world.otherPartner
  const investorId = await provision(market.world, {}, token)
  await placeWith(market, 'key-1')
  const theirs = await placeWith(market, 'key-1', {}, { token, investorId })
  t.equal(theirs.status, 201)
  t.notOk(theirs.headers.has('idempotent-replayed'))
})

t.test('two clients of an organization that race with one key place one order', async (t) => {
  const market = await createMarket()
  const tokens = [market.world.partner.token, await secondToken(market)]
  const sent = tokens.flatMap((token) => [token, token, token])
  for (const key of ['key-1', 'key-2', 'key-3']) {
    const answers = await Promise.all(sent.map((token) => placeWith(market, key, {}, { token })))
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
    t.equal(new Set(answers.map(({ body }) => body.share_purchase_id)).size, 1)
  }
  t.equal(await countOrders(market), 3)
  const other = await provision(market.world, { partner_customer_ref: 'customer-2' })
  const investors = [market.investorId, other]
  const answers = await Promise.all(
    investors.map((investorId, index) =>
      placeWith(market, 'key-4', {}, { investorId, token: tokens[index] ?? '' }),
    ),
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 409], 'for two investors')
})

t.test('an invalid Idempotency-Key gets 422 without an errors map', async (t) => {
  const market = await createMarket()
  for (const key of ['', 'two words', 'k'.repeat(256)]) {
    const { status, body } = await placeWith(market, key)
    t.match({ status, ...body }, { status: 422, code: 'VALIDATION_ERROR' }, key)
    t.notOk('errors' in body)
  }
  t.equal((await placeWith(market, 'k'.repeat(255))).status, 201)
})

t.test(
  'the store has an encrypted digest of the request, but not the request itself [D6]',
  async (t) => {
    const market = await createMarket()
    await placeWith(market, 'key-1')
    const { organizationId } = market.world.partner
    const record = await market.world.service.store.read(({ idempotencyRecords }) =>
      idempotencyRecords.get(organizationId, 'key-1'),
    )
    t.match(record?.encryptedRequestDigest, /^v2\./)
    t.notMatch(JSON.stringify(record), market.cooperative.id)
  },
)
