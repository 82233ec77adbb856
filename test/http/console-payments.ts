import t from 'tap'
import { openConsole, postAndFollow, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import type { WorldOptions } from '../../fixtures/world/world.ts'
import { returnReasons } from '../../src/domain/payments/payment.ts'
import { moneyTexts } from '../../src/http/console/money-texts.ts'
import { isTextName } from '../../src/http/console/texts.ts'
import { runOperation } from '../../src/operations/operations.ts'

const creditor = {
  'input.name': 'Solar eG',
  'input.creditor_id': 'DE98ZZZ09999999999',
  'input.iban': 'DE02120300000000202051',
}

/** A console and approved orders of a cooperative that has a creditor. */
async function openMoney(count: number, options: WorldOptions = {}) {
  const console = await openConsole(options)
  const { market } = console
  const { service } = market.world
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const share_purchase_id = await placeAccepted(market)
    await runOperation(service, 'purchase.approve', { share_purchase_id })
    ids.push(share_purchase_id)
  }
  const { cookie, csrf } = await signIn(console)
  const language = { 'accept-language': 'en' }
  const follow = (path: string, form: Record<string, string>) =>
    postAndFollow(console, path, { csrf, ...form }, { cookie, ...language })
  const open = async (path: string, given = 'en') =>
    (await console.get(path, { cookie, 'accept-language': given })).text
  const { id } = market.cooperative
  const back = `/catalogue/${id}`
  const set = await follow('/actions/cooperative.set_creditor', {
    back,
    'input.cooperative': id,
    ...creditor,
  })
  return { console, ids, cookie, csrf, follow, open, set }
}

