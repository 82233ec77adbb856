import t from 'tap'
import { collectionOf, place, placeAccepted, provision } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  displayStatesOf,
  findEvent,
  register,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import type { SharePurchaseStatus } from '../../../src/domain/share-purchases/share-purchase.ts'
import { updateOrganization } from '../../../src/usecases/organizations/organizations.ts'
import { decideSharePurchase } from '../../../src/usecases/share-purchases/change-status.ts'

async function bodyOf(market: WebhookMarket, sharePurchaseId: string, to: SharePurchaseStatus) {
  return (await findEvent(market, sharePurchaseId, to)).body
}

t.test("every transition of a partner's order creates an event [S-events-3]", async (t) => {
  const market = await createWebhookMarket(t)
  const { world } = market
  const settled = await placeAccepted(market)
  await decide(market, settled, 'approved', 'settled')
  const rejected = await placeAccepted(market)
  await decide(market, rejected, 'rejected')
  const cancelled = await placeAccepted(market)
  await decide(market, cancelled, 'cancelled')
  const withdrawn = await placeAccepted(market)
  const path = `${collectionOf(market)}/${withdrawn}/cancel`
  t.equal((await world.request('POST', path, { token: world.partner.token })).status, 200)
  const events = await world.service.store.read((records) => records.events.list({}))
  t.same(
    events.map(({ orderingKey, type }) => [orderingKey, type]).sort(),
    [
      [settled, 'share_purchase.submitted'],
      [settled, 'share_purchase.approved'],
      [settled, 'share_purchase.settled'],
      [rejected, 'share_purchase.submitted'],
      [rejected, 'share_purchase.rejected'],
      [cancelled, 'share_purchase.submitted'],
      [cancelled, 'share_purchase.cancelled'],
      [withdrawn, 'share_purchase.submitted'],
      [withdrawn, 'share_purchase.cancelled'],
    ].sort(),
  )
})

t.test(
  'for each type, envelope and data have the documented fields in order [S-envelope-1]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world, investorId, cooperative } = market
    const id = await placeAccepted(market)
    const submittedAt = world.clock.now()
    world.clock.advance(60)
    const whose = { share_purchase_id: id, investor_id: investorId, cooperative_id: cooperative.id }
    const submitted = {
      ...whose,
      share_count: 5,
      status: 'submitted',
      terminal: false,
      total: '1250.00',
      total_currency: 'EUR',
    }
    await decide(market, id, 'approved', 'settled')
    const refused = await placeAccepted(market)
    const theirs = { ...whose, share_purchase_id: refused }
    const reason = 'The mandate was returned.'
    await decideSharePurchase(world.service, { sharePurchaseId: refused, to: 'rejected', reason })
    const unexplained = await placeAccepted(market)
    await decide(market, unexplained, 'rejected')
    const left = await placeAccepted(market)
    await decide(market, left, 'cancelled')
    const now = world.clock.now()
    const rows = [
      [id, 'submitted', submittedAt, submitted],
      [id, 'approved', now, { ...whose, status: 'approved', terminal: false }],
      [id, 'settled', now, { ...whose, share_count: 5, status: 'settled', terminal: true }],
      [refused, 'rejected', now, { ...theirs, status: 'rejected', terminal: true, reason }],
      [
        unexplained,
        'rejected',
        now,
        { ...whose, share_purchase_id: unexplained, status: 'rejected', terminal: true },
      ],
      [
        left,
        'cancelled',
        now,
        { ...whose, share_purchase_id: left, status: 'cancelled', terminal: true },
      ],
    ] as const
    for (const [order, status, created_at, data] of rows) {
      const { eventId } = await findEvent(market, order, status)
      const expected = { id: eventId, type: `share_purchase.${status}`, created_at, data }
      t.equal(await bodyOf(market, order, status), JSON.stringify(expected), status)
      t.match(eventId, /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    }
  },
)

t.test('a refused order has no event [S-events-4]', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placeAccepted(market)
  await t.rejects(decide(market, id, 'settled'), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
  await t.rejects(placeAccepted(market, { share_count: 0 }))
  const { store } = market.world.service
  t.equal((await store.read(({ events }) => events.list({}))).length, 1)
})

t.test('an endpoint gets the events after its registration [D31]', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placeAccepted(market)
  const second = await register(market, `${market.receiver.url}/2`)
  await decide(market, id, 'approved')
  const targets = async (to: SharePurchaseStatus) =>
    (await deliveriesOf(market, await findEvent(market, id, to))).map(({ target }) =>
      target.kind === 'webhook' ? target.webhookEndpointId : '',
    )
  t.same(await targets('submitted'), [market.webhookEndpointId])
  t.same(await targets('approved'), [market.webhookEndpointId, second.webhookEndpointId])
})

t.test('an endpoint gets no events of another partner [S-webhooks-3]', async (t) => {
  const market = await createWebhookMarket(t)
  const { token } = market.world.otherPartner
  const investorId = await provision(market.world, {}, token)
  const { body } = await place(market, {}, { token, investorId })
  const event = await findEvent(market, body.share_purchase_id)
  t.equal(event.organizationId, market.world.otherPartner.organizationId)
  t.same(event.deliveries, { pending: 0, delivered: 0, dead: 0 })
  t.same(await deliveriesOf(market, event), [])
})

t.test('a later event waits for the earlier one of the same order and endpoint', async (t) => {
  const market = await createWebhookMarket(t)
  const [first, second] = [await placeAccepted(market), await placeAccepted(market)]
  await decide(market, first, 'approved', 'settled')
  const stateOf = async (order: string, to: SharePurchaseStatus) =>
    displayStatesOf(market, await findEvent(market, order, to))
  t.same(await stateOf(first, 'submitted'), ['pending'])
  t.same(await stateOf(first, 'approved'), ['waiting'])
  t.same(await stateOf(first, 'settled'), ['waiting'])
  t.same(await stateOf(second, 'submitted'), ['pending'], 'the events of another order do not wait')
  t.match(await findEvent(market, first, 'settled'), { deliveries: { pending: 1, dead: 0 } })
})

t.test(
  'e-mails to investors are on by default and can be turned off [S-webhooks-12]',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { world } = market
    const first = await placeAccepted(market)
    const mails = async (order: string, to: SharePurchaseStatus = 'submitted') =>
      (await deliveriesOf(market, await findEvent(market, order, to), 'mail')).length
    t.equal(await mails(first), 1)
    const organization = world.partner.organizationId
    await updateOrganization(world.service, { organization, investorMail: false })
    await decide(market, first, 'approved')
    t.equal(await mails(first, 'approved'), 0)
    await updateOrganization(world.service, { organization, investorMail: true })
    await decide(market, first, 'settled')
    t.equal(await mails(first, 'settled'), 1)
  },
)
