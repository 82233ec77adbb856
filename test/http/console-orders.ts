import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildCooperative, euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { companySections, completeProfile } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type Console, openConsole, postAndFollow, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted, provision } from '../../fixtures/world/market.ts'
import { addSeconds } from '../../src/domain/timestamp.ts'
import { runOperation } from '../../src/operations/operations.ts'

/** The names in the rows of a list, as the page shows them. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/class="whole" href="[^"]+"><bdi>([^<]*)/g)].map(([, name = '']) => name)
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/class="whole" href="\/orders\/([^"]+)"/g)].map(([, id = '']) => id)
}

/** The counts of the tabs, by their text. */
function tabsIn(text: string): Readonly<Record<string, string>> {
  const tabs = text.matchAll(/<a href="[^"]*"[^>]*>([^<]+) <span class="count">([^<]+)</g)
  return Object.fromEntries([...tabs].map(([, name = '', count = '']) => [name, count]))
}

function addressOf(text: string, pattern: RegExp): string {
  return (pattern.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
}

const next = /rel="next" href="([^"]+)"/
const previous = /rel="prev" href="([^"]+)"/
const last = /href="([^"]+)">Last page/

/** Orders of one investor, one each minute. @returns their ids, newest first */
async function fill({ market }: Console, count: number): Promise<readonly string[]> {
  const { store } = market.world.service
  const first = await placeAccepted(market)
  const ids = [first]
  await store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(first)
    for (let number = 1; order && number < count; number += 1) {
      const createdAt = addSeconds(order.createdAt, 60 * number)
      const sharePurchaseId = randomUUID()
      ids.unshift(sharePurchaseId)
      await sharePurchases.put({ ...order, sharePurchaseId, createdAt })
    }
  })
  return ids
}

t.test('a list says which part it shows, and leads to the other parts', async (t) => {
  const console = await openConsole()
  const ids = await fill(console, 120)
  const { cookie } = await signIn(console)
  const open = async (path: string) => (await console.get(path, { cookie })).text
  for (const sorted of ['', '&sort=-share_count', '&investor=c-1']) {
    const all = sorted.startsWith('&investor') ? `&investor=${console.market.investorId}` : sorted
    const first = await open(`/orders?status=submitted${all}`)
    t.match(first, '<span>1 to 50 of 120</span>', sorted)
    t.notMatch(first, previous)
    t.strictSame(idsIn(first), ids.slice(0, 50))
    const second = await open(addressOf(first, next))
    t.match(second, '<span>51 to 100 of 120</span>')
    t.strictSame(idsIn(second), ids.slice(50, 100))
    const third = await open(addressOf(second, last))
    t.match(third, '<span>101 to 120 of 120</span>')
    t.strictSame(idsIn(third), ids.slice(100))
    t.notMatch(third, next)
    t.strictSame(idsIn(await open(addressOf(third, previous))), ids.slice(50, 100))
    const begin = await open(addressOf(second, previous))
    t.strictSame(idsIn(begin), ids.slice(0, 50))
  }
  const oldest = await open('/orders?sort=created_at')
  t.strictSame(idsIn(oldest), ids.toReversed().slice(0, 50))
  t.match(oldest, /<th scope="col" class="placed" aria-sort="ascending">/)
})

t.test('after a decision about a whole page, the list shows what remains', async (t) => {
  const console = await openConsole()
  const ids = await fill(console, 60)
  const { cookie, csrf } = await signIn(console)
  for (const sorted of ['', '&sort=total']) {
    const [cursor, ...later] = sorted === '' ? ids.slice(49) : ids.slice(39, 50)
    const filter = `?status=submitted${sorted}&after=${cursor}`
    const form = Object.entries({ csrf, decision: 'approve', filter, confirmed: 'yes' })
    const chosen = later.map((id) => ['id', id] as const)
    const preview = await console.post('/orders', [...form.slice(0, -1), ...chosen], { cookie })
    t.match(preview.text, `data-copy="coopshare purchase approve ${later.join(' ')}"`)
    t.match(preview.text, ` ${later[2]} …</code>`, 'it is shown in a short form')
    const { text, place } = await postAndFollow(console, '/orders', [...form, ...chosen], {
      cookie,
    })
    t.match(text, 'Approved: 10 (')
    t.ok(place.startsWith(`/orders${filter}&outcome=`))
    t.strictSame(idsIn(text), ids.slice(0, sorted === '' ? 50 : 40), 'not an empty page')
  }
})