function hidden(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** Collects everything that is due. @returns the address of the collection */
async function collect({ follow }: Pick<Awaited<ReturnType<typeof openMoney>>, 'follow'>) {
  const preview = await follow('/payments', {})
  const [once, expected] = [hidden(preview.text, 'once'), hidden(preview.text, 'expected')]
  const { place, text } = await follow('/payments', { once, expected, confirmed: 'yes' })
  return { preview, text, path: place.replace(/\?.*/, '') }
}

/** The words of a page that people read. */
function wordsOf(text: string): string {
  return text
    .replace(/<code.*?<\/code>/gs, ' ')
    .replace(/<script.*?<\/script>/gs, ' ')
    .replace(/<[^>]*>/g, '\n')
}

function englishOn(text: string): readonly string[] {
  const words = wordsOf(text)
  return Object.values(moneyTexts).flatMap(([english, german]) => {
    const shown = english.split(/\{\w+\}/).filter((part) => part.trim().length > 3)
    const isShown = shown.some((part) =>
      new RegExp(`(?:^|\n)\\s*${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*(?:\n|$)`).test(
        words,
      ),
    )
    const isGerman = Object.values(moneyTexts).some((each) => each[1] === english)
    return english !== german && !isGerman && isShown ? [english] : []
  })
}

t.test('from approved orders to a report that balances', async (t) => {
  const money = await openMoney(4)
  const { console, ids, open, follow, cookie, csrf } = money
  const [one = '', two = '', three = '', four = ''] = ids
  await t.test('a cooperative shows its creditor, and payments are due', async (t) => {
    t.match(money.set.text, '<dt>Creditor identifier</dt><dd><code>DE98ZZZ09999999999</code>')
    const payments = await open('/payments')
    t.match(payments, /<td data-head="Due" class="number">€[\d,.]+ <a href="[^"]+">\(4\)</)
    t.match(payments, 'There is no collection yet')
    t.match(payments, '<a href="/payments" aria-current="page">Payments</a>')
    const today = await open('/')
    t.match(today, /<strong>4<\/strong><span class="amount">€[^<]+<\/span><a href="\/payments">/)
    const order = await open(`/orders/${one}`)
    t.match(order, '<span class="state warn">due</span>')
    t.match(order, 'name="input.unpaid" value="true" required')
  })
  let path = ''
  await t.test('the preview collects nothing; its button collects once', async (t) => {
    const early = await follow('/payments', { 'input.due': '2020-01-01' })
    t.equal(early.status, 422)
    t.match(early.text, 'Possible is ')
    const { preview, ...collected } = await collect(money)
    t.match(preview.text, 'Preview: collect')
    t.match(preview.text, '<td data-head="Count" class="number">4</td>')
    t.match(await open('/payments'), '<td data-head="Count" class="number">4</td>')
    path = collected.path
    t.match(path, /^\/payments\/[\w-]{36}$/)
    t.match(collected.text, '<span class="state warn">created</span>')
    t.match(collected.text, '<dt>Direct debits</dt><dd>4</dd>')
    t.match(collected.text, '<dt>Notified by e-mail</dt><dd>4</dd>')
    const again = await follow('/payments', {})
    t.match(again.text, 'No payment can be collected')
    t.match(await open(`/orders/${one}`), 'cannot be rejected before the bank has answered')
  })
  await t.test('the file is a form, and the same each time', async (t) => {
    const download = () => console.post(`${path}/file`, { csrf }, { cookie })
    const [first, second] = [await download(), await download()]
    t.match(first.headers.get('content-disposition'), /^attachment; filename="[0-9a-f]{32}\.xml"$/)
    t.match(first.text, 'pain.008.001.08')
    t.equal(first.text, second.text)
    t.equal((await console.post(`${path}/file`, {}, { cookie })).status, 403, 'without the proof')
    t.equal((await console.get(`${path}/file`, { cookie })).status, 404)
    t.match(await open(path), '<span class="state warn">exported</span>')
  })
  await t.test('cancelling an exported collection asks first', async (t) => {
    const id = path.slice('/payments/'.length)
    const form = { back: path, 'input.collection_id': id, 'input.not_taken': 'true' }
    const { text } = await follow('/actions/collection.cancel', form)
    t.match(text, 'only if the bank has not taken the file')
    t.match(await open(path), '<span class="state warn">exported</span>')
  })
  await t.test('the simulated bank pays two and returns two', async (t) => {
    const form = { charges: '3,00', [`return.${two}`]: 'AM04', [`return.${three}`]: 'AC04' }
    const sent = { csrf, ...form, do: 'download' }
    const file = await console.post(`${path}/bank`, sent, { cookie })
    t.match(file.headers.get('content-disposition'), 'attachment; filename="camt053-')
    const upload = new FormData()
    upload.set('csrf', csrf)
    upload.set('file', new File([file.text], 'bank.xml', { type: 'application/xml' }))
    const preview = await console.post('/statements', upload, { cookie })
    t.match(preview.text, 'This is what would happen. Nothing was changed.')
    t.match(preview.text, '<td data-head="Returned" class="number">2</td>')
    t.match(await open('/statements'), 'No statement was imported yet')
    const [once, previewed] = [hidden(preview.text, 'once'), hidden(preview.text, 'previewed')]
    const imported = await follow('/statements', { once, previewed })
    t.match(imported.place, /^\/statements\/[\w-]{36}\?done=statement.import$/)
    t.match(imported.text, 'The account lacked the money.')
    const gone = await follow('/statements', { once: 'another', previewed })
    t.match(gone.text, 'This file is no longer kept')
    const broken = new FormData()
    broken.set('csrf', csrf)
    broken.set('file', new File(['<Document>'], 'broken.xml'))
    t.equal((await console.post('/statements', broken, { cookie })).status, 422)
  })
  await t.test('the page of an order says what came of its payment', async (t) => {
    t.match(await open(`/orders/${one}`), '<span class="state good">paid</span>')
    const returned = await open(`/orders/${two}`)
    t.match(returned, '<span class="state bad">returned</span>')
    t.match(returned, '<dt>Charges</dt><dd>€3.00</dd>')
    t.match(returned, 'action="/actions/payment.retry"')
    const closed = await open(`/orders/${three}`)
    t.match(closed, 'The account is closed.')
    t.match(closed, 'Ask the partner for a new mandate')
    t.notMatch(closed, 'action="/actions/payment.retry"', 'not with this code')
    const german = await open(`/orders/${three}`, 'de')
    t.match(german, 'Das Konto ist aufgelöst.')
    t.match(
      await open('/'),
      /<strong>2<\/strong>[^<]*<span[^>]*>[^<]*<\/span><a href="\/orders\?payment_state=returned">/,
    )
  })
  await t.test('orders are found by the state of their payment', async (t) => {
    const list = await open('/orders?payment_state=returned')
    t.match(list, '<span>1 to 2 of 2</span>')
    for (const id of [two, three]) t.match(list, `href="/orders/${id}"`)
    t.notMatch(list, `href="/orders/${one}"`)
    t.match(list, '--payment-state returned')
    t.match(await open('/orders?payment_state=due'), '<details class="more" open>')
  })
  await t.test('settling takes what is paid, and names the rest', async (t) => {
    const filter = '?status=approved'
    const all = { decision: 'settle', filter, matching: 'yes' }
    const preview = await follow('/orders', all)
    t.match(preview.text, '<dt>Count</dt><dd>2</dd>')
    t.match(preview.text, 'Its payment came back')
    const [once, expected, until] = ['once', 'expected', 'until'].map((name) =>
      hidden(preview.text, name),
    )
    const selected = await follow('/orders', { decision: 'settle', filter, id: two })
    t.match(selected.text, 'Its payment came back')
    const done = await follow('/orders', {
      ...all,
      confirmed: 'yes',
      once: `${once}`,
      expected: `${expected}`,
      until: `${until}`,
    })
    t.match(done.text, 'Settled: 2 (')
    t.notMatch(done.text, 'Not decided')
    t.match(await open(`/orders/${four}`), '<span class="state good">settled</span>')
  })
  await t.test('a returned payment is retried, recorded, or its order rejected', async (t) => {
    const retry = { back: `/orders/${two}`, 'input.share_purchase_id': two }
    const retried = await follow('/actions/payment.retry', retry)
    t.match(retried.text, '<span class="state warn">due</span>')
    const day = console.market.world.clock.now().slice(0, 10)
    const recorded = await follow('/actions/payment.record', { ...retry, 'input.paid_on': day })
    t.match(recorded.text, 'by transfer')
    const rejected = await follow('/actions/purchase.reject', {
      back: `/orders/${three}`,
      'input.share_purchase_id': three,
      'input.reason': 'closed',
    })
    t.match(rejected.text, '<span class="state bad">rejected</span>')
  })
  await t.test('the report reads statements only when asked', async (t) => {
    t.notMatch(await open('/payment-report'), 'data-head="Charges"')
    const report = await open('/payment-report?show=yes')
    t.match(report, '<td data-head="Charges" class="number">€6.00</td>')
  })
  await t.test('German pages have no English text', async (t) => {
    const paths = ['/payments', path, '/statements', '/payment-report?show=yes']
    for (const each of [
      ...paths,
      `/orders/${two}`,
      `/orders/${three}`,
      '/orders?payment_state=paid',
    ])
      t.strictSame(englishOn(await open(each, 'de')), [], each)
    t.ok(englishOn(await open('/payments')).length > 3, 'the check finds English')
  })
})

t.test('an entry that matches nothing is assigned to an order', async (t) => {
  const money = await openMoney(1)
  const { open, follow, console, csrf, cookie, ids } = money
  const [order = ''] = ids
  const { text: shown } = await console.get(`/orders/${order}`, { cookie })
  const amount = /<dt>Total<\/dt><dd>€([\d,.]+)/.exec(shown)?.[1]?.replaceAll(',', '')
  const file = `<?xml version="1.0" encoding="ISO-8859-1"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>
<NtryDtls><TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>J\u00f6rg M\u00fcller</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Anteile ${order}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`
  const upload = new FormData()
  upload.set('csrf', csrf)
  upload.set('file', new File([Buffer.from(file, 'latin1')], 'bank.xml'))
  const preview = await console.post('/statements', upload, { cookie })
  const previewed = hidden(preview.text, 'previewed')
  await follow('/statements', { previewed })
  t.match(await open('/'), '<strong>1</strong><a href="/statements#assign">')
  const list = await open('/statements')
  t.match(list, '<bdi>J\u00f6rg M\u00fcller</bdi>', 'in its declared encoding')
  const entry = hidden(list, 'input.entry_id')
  const assigned = await follow('/actions/statement.assign', {
    back: '/statements',
    'input.entry_id': entry,
    'input.share_purchase_id': order,
  })
  t.match(assigned.text, 'Every entry is matched')
  t.match(await open(`/orders/${order}`), 'by transfer')
})

t.test('without a creditor, pages have nothing about money', async (t) => {
  const console = await openConsole()
  const id = await placeAccepted(console.market)
  const { cookie } = await signIn(console)
  t.notMatch((await console.get('/', { cookie })).text, 'Payments that')
  t.notMatch((await console.get(`/orders/${id}`, { cookie })).text, '<h2>Payment</h2>')
  const { text } = await console.get('/payments', { cookie })
  t.match(text, 'Payments are collected for a cooperative that has a creditor')
  t.notMatch(text, 'action="/payments"')
  t.match((await console.get('/payment-report?show=yes', { cookie })).text, 'has a creditor')
})

t.test('a long collection is shown in parts', async (t) => {
  const money = await openMoney(51)
  const { path, text } = await collect(money)
  t.equal(text.split('data-head="Announcement"').length - 1, 50)
  const next = /rel="next" href="([^"]+)"/.exec(text)?.[1] ?? ''
  t.match(next, `${path}?`)
  const second = await money.open(next.replaceAll('&amp;', '&'))
  t.equal(second.split('data-head="Announcement"').length - 1, 1)
})

