import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import {
  type Form,
  openConsole,
  consoleOrigin as origin,
  signIn,
} from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { createWebhookMarket, decide } from '../../fixtures/world/webhook-market.ts'
import { operationsWithResultPage } from '../../src/http/console/actions.ts'
import { deeds, sentences } from '../../src/http/console/audit-texts.ts'
import { germanMessages, germanTitles } from '../../src/http/console/german-messages.ts'
import { messageText } from '../../src/http/console/messages.ts'
import { isTextName, texts } from '../../src/http/console/texts.ts'
import {
  describeOperation,
  type OperationName,
  operationNames,
  runOperation,
} from '../../src/operations/operations.ts'
import { definitionsOf } from '../../src/wire/view.ts'

/** Elements with code, with what others wrote, and the button that leads to the other language. */
const others = /^(?:code|kbd|bdi|pre|script|style|time|textarea)$/

const attributes =
  /\s(title|aria-label|placeholder|alt|data-head|data-heads|data-on|data-off)="([^"]*)"/g

interface Shown {
  /** What the console says. */
  readonly said: readonly string[]
  /** What is marked as written by others. */
  readonly foreign: readonly string[]
}

/** Divides a page into what the console says and what others wrote. */
function read(page: string): Shown {
  const [said, foreign]: [string[], string[]] = [[], []]
  const open: string[] = []
  const isVoid = /^(?:meta|link|input|img|br)$/
  for (const [, end, name = '', rest = '', text = ''] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>([^<]*)/g,
  )) {
    const isOther = others.test(name) || /\slang="en"/.test(rest)
    if (end) open.splice(open.lastIndexOf(name))
    else if (!isVoid.test(name)) open.push(isOther ? `${name}!` : name)
    const isForeign = open.some((each) => each.endsWith('!'))
    if (!isForeign && name !== 'time') {
      for (const [, name, value = ''] of rest.matchAll(attributes)) {
        said.push(...(name === 'data-heads' ? value.split('|') : [value]))
      }
    }
    if (text.trim() !== '') (isForeign ? foreign : said).push(text.trim())
  }
  return { said: said.map(readEntities), foreign: foreign.map(readEntities) }
}

function readEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function wordsOf(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}\p{N}_-]*/gu) ?? []
}

const german = [
  ...Object.values(texts).map(([, text]) => text),
  ...germanMessages.map(([, text]) => text),
  ...Object.values(germanTitles),
  ...Object.values(deeds).flatMap(({ de }) => de),
  ...Object.values(sentences).map(([, text]) => text),
]
const units = ['ms', 'MB', 'UTC', 'JSON', 'XLSX', 'EUR', 'node']
const relative = (['second', 'minute', 'hour', 'day'] as const).flatMap((unit) =>
  [1, 2].map((count) => new Intl.RelativeTimeFormat('de').format(-count, unit)),
)
/** Days and months as in German dates. */
const days = Array.from({ length: 366 }, (_, day) =>
  new Date(Date.UTC(2026, 0, 1 + day)).toLocaleDateString('de', { dateStyle: 'full' }),
).concat('Mo Di Mi Do Fr Sa So Jan Feb Mär Apr Mai Jun Jul Aug Sep Sept Okt Nov Dez')
const known = new Set(
  [
    ...german.map((text) => text.replaceAll(/\{\w+\}/g, ' ')),
    ...units,
    ...relative,
    ...days,
  ].flatMap(wordsOf),
)

/** Words of English that no name contains: with one of them, a text is a sentence of the service. */
const english =
  /\b(?:the|is|are|was|were|be|been|has|have|must|may|cannot|not|and|or|of|for|with|this|that|there|its|no)\b/i

/** What the data contains: names that stand in headings and in titles without a mark. */
function withoutNames(text: string, names: readonly string[]): string {
  // Codes of banks, before their meaning.
  const withoutCode = text.replace(/^[A-Z]{2}(?:\d\d|OR): /, '')
  return (
    names
      .reduce((rest, name) => rest.replaceAll(name, ' '), withoutCode)
      // The name of a button that copies something ends with it.
      .replace(/^((?:Befehl k|K)opieren): .*/s, '$1')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\bv?\d+\.\d+\.\d+\S*|coopshare|Europe\/Berlin/g, ' ')
  )
}

