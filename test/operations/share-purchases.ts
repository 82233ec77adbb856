import { validate } from 'superstruct'
import t from 'tap'
import { germanIban } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import { runOperation } from '../../src/operations/operations.ts'
import { sharePurchaseOperations } from '../../src/operations/share-purchases.ts'

const {
  'purchase.list': list,
  'purchase.show': show,
  'purchase.approve': approve,
  'purchase.settle': settle,
  'purchase.reject': reject,
  'purchase.cancel': cancel,
} = sharePurchaseOperations

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'

function idsOf(rows: readonly { readonly share_purchase_id: string }[]): string[] {
  return rows.map((row) => row.share_purchase_id)
}

t.test(
  'approve and settle change the status of an order to its final one [S-states-4]',
  async (t) => {
    const market = await createMarket()
    const { service, clock } = market.world
    const share_purchase_id = await placeAccepted(market)
    clock.advance(1)
    const approved = await approve.run(service, { share_purchase_id })
    t.match(approved, { share_purchase_id, status: 'approved', updated_at: clock.now() })
    const settled = await settle.run(service, { share_purchase_id })
    t.match(settled, { share_purchase_id, status: 'settled' })
    const path = `${collectionOf(market)}/${share_purchase_id}`
    t.equal((await get(market, path)).body.status, 'settled', 'the partner sees the status')
  },
)

t.test('a rejection records its optional reason [S-states-5]', async (t) => {
  const market = await createMarket()
  const { service } = market.world
  for (const [input, expected] of [
    [{}, null],
    [{ reason: null }, null],
    [{ reason: 'The mandate was returned.' }, 'The mandate was returned.'],
  ] as const) {
    const share_purchase_id = await placeAccepted(market)
    const rejected = await reject.run(service, { share_purchase_id, ...input })
    t.match(rejected, { status: 'rejected', reason: expected })
    const { body } = await get(market, `${collectionOf(market)}/${share_purchase_id}`)
    t.equal(body.reason, expected, 'the partner sees the reason')
  }
})

t.test(
  'a submitted or approved order can be rejected, and a submitted order can be cancelled [D5]',
  async (t) => {
    const market = await createMarket()
    const { service } = market.world
    const illegal = { code: 'SHARE_PURCHASE_ILLEGAL_STATE' }
    const approved = { share_purchase_id: await placeAccepted(market) }
    await t.rejects(
      settle.run(service, approved),
      illegal,
      'an order cannot be settled before it is approved',
    )
    await approve.run(service, approved)
    await t.rejects(approve.run(service, approved), illegal, 'an order cannot be approved twice')
    await t.rejects(cancel.run(service, approved), illegal, 'an approved order cannot be cancelled')
    t.equal((await reject.run(service, approved)).status, 'rejected')
    await t.rejects(reject.run(service, approved), illegal, 'a final status does not change')
    const submitted = { share_purchase_id: await placeAccepted(market) }
    t.equal((await cancel.run(service, submitted)).status, 'cancelled')
  },
)

t.test('purchase show has the history', async (t) => {
  const market = await createMarket()
  const { service, clock } = market.world
  const share_purchase_id = await placeAccepted(market)
  const submittedAt = clock.now()
  clock.advance(60)
  await approve.run(service, { share_purchase_id })
  const shown = await show.run(service, { share_purchase_id })
  t.strictSame(shown.history, [
    { status: 'submitted', at: submittedAt },
    { status: 'approved', at: clock.now() },
  ])
  const [row] = await list.run(service, {})
  t.strictSame(shown, { ...row, fate: null, history: shown.history })
  t.match(row, {
    share_purchase_id,
    status: 'approved',
    organization_id: market.world.partner.organizationId,
    investor_id: market.investorId,
    cooperative_id: market.cooperative.id,
    share_count: 5,
    total: '1250.00',
    total_currency: 'EUR',
    debtor_iban_masked: 'DE12****9890',
    reason: null,
  })
  t.notMatch(JSON.stringify(shown), germanIban)
})

/** Places an order of each partner and approves the first one. */
async function twoOrders(market: Market): Promise<[string, string]> {
  const { world } = market
  const { token } = world.otherPartner
  const investorId = await provision(world, {}, token)
  const first = await placeAccepted(market)
  const answer = await place(market, {}, { token, investorId })
  await approve.run(world.service, { share_purchase_id: first })
  return [first, answer.body.share_purchase_id]
}

