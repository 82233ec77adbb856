import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { FaultyDisk } from '../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import {
  type Console,
  openConsole,
  consoleOrigin as origin,
  postAndFollow,
  signIn,
} from '../../fixtures/world/console.ts'
import { createMarket, placeAccepted } from '../../fixtures/world/market.ts'
import { inputShapeOf, type OperationName, runOperation } from '../../src/operations/operations.ts'
import { schemaOfShape } from '../../src/wire/schema-of-shape.ts'

t.test('an endpoint gets the chosen types and the chosen overlap of secrets', async (t) => {
  const console = await openConsole()
  const { partner, clock, service } = console.market.world
  const { organizationId } = partner
  const back = `/partners/${organizationId}`
  const { cookie, csrf } = await signIn(console)
  const form = { csrf, back, 'input.organization': organizationId }
  const url = 'http://127.0.0.1:9/hook'
  const types = ['share_purchase.settled', 'share_purchase.rejected']
  const sent = Object.entries({ ...form, 'input.url': url })
  const chosen = types.map((type) => ['input.types', type] as const)
  const registered = await console.post('/actions/webhook.register', [...sent, ...chosen], {
    cookie,
  })
  t.match(registered.text, 'The secret is shown only now.')
  const [endpoint] = (await runOperation(service, 'webhook.list', {})) as Endpoint[]
  t.strictSame(endpoint?.types, types)
  const { webhook_endpoint_id: id = '' } = endpoint ?? {}
  const rotation = { csrf, back, 'input.webhook_endpoint_id': id }
  await console.post(
    '/actions/webhook.rotate_secret',
    { ...rotation, 'input.overlap': '' },
    { cookie },
  )
  t.notMatch((await console.get(back, { cookie })).text, 'Also signed with the old secret until')
  await console.post(
    '/actions/webhook.rotate_secret',
    { ...rotation, 'input.overlap': '1h' },
    { cookie },
  )
  t.match((await console.get(back, { cookie })).text, 'Also signed with the old secret until')
  clock.advance(3600)
  t.notMatch((await console.get(back, { cookie })).text, 'Also signed with the old secret until')
})

interface Endpoint {
  readonly webhook_endpoint_id: string
  readonly types: readonly string[]
}

t.test(
  'a cooperative is created and changed, and only the changed fields are stored',
  async (t) => {
    const console = await openConsole()
    const { service } = console.market.world
    const { cookie, csrf } = await signIn(console)
    t.match(
      (await console.get('/catalogue', { cookie })).text,
      'action="/actions/cooperative.create"',
    )
    const created = await console.post(
      '/actions/cooperative.create',
      {
        csrf,
        back: '/catalogue',
        'input.key': 'new-coop',
        'input.name': 'New Coop eG',
        'input.energy_category': 'wind',
        'input.share_price': '100.00',
        'input.description': 'One.\r\nTwo.',
        'input.dividend_type': '',
        'input.city': 'Ulm',
        'input.coordinates': '48.4, 9.99',
        'input.minimum_shares': '2',
      },
      { cookie },
    )
    const place = created.headers.get('location') ?? ''
    t.match(place, /^\/catalogue\/[0-9a-f-]{36}\?done=cooperative.create$/)
    const show = () => runOperation(service, 'cooperative.show', { cooperative: 'new-coop' })
    const fields = { energy_category: 'wind', minimum_shares: 2, description: 'One.\nTwo.' }
    const coordinates = { latitude: 48.4, longitude: 9.99 }
    t.match(await show(), { ...fields, city: 'Ulm', coordinates, published: false })

    const { text } = await console.get(place, { cookie })
    const form = text.slice(text.indexOf('/actions/cooperative.update'))
    const given = [...form.matchAll(/<input(?: type="hidden")? name="([^"]+)" value="([^"]*)"/g)]
    t.match(new Map(given.map(([, name, value]) => [name, value])).get('input.city'), 'Ulm')
    await runOperation(service, 'cooperative.update', { cooperative: 'new-coop', city: 'Neu-Ulm' })
    const sent = given.map(([, name = '', value = '']) => [name, value] as const)
    const others = sent.filter(([name]) => !['input.coordinates', 'back'].includes(name))
    const changed = [
      ['csrf', csrf],
      ['input.coordinates', ''],
      ['input.description', 'Three.'],
      ['was.description', 'One.\r\nTwo.'],
    ] as const
    await console.post('/actions/cooperative.update', [...others, ...changed], { cookie })
    t.match(await show(), { description: 'Three.', coordinates: null, city: 'Neu-Ulm' })
  },
)

