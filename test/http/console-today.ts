import t from 'tap'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { openConsole, consoleOrigin as origin, signIn } from '../../fixtures/world/console.ts'
import { createMarket, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'
import type { SharePurchase } from '../../src/domain/share-purchases/share-purchase.ts'
import { addSeconds, toTimestamp } from '../../src/domain/timestamp.ts'
import type { Output } from '../../src/operations/operations.ts'
import { runOperation } from '../../src/operations/operations.ts'

const card = (path: string) =>
  new RegExp(`<strong>([^<]*)</strong><span class="amount">([^<]*)</span><a href="${path}">`)

t.test('the page Today has exact sums of any number of orders', async (t) => {
  const console = await openConsole()
  const { world } = console.market
  const placed = await placeAccepted(console.market)
  await world.service.store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(placed)
    for (let more = 1; order && more < 1200; more += 1) {
      await sharePurchases.put({ ...order, sharePurchaseId: world.service.random.id() })
    }
  })
  const { cookie } = await signIn(console)
  const waiting = card('/orders\\?status=submitted')
  const { text } = await console.get('/', { cookie })
  t.strictSame(waiting.exec(text)?.slice(1), ['1,200', '€1,500,000.00'])
  const german = await console.get('/', { cookie, 'accept-language': 'de' })
  t.strictSame(waiting.exec(german.text)?.slice(1), ['1.200', '1.500.000,00\u00a0€'])
})

/** Stores copies of an order, as if they had been placed and settled at other times. */
async function storeCopies(market: Market, copies: readonly Partial<SharePurchase>[]) {
  const { service } = market.world
  const order = await placeAccepted(market)
  return service.store.write(anything, async ({ sharePurchases }) => {
    const original = await sharePurchases.find(order)
    if (!original) throw new Error('The order is missing.')
    const ids: string[] = []
    for (const copy of copies) {
      const sharePurchaseId = service.random.id()
      await sharePurchases.put({ ...original, sharePurchaseId, ...copy })
      ids.push(sharePurchaseId)
    }
    return ids
  })
}

const at = (text: string) => toTimestamp(new Date(text))

t.test('each bar leads to the orders of its day, in the chart and in its table', async (t) => {
  const market = await createMarket()
  const { clock } = market.world
  // The clocks of the platform go forward in the night to 28 March 2027, so midnight is 22:00 in UTC.
  const [old, late] = await storeCopies(market, [
    {
      createdAt: at('2027-03-26T12:00:00Z'),
      updatedAt: at('2027-03-28T22:30:00Z'),
      status: 'settled',
      transitions: [{ to: 'settled', at: at('2027-03-28T22:30:00Z') }],
    },
    { createdAt: at('2027-03-28T22:00:00Z'), status: 'approved' },
  ])
  clock.advance((Date.parse('2027-03-28T23:30:00Z') - Date.parse(clock.now())) / 1000)
  const console = await openConsole({}, origin, market)
  const read = async (path: string) => {
    // The session ends when the clock goes on.
    const { cookie } = await signIn(console)
    return (await console.get(path, { cookie })).text
  }
  const page = await read('/?days=7')
  const links = (text: string) => [
    ...new Set(
      [...text.matchAll(/href="(\/orders\?\w+=[^"]*until=[^"]*)"/g)].map(([, path]) => path),
    ),
  ]
  const [graphic = '', table = ''] = page.split('<details>')
  const expected = [
    '/orders?since=2027-03-26&amp;until=2027-03-27',
    '/orders?since=2027-03-29&amp;until=2027-03-30',
    '/orders?settled_since=2027-03-29&amp;settled_until=2027-03-30',
  ]
  t.strictSame(links(graphic).sort(), expected.toSorted())
  t.strictSame(links(table).sort(), expected.toSorted())
  const idsAt = async (path = '') => [
    ...new Set(
      [
        ...(await read(path.replaceAll('&amp;', '&'))).matchAll(/href="\/orders\/([0-9a-f-]{36})/g),
      ].map(([, id]) => id),
    ),
  ]
  t.strictSame(await idsAt(expected[0]), [old])
  t.strictSame(await idsAt(expected[1]), [late])
  t.strictSame(await idsAt(expected[2]), [old])
  const rowsOf = (text: string) => (text.match(/<tr><td data-head="Day">/g) ?? []).length
  t.equal(rowsOf(page), 7)
  t.equal(rowsOf(await read('/?days=90')), 90)
  t.equal(rowsOf(await read('/')), 30)
  t.equal(rowsOf(await read('/?days=1000000')), 30, 'any other length')
  t.match(page, card('/orders\\?settled_since=2027-03-29'))
  clock.advance(8 * 24 * 3600)
  t.match(await read('/?days=7'), 'No orders in these 7 days.')
})

t.test('the orders that wait longest are shown with their time', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { clock } = market.world
  const { cookie } = await signIn(console)
  t.match((await console.get('/', { cookie })).text, 'No order waits for a decision')
  const [first = '', second = ''] = await storeCopies(market, [
    { createdAt: addSeconds(clock.now(), -3 * 24 * 3600 - 5) },
    { createdAt: addSeconds(clock.now(), -7200), status: 'approved' },
  ])
  const { text } = await console.get('/', { cookie, 'accept-language': 'de' })
  const row = (id: string, waited: string) =>
    new RegExp(`/orders/${id}".*data-head="[^"]*"[^>]*>${waited}<`)
  t.match(text, row(first, String.raw`3 \w+`))
  t.match(text, row(second, String.raw`2 \w+`))
  t.ok(text.indexOf(first) < text.indexOf(second))
})

t.test(
  'a receiver in trouble has its success over 24 hours, on every page and in the list',
  async (t) => {
    const market = await createWebhookMarket(t)
    const { service, clock, partner } = market.world
    const console = await openConsole({}, origin, market)
    const show = async (path: string, language = 'en') => {
      const { cookie } = await signIn(console)
      return (await console.get(path, { cookie, 'accept-language': language })).text
    }
    const pathOfPartner = `/partners/${partner.organizationId}`
    t.match(await show(pathOfPartner), 'no attempts')
    await placeAccepted(market)
    await placeAccepted(market)
    await market.dispatcher.dispatchDue()
    t.match(await show(pathOfPartner), '100% (2 of 2)')
    t.match(await show('/'), 'Every receiver gets its events.')
    market.receiver.answer = answerWith(503)
    await placeAccepted(market)
    await market.dispatcher.dispatchDue()
    for (const path of ['/', pathOfPartner]) {
      t.match(await show(path), '66% (2 of 3)')
      t.match(await show(path, 'de'), '66\u00a0% (2 von 3)')
    }
    const list = async () =>
      (await runOperation(service, 'webhook.list', {})) as Output<'webhook.list'>
    t.match(
      await list(),
      exactArrays([{ delivered_24h: 2, failed_24h: 1, success_percent_24h: 66 }]),
    )
    clock.advance(26 * 3600)
    t.match(
      await list(),
      exactArrays([{ delivered_24h: 0, failed_24h: 0, success_percent_24h: null }]),
    )
    t.match(await show('/'), 'The receiver answered 503.', 'it still does not get its event')
  },
)
