import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { completeProfile, completeProvision } from '../../../fixtures/builders/investors.ts'
import { stopServer } from '../../../fixtures/postgres/databases.ts'
import { openSlowMarket } from '../../../fixtures/postgres/slow-proxy.ts'
import { applyFixtureFile } from '../../../fixtures/world/fixture-files.ts'
import { place, placeAccepted } from '../../../fixtures/world/market.ts'
import { register } from '../../../fixtures/world/webhook-market.ts'
import { systemRandom } from '../../../src/adapters/clock.ts'
import type { Problem } from '../../../src/domain/problem.ts'
import { mailReceivers } from '../../../src/domain/webhooks/delivery.ts'
import { createMetrics } from '../../../src/http/request-metrics.ts'

t.teardown(stopServer)

const sun = { key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: '100.00' }

t.test('an order takes two round trips to the database', async (t) => {
  const { line, market, store } = await openSlowMarket(t, { ...systemRandom, fraction: () => 1 })
  const { webhookEndpointId } = await register(market, 'http://127.0.0.1:9/')
  // This instance sends the deliveries itself, so it need not notify other instances.
  await store.receiverLeases.acquire([webhookEndpointId, ...mailReceivers])
  const order = async (key: string) => {
    line.takeRoundTrips()
    t.equal((await place(market, {}, { headers: { 'idempotency-key': key } })).status, 201)
    return line.takeRoundTrips()
  }
  // The first orders take more round trips, because each connection prepares its statements. Some
  // later orders also check the versions of cached collections.
  const trips: number[] = []
  for (const key of ['1', '2', '3', '4', '5', '6', '7', '8']) trips.push(await order(key))
  t.equal(Math.min(...trips), 2, 'one for the reads, and one for the commit')
})

t.test('a file of orders asks the database for many of them at once', async (t) => {
  const { line, market } = await openSlowMarket(t)
  const share_purchases = Array.from({ length: 40 }, () => ({ cooperative: 'sun', share_count: 5 }))
  const investors = [{ ...completeProvision(), share_purchases }]
  line.takeRoundTrips()
  await applyFixtureFile(market.world.service, {
    organizations: [{ name: 'File Bank', investors }],
    cooperatives: [sun],
  })
  const trips = line.takeRoundTrips()
  t.ok(trips < 1.5 * share_purchases.length, `${trips} round trips`)
})

t.test(
  'two accounts for a mandate of a file are refused although they are read together [D4]',
  async (t) => {
    const { market } = await openSlowMarket(t)
    const ibans = ['DE89370400440532013000', 'DE02120300000000202051']
    const investors = ibans.map((iban) => ({
      ...completeProvision({ partner_customer_ref: iban }),
      profile: completeProfile({ bank_account: { iban } }),
      share_purchases: [{ cooperative: 'sun', share_count: 5, sepa_mandate: { reference: 'M-1' } }],
    }))
    const refused: Problem = await applyFixtureFile(market.world.service, {
      organizations: [{ name: 'File Bank', investors }],
      cooperatives: [sun],
    }).catch((error) => error)
    t.strictSame(Object.keys(refused.extra?.errors ?? {}), [
      'organizations.0.investors.1.share_purchases.0.sepa_mandate.reference',
    ])
  },
)

t.test(
  'without the database, requests get 503 and can be repeated, and the service recovers automatically',
  async (t) => {
    const { line, market } = await openSlowMarket(t)
    const first = await placeAccepted(market)
    const { app } = market.world
    const ready = async () => (await app.request('http://localhost/readyz')).status
    t.equal(await ready(), 200)
    line.cut()
    const refused = await place(market)
    t.equal(refused.status, 503)
    t.equal(refused.headers.get('retry-after'), '1')
    t.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
    t.equal(await ready(), 503)
    await line.mend()
    await until(t, async () => (await ready()) === 200)
    const second = await placeAccepted(market)
    const { store } = market.world.service
    const stored = await store.read(({ sharePurchases }) => sharePurchases.list({}))
    t.same(
      stored.map(({ sharePurchaseId }) => sharePurchaseId),
      [first, second],
      'no record is incomplete',
    )
  },
)

t.test('without the database, the other metrics are still available', async (t) => {
  const { line, market } = await openSlowMarket(t)
  const metrics = createMetrics(market.world.service)
  t.match(await metrics.render(), /^coopshare_share_purchases\{status="submitted"\} 0$/m)
  metrics.observe({ requestId: '1', method: 'GET', route: '/readyz', status: 503, seconds: 0 })
  line.cut()
  const away = await metrics.render()
  t.match(away, /^coopshare_store_ready 0$/m)
  t.match(away, /^coopshare_http_requests_total\{.*status="503"\} 1$/m)
  t.notMatch(
    away,
    /^coopshare_(share_purchases|deliveries|delivery_lag_seconds)\{/m,
    'old counts are left out',
  )
  await line.mend()
  await until(t, async () => /^coopshare_store_ready 1$/m.test(await metrics.render()))
  t.match(await metrics.render(), /^coopshare_share_purchases\{status="submitted"\} 0$/m)
})