t.test('with four eyes, the page waits for another operator', async (t) => {
  const money = await openMoney(1, { settings: { fourEyes: ['collect'] } })
  const { path, text } = await collect(money)
  t.match(text, 'Another operator than local has to confirm')
  t.notMatch(text, `action="${path}/file"`)
  const { service } = money.console.market.world
  const created = await runOperation(service, 'operator.create', {
    name: 'maria',
    role: 'operator',
  })
  const { token } = created as { readonly token: string }
  const maria = await signIn(money.console, token)
  const shown = await money.console.get(path, { cookie: maria.cookie })
  t.match(shown.text, 'action="/actions/collection.confirm"')
  const id = path.slice('/payments/'.length)
  const form = { csrf: maria.csrf, back: path, 'input.collection_id': id }
  const confirmed = await postAndFollow(money.console, '/actions/collection.confirm', form, {
    cookie: maria.cookie,
  })
  t.match(confirmed.text, '<dt>Confirmed by</dt><dd><bdi>maria</bdi>')
  t.match(confirmed.text, `action="${path}/file"`)
})

t.test('a viewer sees payments, and no buttons, names or files', async (t) => {
  const money = await openMoney(1)
  const { path } = await collect(money)
  const { service } = money.console.market.world
  const created = await runOperation(service, 'operator.create', { name: 'vera', role: 'viewer' })
  const { cookie, csrf } = await signIn(money.console, (created as { token: string }).token)
  for (const each of ['/payments', path, '/statements', '/payment-report?show=yes']) {
    const { status, text } = await money.console.get(each, { cookie })
    t.equal(status, 200, each)
    t.notMatch(text, /method="post" action="\/(?:payments|statements|actions)/)
  }
  t.equal((await money.console.post(`${path}/file`, { csrf }, { cookie })).status, 403)
  t.equal((await money.console.post('/payments', { csrf }, { cookie })).status, 403)
  t.equal((await money.console.post('/statements', { csrf }, { cookie })).status, 403)
})

t.test('in production no bank is simulated', async (t) => {
  const money = await openMoney(1, { settings: { environment: 'production' } })
  const { id } = money.console.market.cooperative
  const set = { 'input.cooperative': id, ...creditor, confirmed: 'yes', back: '/' }
  await money.follow('/actions/cooperative.set_creditor', set)
  const { path } = await collect(money)
  await money.console.post(`${path}/file`, { csrf: money.csrf }, { cookie: money.cookie })
  t.notMatch(await money.open(path), 'Simulate the bank')
  const answer = await money.follow(`${path}/bank`, { do: 'import' })
  t.match(answer.text, 'TESTING_AID_IN_PRODUCTION')
})

t.test('each return code has its meaning, and its advice, in both languages', async (t) => {
  for (const [code, { instead }] of Object.entries(returnReasons)) {
    t.ok(isTextName(`return.${code}`), code)
    t.equal(isTextName(`instead.${code}`), instead !== undefined, code)
  }
})