function findOthers(page: string, names: readonly string[]): string[] {
  const { said, foreign } = read(page)
  const strange = said.flatMap((text) =>
    wordsOf(withoutNames(text, names))
      .filter(
        (word) => !known.has(word) && !known.has(word.charAt(0).toLowerCase() + word.slice(1)),
      )
      .map((word) => `${word}: ${text}`),
  )
  const sentences = foreign.filter((text) => english.test(text) && / /.test(text))
  return [...strange, ...sentences.filter((text) => !/^coopshare /.test(text))]
}

/** A service with every state that a page may show. */
async function openVaried(t: Test) {
  const settings = { fourEyes: ['settled'] } as const
  const market = await createWebhookMarket(t, { settings })
  const { world, cooperative, investorId, receiver, dispatcher, webhookEndpointId } = market
  const { service, partner, clock } = world
  const run = (name: OperationName, input: object) => runOperation(service, name, input as never)
  const place = () => placeAccepted(market)
  const [submitted, proposed, rejected] = [await place(), await place(), await place()]
  const [pending, ...collected] = [await place(), await place(), await place()]
  await dispatcher.dispatchDue()
  receiver.answer = answerWith(503)
  await decide(market, proposed, 'approved')
  await decide(market, rejected, 'rejected')
  await run('purchase.settle', { share_purchase_id: proposed })
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await dispatcher.dispatchDue()
    clock.advance(24 * 3600)
  }
  await run('operator.create', { name: 'Ada', role: 'viewer' })
  const money = await collectAndReturn(run, cooperative.id, collected)
  await decide(market, pending, 'approved')
  await dispatcher.dispatchDue()
  const console = await openConsole({ settings }, origin, market)
  const events = (await run('event.list', {})) as readonly { readonly event_id: string }[]
  return {
    console,
    orders: { submitted, proposed, rejected, pending },
    events,
    organization: partner.organizationId,
    cooperative,
    investorId,
    webhookEndpointId,
    money,
    names: [
      ...[cooperative.name, receiver.url, 'Ada', 'local', 'Demo Bank', 'Nordlicht Versicherung'],
      ...['Frieda Sonnenschein', 'nobody', 'DE02100500000054540403', cooperative.key],
      ...['bank.xml', money.dueDate],
    ],
  }
}

type Run = (name: OperationName, input: object) => Promise<unknown>

/** One order is paid, and the payment of the other comes back. A statement has an entry that nobody knows. */
async function collectAndReturn(run: Run, cooperative: string, orders: readonly string[]) {
  const creditor = { name: 'Solar eG', creditor_id: 'DE98ZZZ09999999999' }
  const iban = 'DE02120300000000202051'
  await run('cooperative.set_creditor', { cooperative, ...creditor, iban })
  for (const share_purchase_id of orders) await run('purchase.approve', { share_purchase_id })
  const { collections } = (await run('collection.create', {})) as {
    readonly collections: readonly { readonly collection_id: string; readonly due_date: string }[]
  }
  const [collection] = collections
  if (!collection) throw new Error('Nothing was collected.')
  const { collection_id, due_date: dueDate } = collection
  await run('collection.export', { collection_id })
  const returns = [{ share_purchase_id: orders[0], code: 'AC04' }]
  const { file } = (await run('statement.simulate', { collection_id, returns })) as {
    readonly file: string
  }
  const text = file.replaceAll('AC04', 'AM04')
  const [statement] = (await run('statement.import', { name: 'bank.xml', text })) as readonly {
    readonly statement_id: string
  }[]
  return { collection: collection_id, statement: statement?.statement_id ?? '', orders, dueDate }
}