t.test(
  'a list has the orders of all partners, oldest first, filtered by status and organization',
  async (t) => {
    const market = await createMarket()
    const { service, partner } = market.world
    const [first, second] = await twoOrders(market)
    for (const [filter, expected] of [
      [{}, [first, second]],
      [{ limit: 1 }, [first]],
      [{ status: 'submitted' }, [second]],
      [{ status: 'settled' }, []],
      [{ organization: partner.organizationId }, [first]],
      [{ organization: 'Demo Bank' }, [first]],
      [{ organization: 'Nordlicht Versicherung', status: 'approved' }, []],
      [{ organization: 'Nordlicht Versicherung', status: 'submitted' }, [second]],
    ] as const) {
      t.strictSame(idsOf(await list.run(service, filter)), expected, JSON.stringify(filter))
    }
    const unknown = list.run(service, { organization: 'Nobody' })
    await t.rejects(unknown, { code: 'ORGANIZATION_NOT_FOUND' })
  },
)

t.test('the refusal of an unknown order says what to do next', async (t) => {
  const { world } = await createMarket()
  for (const { run } of [show, approve, settle, reject, cancel]) {
    await t.rejects(run(world.service, { share_purchase_id: unknownId }), {
      code: 'SHARE_PURCHASE_NOT_FOUND',
      message: /coopshare purchase list/,
    })
  }
})

t.test('the inputs of order operations are checked', async (t) => {
  for (const [input, shape] of [
    [{}, show.input],
    [{ share_purchase_id: 1 }, approve.input],
    [{ share_purchase_id: unknownId, why: 'x' }, reject.input],
    [{ share_purchase_id: unknownId, reason: ' ' }, reject.input],
    [{ share_purchase_id: unknownId, reason: 'x'.repeat(201) }, reject.input],
    [{ status: 'done' }, list.input],
    [{ limit: 0 }, list.input],
  ] as const) {
    t.ok(validate(input, shape as typeof show.input)[0], JSON.stringify(input))
  }
})

t.test(
  'operators see the person of each order, newest first, and can filter by each column',
  async (t) => {
    const market = await createMarket()
    const { service, clock } = market.world
    const ids: string[] = []
    for (let order = 0; order < 3; order += 1) {
      ids.push(await placeAccepted(market))
      clock.advance(60)
    }
    const run = (input: object) => runOperation(service, 'purchase.list', input) as Promise<Rows>
    const [row, ...others] = await run({ sort: '-created_at' })
    t.strictSame(idsOf([row as Row, ...others]), ids.toReversed())
    t.match(row, {
      organization: String,
      partner_customer_ref: String,
      cooperative: String,
      cooperative_key: String,
    })
    t.strictSame(idsOf(await run({})), ids, 'oldest first by default')
    const { cooperative_key, partner_customer_ref, investor_id, created_at } = row as Row
    for (const [input, found] of [
      [{ cooperative: cooperative_key }, ids],
      [{ cooperative: cooperative_key, organization: row?.organization }, ids],
      [{ cooperative: cooperative_key, status: 'approved' }, []],
      [{ investor: partner_customer_ref }, ids],
      [{ investor: investor_id, since: created_at }, ids.slice(2)],
      [{ until: created_at, sort: '-created_at' }, ids.slice(0, 2).toReversed()],
      [{ after: ids[0], limit: 1 }, ids.slice(1, 2)],
      [{ after: ids[2], sort: '-created_at', investor: investor_id }, ids.slice(0, 2).toReversed()],
    ] as const) {
      t.strictSame(idsOf(await run(input)), found, JSON.stringify(input))
    }
    for (const [input, code] of [
      [{ cooperative: 'nobody' }, 'COOPERATIVE_NOT_FOUND'],
      [{ investor: 'nobody' }, 'INVESTOR_NOT_FOUND'],
      [{ after: unknownId }, 'SHARE_PURCHASE_NOT_FOUND'],
    ] as const) {
      await t.rejects(run(input), { code }, code)
    }
    const preview = await runOperation(service, 'purchase.preview', { statuses: ['submitted'] })
    t.match(
      preview,
      exactArrays({
        count: 3,
        newest: created_at,
        cooperatives: [{ cooperative_key, count: 3 }],
        share_purchase_ids: ids,
      }),
    )
  },
)

t.test('a page of the orders of an investor begins after an order that has changed', async (t) => {
  const market = await createMarket()
  const { service } = market.world
  const ids: string[] = []
  for (let order = 0; order < 4; order += 1) ids.push(await placeAccepted(market))
  const [, changed = ''] = ids
  await runOperation(service, 'purchase.cancel', { share_purchase_id: changed })
  const { investorId: investor } = market
  for (const filter of [{ investor }, {}]) {
    const page = { ...filter, status: 'submitted', after: changed, limit: 2 }
    t.strictSame(idsOf((await runOperation(service, 'purchase.list', page)) as Rows), ids.slice(2))
  }
})

type Row = Readonly<Record<string, string>> & { readonly share_purchase_id: string }
type Rows = readonly Row[]