t.test('tabs count the orders of each status that the filters select', async (t) => {
  const console = await openConsole()
  const { market } = console
  const [first = '', second = ''] = await fill(console, 5)
  const { service } = market.world
  await runOperation(service, 'purchase.approve', { share_purchase_id: first })
  await runOperation(service, 'purchase.reject', { share_purchase_id: second })
  const { cookie } = await signIn(console)
  const tabs = async (search: string) =>
    tabsIn((await console.get(`/orders${search}`, { cookie })).text)
  const whole = {
    All: '5',
    submitted: '3',
    approved: '1',
    settled: '0',
    rejected: '1',
    cancelled: '0',
  }
  t.strictSame(await tabs(''), whole)
  t.strictSame(await tabs('?status=approved&sort=total'), whole, 'whatever tab is chosen')
  t.strictSame(await tabs(`?investor=${market.investorId}`), whole)
  t.strictSame(await tabs(`?cooperative=${market.cooperative.id}`), whole)
  t.match(await tabs('?since=2030-01-01'), { All: '0', submitted: '0' })
  t.match(await tabs('?proposed=true'), { All: '0' })
  t.match(await tabs('?settled_since=2020-01-01'), { All: '0', submitted: '0' })
  const empty = await console.get('/orders?status=approved&settled_since=2020-01-01', { cookie })
  t.strictSame(idsIn(empty.text), [], 'no settled order is approved')
  const { text } = await console.get('/orders?status=submitted&sort=-total', { cookie })
  t.match(text, 'href="/orders?status=approved&amp;sort=-total"', 'a tab keeps the order')
  t.match(text, /href="\/orders\?status=submitted&amp;sort=-total" aria-current="page"/)
  t.match(text, 'coopshare purchase list --status submitted --sort -total --json')
})

t.test('settled orders of a cooperative and a partner are counted and listed', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { service, partner } = market.world
  const id = await placeAccepted(market)
  await runOperation(service, 'purchase.approve', { share_purchase_id: id })
  await runOperation(service, 'purchase.settle', { share_purchase_id: id })
  const { cookie } = await signIn(console)
  const open = async (search: string) =>
    (await console.get(`/orders?settled_since=2020-01-01${search}`, { cookie })).text
  const ofCooperative = `&cooperative=${market.cooperative.id}`
  const ofBoth = `${ofCooperative}&organization=${partner.organizationId}`
  for (const search of ['', ofCooperative, ofBoth, `${ofBoth}&sort=total`]) {
    const text = await open(search)
    t.strictSame(idsIn(text), [id], search)
    t.match(tabsIn(text), { All: '1', approved: '0', settled: '1' }, search)
  }
  for (const search of ['until=2020-01-01', 'settled_until=2020-01-02', 'status=approved'])
    t.strictSame(idsIn(await open(`${ofBoth}&${search}`)), [], search)
})

t.test('a list is sorted by the head that somebody clicks', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { world } = market
  const cooperative = buildCooperative({
    key: 'wind-husum',
    name: 'Wind Husum eG',
    sharePrice: euro('10'),
  })
  await storeCooperatives(world.service.store, cooperative)
  const placed = await placeAccepted(market, { share_count: 3 })
  const cheap = await placeAccepted({ ...market, cooperative }, { share_count: 40 })
  const { cookie } = await signIn(console)
  const sortedBy = async (sort: string) =>
    idsIn((await console.get(`/orders?sort=${sort}`, { cookie })).text)
  t.strictSame(await sortedBy('total'), [cheap, placed])
  t.strictSame(await sortedBy('-total'), [placed, cheap])
  t.strictSame(await sortedBy('share_count'), [placed, cheap])
  t.strictSame(await sortedBy('-cooperative'), [cheap, placed])
  await runOperation(world.service, 'purchase.approve', { share_purchase_id: placed })
  t.strictSame(await sortedBy('status'), [cheap, placed], 'in the order of their life')
  const { text } = await console.get('/orders?status=&sort=-total', { cookie })
  t.match(
    text,
    /<th scope="col" class="number total" aria-sort="descending"><a href="\/orders\?sort=total">Total</,
  )
  t.match(text, /<a href="\/orders\?sort=-share_count">Shares</, 'the largest come first')
})

t.test('a row has the name of the person or company that buys', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { service } = market.world
  await placeAccepted(market)
  const { cookie } = await signIn(console)
  const names = async () => namesIn((await console.get('/orders', { cookie })).text)
  t.strictSame(await names(), ['Frieda Sonnenschein'])
  const profile = completeProfile(companySections())
  const investorId = await provision(market.world, { partner_customer_ref: 'firm', profile })
  const share_purchase_id = await placeAccepted({ ...market, investorId })
  t.strictSame(await names(), ['Windkraft Beispiel GmbH', 'Frieda Sonnenschein'])
  const sorted = (await console.get('/orders?sort=investor', { cookie })).text
  t.strictSame(namesIn(sorted), ['Frieda Sonnenschein', 'Windkraft Beispiel GmbH'])
  const listed = await runOperation(service, 'purchase.list', { investor: investorId })
  t.match(listed, exactArrays([{ investor: 'Windkraft Beispiel GmbH' }]), 'as in the command')
  await runOperation(service, 'purchase.cancel', { share_purchase_id })
  await runOperation(service, 'investor.erase', { investor_id: investorId })
  t.strictSame(await names(), [share_purchase_id, 'Frieda Sonnenschein'], 'nothing of the person')
})