t.test('a German page has German words only', async (t) => {
  const varied = await openVaried(t)
  const { console, orders, events, organization, cooperative, investorId } = varied
  const { names, webhookEndpointId, money } = varied
  const { cookie, csrf } = await signIn(console)
  const headers = { cookie, 'accept-language': 'de' }
  const look = (title: string, text: string) => {
    t.match(text, '<html lang="de">', title)
    t.strictSame(findOthers(text, names), [], title)
  }
  const get = async (path: string) => look(path, (await console.get(path, headers)).text)
  const post = async (path: string, form: Form) => {
    const sent = Array.isArray(form) ? form : Object.entries(form)
    const { text } = await console.post(path, [['csrf', csrf], ...sent], headers)
    if (text !== '') look(`POST ${path} ${JSON.stringify(form)}`, text)
  }

  const statuses = ['draft', 'submitted', 'approved', 'settled', 'rejected', 'cancelled']
  const states = ['none', 'pending', 'delivered', 'dead']
  const paths = [
    ...['/', '/orders', '/orders/sums', '/investors', '/partners', '/catalogue', '/events'],
    ...['/live', '/audit', '/system', '/no-such-page', '/%E0', '/find?text=nobody', '/find?text=-'],
    ...['/find?text=Sonnenschein', '/find?text=DE02100500000054540403', '/orders?status=strange'],
    ...statuses.map((status) => `/orders?status=${status}`),
    ...states.map((state) => `/events?state=${state}`),
    ...Object.values(orders).map((id) => `/orders/${id}`),
    ...events.map(({ event_id }) => `/events/${event_id}`),
    ...[`/investors/${investorId}`, `/partners/${organization}`, `/catalogue/${cooperative.id}`],
    ...['orders', 'investors', 'partners', 'catalogue', 'events'].map((noun) => `/${noun}/none`),
    ...['/payments', '/payments?state=cancelled', '/statements', '/payment-report?show=yes'],
    ...[`/payments/${money.collection}`, `/statements/${money.statement}`],
    ...money.orders.map((id) => `/orders/${id}`),
    ...['/orders?payment_state=returned', '/payments/none', '/statements/none'],
    ...['/audit?refused=true', '/?done=purchase.approve', '/?onlyProposed=purchase.settle'],
  ]
  for (const path of paths) await get(path)

  await t.test('after a form', async () => {
    const all = Object.values(orders).map((id) => ['id', id] as const)
    for (const decision of ['approve', 'settle', 'reject', '']) {
      await post('/orders', [['decision', decision], ...all])
      await post('/orders', [
        ['decision', decision],
        ['matching', 'yes'],
      ])
    }
    await post('/orders', [['decision', 'settle'], ['confirmed', 'yes'], ...all])
    await post('/orders', { decision: 'approve', id: '123' })
    await post('/catalogue', {})
    await post('/statements', {})
    await post('/payments', {})
    await post('/payments', { 'input.due': '2020-01-01' })
    await post('/payments', { 'input.cooperative': 'none' })
    await post('/pictures', {})
    const subject = {
      'input.organization': organization,
      'input.webhook_endpoint_id': webhookEndpointId,
      'input.cooperative': cooperative.id,
      'input.investor_id': investorId,
      'input.share_purchase_id': orders.submitted,
      'input.event_id': events[0]?.event_id ?? '',
      'input.name': 'Ada',
    }
    for (const name of operationNames) {
      await post(`/actions/${name}`, { back: '/' })
      await post(`/actions/${name}`, { back: '/', ...subject })
    }
    const back = `/partners/${organization}`
    const endpoint = { back, 'input.webhook_endpoint_id': webhookEndpointId }
    await post('/actions/webhook.doctor', endpoint)
    await post('/actions/webhook.test', endpoint)
    await post('/actions/webhook.rotate_secret', endpoint)
    await post('/actions/webhook.pause', endpoint)
    await post('/actions/webhook.doctor', endpoint)
    await post('/actions/client.create', { back, 'input.organization': organization })
    await post('/actions/event.replay', { 'input.dead': 'true', 'input.dry_run': 'true' })
    await post('/actions/event.purge', { 'input.before': '2020-01-01T00:00:00Z' })
    await post('/actions/organization.delete', { back, 'input.organization': organization })
    await post('/actions/investor.erase', { back, 'input.investor_id': investorId })
    await post('/actions/operator.create', { back, 'input.name': '-', 'input.role': 'boss' })
    const price = { 'input.cooperative': cooperative.id, 'input.share_price': '9999.00' }
    await post('/actions/cooperative.set_price', price)
    for (const path of [back, `/orders/${orders.submitted}`, '/', '/audit']) await get(path)
  })

  await t.test('without a session', async () => {
    const page = await console.get('/orders', { 'accept-language': 'de' })
    look('sign in', page.text)
    const german = { 'accept-language': 'de' }
    look('a wrong token', (await console.post('/sign-in', { token: 'x' }, german)).text)
    const elsewhere = { ...german, origin: 'https://example.org', 'sec-fetch-site': 'cross-site' }
    look('another site', (await console.post('/sign-in', { token: 'x' }, elsewhere)).text)
  })
})

