import t from 'tap'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import { openConsole, consoleOrigin as origin, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'
import { runOperation } from '../../src/operations/operations.ts'

t.test('Today names a receiver that refuses its events before any of them is dead', async (t) => {
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
})

t.test('a form that is sent again does nothing a second time', async (t) => {
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
  t.equal(await list(), before + 2, 'a form of another page is another one')
})

t.test('a page that a form made leads back, in either language', async (t) => {
  const console = await openConsole()
  const { cookie, csrf } = await signIn(console)
  const back = `/partners/${console.market.world.partner.organizationId}`
  const form = { csrf, back, 'input.organization': 'Nobody', 'input.url': 'https://192.0.2.1/' }
  const refused = await console.post('/actions/webhook.register', form, { cookie })
  t.equal(refused.status, 404)
  t.match(refused.text, `<a href="${back}">Back</a>`)
  t.match(refused.text, `name="to" value="de"><input type="hidden" name="back" value="${back}"`)
  const opened = await console.get('/actions/webhook.register', { cookie })
  t.equal(opened.headers.get('location'), '/', 'the address of a form is no dead end')
  const none = { csrf, decision: 'approve', filter: '?status=submitted' }
  const unselected = await console.post('/orders', none, { cookie })
  t.match(unselected.text, '<a href="/orders?status=submitted">Back</a>')
})

/** The hidden fields of the form with this action. */
function fieldsOf(text: string, action: string): Readonly<Record<string, string>> {
  const form = text.slice(text.indexOf(`action="${action}"`)).split('</form>')[0] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}