t.test(
  'an address that asks for something that does not exist gets a page that helps',
  async (t) => {
    const console = await openConsole()
    await placeAccepted(console.market)
    const { cookie } = await signIn(console)
    for (const [address, status] of [
      ['/orders?sort=colour', 422],
      ['/orders?status=bogus', 422],
      [`/orders?after=${randomUUID()}`, 404],
      ['/orders?before=nothing', 404],
      ['/orders?organization=Nobody', 404],
      ['/orders?cooperative=nothing', 404],
      ['/orders?investor=nobody', 404],
      ['/orders?since=yesterday', 422],
      ['/orders/sums?organization=Nobody', 404],
      ['/orders/sums?since=yesterday', 422],
      ['/events?state=bogus', 422],
      ['/events?organization=Nobody', 404],
      ['/investors?organization=Nobody', 404],
      ['/audit?actor=bogus', 422],
      ['/audit?operator=Nobody', 404],
      ['/audit?order=one&order=two', 400],
      ['/events?type=one&type=two', 400],
      ['/audit?since=yesterday&since=today', 400],
      ['/audit?since=yesterday', 422],
    ] as const) {
      const answer = await console.get(address, { cookie })
      t.equal(answer.status, status, address)
      t.equal(answer.text.split('This list cannot be shown').length, 2, `${address}: said once`)
      t.notMatch(answer.text, 'Refused:', address)
      const list = `/${address.split(/[/?]/)[1]}`
      t.match(answer.text, `<a href="${list}">Show the whole list</a>`, address)
      t.match(answer.text, '<form class="row filter"', address)
    }
  },
)

t.test(
  'a list of more than 1,000 orders is sorted by time only, and added up only on request',
  async (t) => {
    const console = await openConsole()
    const ids = await fill(console, 1001)
    const { cookie } = await signIn(console)
    const { text } = await console.get('/orders?sort=total', { cookie })
    t.match(text, 'A list of more than 1,000 orders can be sorted by time only.')
    t.strictSame(idsIn(text), ids.slice(0, 50))
    t.match(text, '<span>1 to 50 of 1,001</span>')
    t.notMatch(text, /<th[^>]*><a[^>]*>Total</)
    t.match(text, /<th[^>]*><a[^>]*>Placed</)
    const investor = `/orders?investor=${console.market.investorId}`
    const many = (await console.get(investor, { cookie })).text
    t.match(many, '<span>1 to 50 of 1,001+</span>')
    const more = (await console.get(addressOf(many, next), { cookie })).text
    t.match(more, '<span>50 of 1,001+</span>', 'too many to be counted')
    t.strictSame(idsIn(more), ids.slice(50, 100))

    const sums = (await console.get('/orders/sums?status=submitted', { cookie })).text
    t.match(sums, 'More than 1,000 orders match the filter.')
    t.notMatch(sums, '<dt>Count</dt>')
    const all = addressOf(sums, /<a class="button" href="([^"]+)">Add up all</)
    t.match((await console.get(all, { cookie })).text, '<dt>Count</dt><dd>1,001</dd>')
  },
)

t.test('the page of an order leads back to the list, also after a decision', async (t) => {
  const console = await openConsole()
  const id = await placeAccepted(console.market)
  const { cookie, csrf } = await signIn(console)
  const list = '/orders?status=submitted&sort=-total'
  const referer = `http://127.0.0.1:4711${list}`
  const { text } = await console.get(`/orders/${id}`, { cookie, referer })
  t.match(text, `<a href="${list.replaceAll('&', '&amp;')}">Back to the orders</a>`)
  const back = addressOf(
    text,
    /action="\/actions\/purchase\.approve".*?name="back" value="([^"]+)"/s,
  )
  const form = { csrf, back, 'input.share_purchase_id': id }
  const decided = await postAndFollow(console, '/actions/purchase.approve', form, { cookie })
  t.ok(decided.place.startsWith(`/orders/${id}?`), 'where one was')
  t.match(decided.text, 'Done: Approve.')
  t.match(decided.text, `<a href="${list.replaceAll('&', '&amp;')}">Back to the orders</a>`)
  const elsewhere = await console.get(`/orders/${id}?list=//evil.example`, { cookie })
  t.match(elsewhere.text, '<a href="/orders">Back to the orders</a>')
})