/** Words that are German, too. */
const alike = [
  ...['Bank', 'Bytes', 'Client', 'Clients', 'Code', 'Format', 'Journal', 'Live', 'Name'],
  ...[
    'Operation',
    'Operator',
    'Partner',
    'Person',
    'Position',
    'PostgreSQL',
    'Status',
    'System',
    'Version',
  ],
  ...['Webhook', 'Website'],
]

t.test('no id and no name in a message is translated, even if it is the word of a state', (t) => {
  const say = (text: string) => messageText({ language: 'de' }, text)
  // cspell:disable
  t.equal(
    say('No share purchase has the id none. "coopshare purchase list" lists all share purchases.'),
    'Kein Auftrag hat die ID none. „coopshare purchase list“ zeigt alle Aufträge.',
  )
  t.equal(
    say('There is no operator "active". `coopshare operator list` lists all operators.'),
    'Es gibt keinen Operator „active“. „coopshare operator list“ zeigt alle Operatoren.',
  )
  // cspell:enable
  t.end()
})

t.test('no German text is the English one', async (t) => {
  const same = Object.values<readonly [string, string]>(texts).flatMap(([english, german]) =>
    english === german && /[a-z]{2}/.test(german.replaceAll(/\{\w+\}/g, '')) ? [german] : [],
  )
  t.strictSame([...new Set(same)].sort(), alike)
})

t.test('what an operation answers has words on its page', async (t) => {
  for (const name of operationsWithResultPage) {
    const objects = Object.values(definitionsOf(describeOperation(name).answer.views))
    const keys = objects.flatMap(({ properties = {} }) => Object.keys(properties))
    const words = (key: string) => [key, key.replace(/_(?:id|at)$/, '')]
    const without = keys.filter((key) => !words(key).some(isTextName))
    t.strictSame(without, [], name)
  }
})

/** Partners get these refusals, or somebody who starts a service; the console never does. */
const notInConsole =
  /\/(?:bench|fixtures|store)\/|place-share-purchase|provision-investor|authenticate-token|idempotency-keys|image\.ts|domain\/cooperatives\/catalogue/

/** What may stand for a part that varies. */
function sampleOf(part: ts.Expression): string {
  const isChoice = ts.isConditionalExpression(part) && ts.isStringLiteralLike(part.whenTrue)
  return isChoice && ts.isStringLiteralLike(part.whenTrue) ? part.whenTrue.text : '1'
}

/** The refusals in a file, with 1 for each part that varies. */
function refusalsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const isRefusal = ts.isNewExpression(node) && node.expression.getText() === 'Problem'
    const detail = isRefusal ? node.arguments?.[1] : undefined
    if (detail && ts.isStringLiteralLike(detail)) found.push(detail.text)
    if (detail && ts.isTemplateExpression(detail)) {
      const rest = detail.templateSpans.map((span) => sampleOf(span.expression) + span.literal.text)
      found.push(detail.head.text + rest.join(''))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

t.test('every refusal that the console may show is known in German', async (t) => {
  const root = join(import.meta.dirname, '..', '..', 'src')
  const folders = ['domain', 'operations', 'usecases', 'http/console']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(root, folder, name)),
  )
  const refusals = files.filter((file) => !notInConsole.test(file)).flatMap(refusalsIn)
  t.ok(refusals.length > 50)
  t.strictSame(
    refusals.filter((text) => /[a-z]/.test(text) && messageText({ language: 'de' }, text) === text),
    [],
  )
})