t.test('the console asks before a price changes by more than half', async (t) => {
  const console = await openConsole()
  const { id } = console.market.cooperative
  const { service } = console.market.world
  const { cookie, csrf } = await signIn(console)
  const set = (price: string, more = {}) =>
    console.post(
      '/actions/cooperative.set_price',
      { csrf, back: '/', 'input.cooperative': id, 'input.share_price': price, ...more },
      { cookie },
    )
  const show = () => runOperation(service, 'cooperative.show', { cooperative: id })
  t.equal((await set('375.00')).status, 303, 'by half')
  const asked = await set('3750.00')
  t.match(asked.text, 'costs €375.00. The new price, €3,750.00, differs by 900%.')
  t.match(await show(), { share_price: '375.00' })
  t.equal((await set('3750.00', { confirmed: 'yes' })).status, 303)
  t.match(await show(), { share_price: '3750.00' })
  t.equal((await set('3751,5')).status, 303, 'a comma, as in German')
  t.match(await show(), { share_price: '3751.50' })
  for (const amount of ['3,751', '3.751,50']) t.equal((await set(amount)).status, 422, amount)
  const form = await console.get(`/catalogue/${id}`, { cookie })
  t.match(form.text, 'name="input.share_price"')
  t.match(form.text, 'name="input.entry_fee"')
  const long = '90071992547409.93'
  t.equal((await set(long, { confirmed: 'yes' })).status, 303)
  const page = await console.get(`/catalogue/${id}`, { cookie })
  t.match(page.text, '€90,071,992,547,409.93', 'exact to the cent, even if it is large')
})

t.test('all orders that match the filter are decided, even if there are many', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { store } = market.world.service
  const id = await placeAccepted(market)
  await store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(id)
    if (!order) return
    for (let copies = 0; copies < 1000; copies += 1) {
      await sharePurchases.put({ ...order, sharePurchaseId: randomUUID() })
    }
  })
  const { cookie, csrf } = await signIn(console)
  const matching = { csrf, decision: 'approve', matching: 'yes' }
  const filter = `?status=submitted&cooperative=${market.cooperative.id}`
  const preview = await console.post('/orders', { ...matching, filter }, { cookie })
  t.match(preview.text, /<dt>Count<\/dt><dd>1,001<\/dd><dt>Sum<\/dt><dd>€/)
  t.match(
    preview.text,
    `coopshare purchase approve --all-submitted --cooperative ${market.cooperative.id} --before 20`,
  )
  const confirmed = { ...matching, ...hiddenIn(preview.text), confirmed: 'yes' }
  market.world.clock.advance(60)
  const later = await placeAccepted(market)
  const changed = await console.post('/orders', { ...confirmed, expected: 'another' }, { cookie })
  t.match(changed.text, 'Orders have changed since the preview. Nothing was decided.')
  const [decided, twice] = await Promise.all([
    postAndFollow(console, '/orders', confirmed, { cookie }),
    postAndFollow(console, '/orders', confirmed, { cookie }),
  ])
  t.match(decided.text, /Approved: 1,001 \(€/)
  t.equal(twice.place, decided.place, 'a second click decides nothing')
  t.ok(decided.place.length < 200, 'the address stays short')
  t.match(await store.read(({ sharePurchases }) => sharePurchases.countByStatus()), {
    approved: 1001,
    submitted: 1,
  })
  const { status } = (await store.read(({ sharePurchases }) => sharePurchases.find(later))) ?? {}
  t.equal(status, 'submitted', 'an order that was placed after the preview')
  for (const list of ['/audit', '/events']) {
    const orders = await followPages(console, list, cookie)
    t.equal(
      new Set(orders).size,
      orders.length,
      `${list} has more pages after entries of the same moment`,
    )
    t.equal(orders.length, 150)
  }
  const none = await console.post('/orders', { ...matching, filter: '?status=settled' }, { cookie })
  t.match(none.text, 'No order is selected.')
  const all = await console.post('/orders', { ...matching, filter: '' }, { cookie })
  t.match(all.text, /<dt>Count<\/dt><dd>1<\/dd>/)
  t.match(all.text, /approved<\/span><\/td>.*?>1,001<.*?The order is approved\. Only submitted/s)
})

