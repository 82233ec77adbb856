import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { openConsole, consoleOrigin as origin, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'
import { runOperation } from '../../src/operations/operations.ts'

t.test(
  'the page Today names a receiver that refuses events before any of them is dead',
  async (t) => {
    const market = await createWebhookMarket(t)
    const console = await openConsole({}, origin, market)
    const { cookie } = await signIn(console)
    const show = async (path: string) => (await console.get(path, { cookie })).text
    await placeAccepted(market)
    t.match(await show('/'), 'Every receiver gets its events.', 'nothing was attempted yet')
    market.receiver.answer = answerWith(503)
    await market.dispatcher.dispatchDue()
    const today = await show('/')
    t.notMatch(today, 'Every receiver gets its events.')
    t.match(today, 'The receiver answered 503.')
    t.match(today, market.receiver.url)
    const partner = await show(`/partners/${market.world.partner.organizationId}`)
    t.match(partner, 'The receiver answered 503.')
  },
)

t.test('a form that is sent twice acts only once', async (t) => {
  const console = await openConsole()
  const { service, partner } = console.market.world
  const back = `/partners/${partner.organizationId}`
  const { cookie } = await signIn(console)
  const list = async () =>
    ((await runOperation(service, 'client.list', {})) as readonly unknown[]).length
  const { text } = await console.get(back, { cookie })
  const form = fieldsOf(text, '/actions/client.create')
  const send = (more = {}) =>
    console.post('/actions/client.create', { ...form, ...more }, { cookie })
  const before = await list()
  const refused = await send({ 'input.name': 'x'.repeat(300) })
  t.equal(refused.status, 422, 'a refused form may be sent again')
  const [first, second] = await Promise.all([send(), send()])
  t.match(first.text, 'The secret is shown only now.')
  t.equal(second.text, first.text, 'a second click gets the same answer')
  t.equal(await list(), before + 1)
  const another = fieldsOf((await console.get(back, { cookie })).text, '/actions/client.create')
  await send(another)
  t.equal(await list(), before + 2, 'the same form of another page counts as another form')
})

t.test('a page that appears after a form has a link back, in both languages', async (t) => {
  const console = await openConsole()
  const { cookie, csrf } = await signIn(console)
  const back = `/partners/${console.market.world.partner.organizationId}`
  const form = { csrf, back, 'input.organization': 'Nobody', 'input.url': 'https://192.0.2.1/' }
  const refused = await console.post('/actions/webhook.register', form, { cookie })
  t.equal(refused.status, 404)
  t.match(refused.text, `<a href="${back}">Back</a>`)
  t.match(refused.text, `name="to" value="de"><input type="hidden" name="back" value="${back}"`)
  const opened = await console.get('/actions/webhook.register', { cookie })
  t.equal(opened.headers.get('location'), '/', 'the address of a form leads to a page')
  for (const path of ['/nothing', '/language', '/operations/purchase.list']) {
    const browser = { accept: 'text/html' }
    const found = await console.get(path, { cookie, ...browser })
    t.equal(found.status, 404)
    t.match(found.text, /<a href="\/orders".*<h1>Not found</s, 'the navigation has links')
    const out = await console.get(path, browser)
    t.equal(out.status, 401)
    t.match(out.text, '<h1>Sign in</h1>')
  }
  const none = { csrf, decision: 'approve', filter: '?status=submitted' }
  const unselected = await console.post('/orders', none, { cookie })
  t.match(unselected.text, '<a href="/orders?status=submitted">Back</a>')
})

t.test('a confirmation says what will happen', async (t) => {
  const console = await openConsole({ settings: { environment: 'production' } })
  const { market } = console
  const { service } = market.world
  const id = await placeAccepted(market)
  const { cookie, csrf } = await signIn(console)
  const ask = async (operation: string, input: Record<string, string>) =>
    (await console.post(`/actions/${operation}`, { csrf, back: '/', ...input }, { cookie })).text
  const person = { investor_id: market.investorId }
  const { name } = (await runOperation(service, 'investor.show', person)) as { name: string }
  const erase = await ask('investor.erase', { 'input.investor_id': market.investorId })
  t.match(erase, '<h1>Erase: are you sure?</h1>')
  t.match(erase, `<dt>Person</dt><dd><bdi>${name}</bdi></dd>`)
  const input = { 'input.share_purchase_id': id, 'input.reason': 'No.' }
  const reject = await ask('purchase.reject', input)
  t.match(reject, '<h1>Reject: are you sure?</h1>')
  t.match(reject, `<dt>Investor</dt><dd><bdi>${name}</bdi></dd>`)
  t.match(reject, /<dt>Total<\/dt><dd>€[\d,.]+<\/dd>\s*<dt>Reason<\/dt><dd><bdi>No\.<\/bdi>/)
  const client = await runOperation(service, 'client.create', {
    organization: market.world.partner.organizationId,
    name: 'shop',
  })
  const { client_id, secret_id } = client as { client_id: string; secret_id: string }
  const secret = { 'input.client_id': client_id, 'input.secret_id': secret_id }
  const revoke = await ask('client.revoke_secret', secret)
  t.match(revoke, /<dt>Client<\/dt><dd><bdi>shop<\/bdi>.*<dt>Last use<\/dt><dd>never<\/dd>/s)
  const purge = await ask('event.purge', { 'input.before': '2020-01-01T00:00:00.000Z' })
  t.match(
    purge,
    /Events to remove: 0, with 0 deliveries.*<dt>Before<\/dt><dd><time datetime="2020-/s,
  )
  t.match(await ask('store.rekey', {}), 'older backups need the previous key')
})

t.test('scopes are changed and a token is issued where the client is shown', async (t) => {
  const console = await openConsole()
  const { partner } = console.market.world
  const { cookie } = await signIn(console)
  const back = `/partners/${partner.organizationId}`
  const show = async () => (await console.get(back, { cookie })).text
  const action = '/actions/client.set_scopes'
  const scopes = { ...fieldsOf(await show(), action), 'input.scopes': 'projects:read' }
  t.equal((await console.post(action, scopes, { cookie })).status, 303)
  t.match(await show(), '<dt>Scopes</dt><dd><code>projects:read</code> </dd>')
  const form = fieldsOf(await show(), '/actions/token.issue')
  const { text } = await console.post('/actions/token.issue', form, { cookie })
  t.match(text, /<span class="secret"><span class="copyable"><code>[\w-]+\.[\w-]+\.[\w-]+</)
})

t.test('a secret is at the top of its page', async (t) => {
  const console = await openConsole()
  const { cookie, csrf } = await signIn(console)
  const form = { csrf, back: '/system', 'input.name': 'maria', 'input.role': 'viewer' }
  const { text } = await console.post('/actions/operator.create', form, { cookie })
  t.match(text, '<h1>New operator</h1>')
  t.ok(text.indexOf('class="secret"') < text.indexOf('<dl>'), 'before all details')
  t.match(text, '<dt>Name</dt><dd><bdi>maria</bdi></dd>')
})

t.test(
  'states are in German on a German page, and an order names the person who has decided it',
  async (t) => {
    const console = await openConsole()
    const id = await placeAccepted(console.market)
    const { cookie, csrf } = await signIn(console)
    const form = { csrf, back: `/orders/${id}`, 'input.share_purchase_id': id }
    const decide = async (operation: string) =>
      console.post(`/actions/${operation}`, form, { cookie, 'accept-language': 'de' })
    const done = await decide('purchase.approve')
    const shown = await console.get(done.headers.get('location') ?? '', {
      cookie,
      'accept-language': 'de',
    })
    t.match(shown.text, 'Erledigt: Freigeben.')
    t.match(shown.text, /<dt>Status<\/dt><dd><span class="state good">freigegeben</)
    t.match(shown.text, '>freigegeben</span> <bdi>von local</bdi>')
    t.match(shown.text, '>Entscheidung</h2>')
    await decide('purchase.settle')
    const { text } = await console.get(`/orders/${id}`, { cookie })
    t.notMatch(text, '>Decision</h2>', 'no decision is left')
    t.match(text, '<dt>Entry fee</dt>')
  },
)

t.test('every page names the environment', async (t) => {
  for (const environment of ['staging', 'production'] as const) {
    const console = await openConsole({ settings: { environment } })
    const badge = `<span class="environment ${environment}">${environment}</span>`
    t.match((await console.get('/')).text, badge, 'before the sign-in')
    const { cookie } = await signIn(console)
    t.match((await console.get('/orders', { cookie })).text, badge)
  }
})

t.test(
  'in production the console asks before a new signing secret without an overlap',
  async (t) => {
    const console = await openConsole({ settings: { environment: 'production' } })
    const { cookie, csrf } = await signIn(console)
    const form = { csrf, back: '/', 'input.webhook_endpoint_id': 'none' }
    const rotate = async (overlap: string) => {
      const sent = { ...form, 'input.overlap': overlap }
      return (await console.post('/actions/webhook.rotate_secret', sent, { cookie })).text
    }
    t.match(await rotate(''), 'The service stops signing with the old secret immediately.')
    t.match(
      await rotate('1h'),
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'with an overlap the console does not ask',
    )
  },
)

t.test(
  'suggestions come without a text in an address, and leave no entry in the audit',
  async (t) => {
    const console = await openConsole()
    const { market } = console
    const order = await placeAccepted(market)
    const { cookie, csrf } = await signIn(console)
    const ask = (text: string, sent = csrf) =>
      console.post('/suggestions', { csrf: sent, text }, { cookie, accept: 'text/html' })
    const countEntries = async () =>
      (await console.get('/audit', { cookie })).text.split('<tr>').length
    const entries = await countEntries()
    const person = await ask('fri')
    t.equal(person.headers.get('cache-control'), 'no-store')
    t.match(person.text, `href="/investors/${market.investorId}"`)
    t.match(person.text, 'href="/find?text=fri"')
    t.match((await ask(market.cooperative.name)).text, `href="/catalogue/${market.cooperative.id}"`)
    t.match((await ask(order.slice(-8))).text, `href="/orders/${order}"`)
    t.equal((await ask('nobody')).text, '')
    t.notMatch((await ask('<b>fri')).text, '<b>')
    t.equal((await console.get('/suggestions?text=fri', { cookie })).status, 404)
    t.equal(await countEntries(), entries)
    t.equal((await ask('fri', 'another')).status, 403)
    const page = await console.get('/find?text=fri', { cookie })
    t.match(page.text, `href="/investors/${market.investorId}"`)
    const partner = await console.get(`/find?text=${market.world.partner.organizationId}`, {
      cookie,
    })
    t.match(partner.text, `href="/partners/${market.world.partner.organizationId}"`)
  },
)

t.test('a search without a result gives a hint', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  const find = async (text: string) =>
    (await console.get(`/find?text=${encodeURIComponent(text)}`, { cookie })).text
  t.match(await find('DE12 5001 0517 0648 4898 91'), 'This is not a valid IBAN')
  const name = await find('Must')
  t.match(name, 'The first three letters of each word')
  t.notMatch(name, 'This is not a valid IBAN')
  t.match(name, /<input id="search"[^>]* required pattern="\.\*\\S\.\*"/, 'no empty search')
  t.match(await find(' '), 'The first three letters of each word', 'but a page at this address')
})