t.test('orders are settled after the orders on which they depend', async (t) => {
  const market = await createMarket({ entryFee: euro('15') })
  const console = await openConsole({}, origin, market)
  const dependency = await placeAccepted(market)
  const resting = await placeAccepted(market)
  const shown = runOperation(market.world.service, 'purchase.show', { share_purchase_id: resting })
  t.strictSame(((await shown) as { rests_on: unknown }).rests_on, [dependency])
  const { cookie, csrf } = await signIn(console)
  const decide = (decision: string) =>
    postAndFollow(
      console,
      '/orders',
      [
        ...Object.entries({ csrf, decision, confirmed: 'yes' }),
        ...[resting, dependency].map((id): [string, string] => ['id', id]),
      ],
      { cookie },
    )
  await decide('approve')
  const alone = await console.post('/orders', { csrf, decision: 'settle', id: resting }, { cookie })
  t.match(alone.text, /depends on an order that must be settled first:.*?href="\/orders\//s)
  t.notMatch(alone.text, 'name="confirmed"')
  t.match((await decide('settle')).text, /Settled: 2 \(€/)
})

t.test(
  'a page shows decisions that were only proposed, or that failed because of the disk',
  async (t) => {
    const disk = new FaultyDisk()
    const store = await openStore(t, { directory: temporaryDirectory(t), openFile: disk.openFile })
    const settings = { environment: 'production', fourEyes: ['settled'] } as const
    const console = await openConsole({ store, settings })
    const ids = [await placeAccepted(console.market), await placeAccepted(console.market)]
    const { cookie, csrf } = await signIn(console)
    const decide = async (decision: string) => {
      const form = Object.entries({ csrf, decision, reason: 'Withdrawn.', confirmed: 'yes' })
      const chosen = ids.map((id) => ['id', id] as const)
      return (await postAndFollow(console, '/orders', [...form, ...chosen], { cookie })).text
    }
    t.match(await decide('approve'), 'Approved: 2')
    t.match(
      await decide('settle'),
      /role="status">\s*<p>Proposed: 2\. Another operator must confirm/,
    )
    const { text } = await console.get(`/orders/${ids[0]}`, { cookie })
    t.match(
      text,
      /name="input\.proposed_at" value="\d{4}-/,
      'the decision on the page is confirmed',
    )
    const form = { csrf, back: '/', confirmed: 'yes', 'input.share_purchase_id': ids[0] ?? '' }
    const again = await console.post('/actions/purchase.settle', form, { cookie })
    const followed = await console.get(again.headers.get('location') ?? '', { cookie })
    t.match(followed.text, 'Proposed: Settle. Another operator must confirm it.')
    const filtered = (await console.get('/orders?proposed=true', { cookie })).text
    t.match(filtered, 'purchase list --proposed --json')
    for (const id of ids) t.match(filtered, `href="/orders/${id}"`)
    const none = await console.get('/orders?proposed=true&status=submitted', { cookie })
    t.notMatch(none.text, `href="/orders/`)
    disk.failAt('append', 'ENOSPC')
    t.match(
      await decide('reject'),
      /Not decided: 2\..*The store accepts no writes at the moment\. Try again later\./s,
    )
  },
)

/** Returns the orders on the first three pages of a list. */
async function followPages(console: Console, list: string, cookie: string) {
  const found: string[] = []
  let path = list
  for (let page = 0; page < 3; page += 1) {
    const { text } = await console.get(path, { cookie })
    found.push(...[...text.matchAll(/href="\/orders\/([^"]+)"><code>/g)].map(([, id = '']) => id))
    path = (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
  }
  return found
}

t.test('pages stay short even if there are many partners', async (t) => {
  const console = await openConsole()
  const { service, partner } = console.market.world
  const { cookie } = await signIn(console)
  t.match((await console.get('/orders', { cookie })).text, '<select name="organization">')
  await service.store.write(anything, async ({ organizations }) => {
    const one = await organizations.get(partner.organizationId)
    for (let number = 0; one && number < 120; number += 1) {
      await organizations.put({ ...one, organizationId: randomUUID(), name: `Bank ${number}` })
    }
  })
  for (const path of ['/', '/orders', '/events', '/investors', '/audit', '/partners']) {
    const { text } = await console.get(path, { cookie })
    t.ok((text.match(/Bank \d+/g) ?? []).length <= 50, path)
  }
  t.match((await console.get('/orders', { cookie })).text, '<input name="organization"')
  const last = (await console.get('/partners?page=3', { cookie })).text
  t.match(last, 'Bank 119')
})

/** Finds the hidden fields of a form. */
function hiddenIn(text: string): Readonly<Record<string, string>> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
  )
}

for (const environment of ['staging', 'production'] as const) {
  t.test(
    `every page and button in ${environment} shows an existing command and its inputs`,
    async (t) => {
      const console = await openConsole({ settings: { environment } })
      const { market } = console
      const { service, partner } = market.world
      const id = await placeAccepted(market)
      const webhook = { organization: partner.organizationId, url: 'https://127.0.0.1:9/hook' }
      if (environment === 'staging') await runOperation(service, 'webhook.register', webhook)
      await runOperation(service, 'operator.create', { name: 'Ada', role: 'viewer' })
      const { cookie, csrf } = await signIn(console)
      const [event] = (await runOperation(service, 'event.list', {})) as { event_id: string }[]
      const paths = [
        '/',
        '/orders',
        `/orders/${id}`,
        '/investors',
        `/investors/${market.investorId}`,
      ]
      paths.push(
        '/partners',
        `/partners/${partner.organizationId}`,
        '/catalogue',
        '/live',
        '/audit',
      )
      paths.push(`/catalogue/${market.cooperative.id}`, '/system', '/find?text=nobody', '/events')
      paths.push(`/events/${event?.event_id}`)
      const pages = await Promise.all(
        paths.map(async (path) => [path, (await console.get(path, { cookie })).text] as const),
      )
      const erase = { csrf, 'input.investor_id': market.investorId, command: 'investor erase x' }
      const asked = await console.post('/actions/investor.erase', erase, { cookie })
      const bulk = { csrf, decision: 'approve', matching: 'yes' }
      const previews = [{}, { filter: '?since=2020-01-01T00:00:00Z' }].map(async (filter) => {
        return (await console.post('/orders', { ...bulk, ...filter }, { cookie })).text
      })
      pages.push(
        ['confirmation', asked.text],
        ['preview', (await previews[0]) ?? ''],
        ['list', (await previews[1]) ?? ''],
      )
      const commands = await readCommands()
      for (const [path, text] of pages) {
        const shown = [...text.matchAll(/<code>(coopshare .*?)<\/code>/g)].map(
          ([, line = '']) => line,
        )
        t.ok(shown.length > 0, path)
        for (const line of shown.flatMap((each) => textIn(each).split(' | '))) {
          t.equal(faultOf(line, commands), undefined, `${path}: ${line}`)
          const isMarked = line.includes(' --environment production')
          const isOfPartner = line.startsWith('coopshare webhook certify ')
          t.equal(isMarked, environment === 'production' && !isOfPartner, line)
        }
        const forms = text.match(/<form method="post" action="\/actions\/.*?<\/form>/gs) ?? []
        for (const form of forms) {
          t.match(form, '<code>coopshare ', path)
          const [, operation = ''] = /action="\/actions\/(.*?)"/.exec(form) ?? []
          t.notMatch(form, `>${operation}</button>`, 'a button has a text')
          const { properties = {} } = schemaOfShape(inputShapeOf(operation as OperationName))
          for (const [, field = ''] of form.matchAll(/ name="input\.(.*?)"/g)) {
            t.ok(Object.hasOwn(properties, field), `${operation} has an input ${field}`)
          }
        }
      }
    },
  )
}

interface Command {
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly allowNo?: boolean }>>
  readonly args: Readonly<Record<string, { readonly required?: boolean }>>
}

async function readCommands(): Promise<ReadonlyMap<string, Command>> {
  const { commands } = JSON.parse(await readFile('oclif.manifest.json', 'utf8'))
  return new Map(Object.entries<Command>(commands))
}

/** Returns what is wrong with a command line, or undefined if nothing is. */
function faultOf(line: string, commands: ReadonlyMap<string, Command>): string | undefined {
  const [, ...words] = line.match(/'[^']*'|\S+/g) ?? []
  const length = commands.has(words.slice(0, 2).join(':')) ? 2 : 1
  const found = commands.get(words.slice(0, length).join(':'))
  if (!found) return 'There is no such command.'
  const known = Object.entries(found.flags).flatMap(([name, { char, allowNo }]) => [
    `--${name}`,
    ...(char ? [`-${char}`] : []),
    ...(allowNo ? [`--no-${name}`] : []),
  ])
  const rest = words.slice(length)
  const end = rest.indexOf('--')
  const unknown = (end < 0 ? rest : rest.slice(0, end)).find(
    (word) => /^-./.test(word) && !known.includes(word),
  )
  if (unknown) return `It has no flag ${unknown}.`
  const needed = Object.values(found.args).filter(({ required }) => required).length
  return rest.length < needed ? 'An argument is missing.' : undefined
}

function textIn(text: string): string {
  return text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