t.test(
  'the page Today and the audit show the actions of operators, and the audit can be saved',
  async (t) => {
    const console = await openConsole()
    const id = await placeAccepted(console.market)
    const { cookie, csrf } = await signIn(console)
    const form = { csrf, back: '/', 'input.share_purchase_id': id }
    await console.post('/actions/purchase.approve', form, { cookie })
    const today = await console.get('/', { cookie })
    t.match(today.text, '<code>purchase.approve</code>')
    t.notMatch(
      today.text,
      '<code>placeSharePurchase</code>',
      'requests of partners are in the audit',
    )
    const all = await console.get('/audit', { cookie })
    t.match(all.text, '<code>placeSharePurchase</code>')
    t.notMatch(all.text, 'updated at', 'a changed record is not listed')
    const later = await console.get('/audit?since=2099-01-01', { cookie })
    t.notMatch(later.text, '<code>placeSharePurchase</code>')
    t.match(later.text, 'coopshare audit list --since 2099-01-01T00:00:00+01:00')
    const refused = await console.get('/audit?refused=true&actor=operator', { cookie })
    t.notMatch(refused.text, '<code>purchase.approve</code>')
    t.match(refused.text, 'coopshare audit list --actor operator --refused')
    // PostgreSQL exports an entry only after all earlier transactions on its server have ended.
    await until(t, async () => {
      const { text } = await console.post('/audit.ndjson', { csrf }, { cookie })
      const entries = text.trimEnd().split('\n')
      return entries.some((line) => JSON.parse(line).operation === 'purchase.approve')
    })
  },
)

/** Finds the hidden fields of the form with this action. */
function fieldsOf(text: string, action: string): Readonly<Record<string, string>> {
  const form = text.slice(text.indexOf(`action="${action}"`)).split('</form>')[0] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}
