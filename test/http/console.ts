import { randomUUID } from 'node:crypto'
import t from 'tap'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { FaultyDisk } from '../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import {
  type Form,
  openConsole,
  consoleOrigin as origin,
  postAndFollow,
  signIn,
  consoleToken as token,
} from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { hasRole } from '../../src/domain/operators/operator.ts'
import {
  type OperationName,
  operationNames,
  runOperation,
} from '../../src/operations/operations.ts'
import { minimumRole } from '../../src/operations/roles.ts'

t.test('an operator signs in with a token and signs out again', async (t) => {
  const console = await openConsole()
  const before = await console.get('/')
  t.equal(before.status, 401)
  t.match(before.text, 'Operator token')
  const wrong = await console.post('/sign-in', { token: 'another' })
  t.equal(wrong.status, 401)
  t.match(wrong.text, 'This token is unknown, replaced or disabled.')
  t.equal(wrong.headers.get('set-cookie'), null)
  const { answer, cookie, csrf } = await signIn(console)
  t.equal(answer.status, 303)
  t.match(answer.headers.get('set-cookie'), /; HttpOnly; SameSite=Strict$/)
  t.notMatch(cookie, token, 'the cookie does not contain the token')
  const page = await console.get('/', { cookie })
  t.equal(page.status, 200)
  t.match(page.text, 'signed in as local (administrator)')
  const left = await console.post('/sign-out', { csrf }, { cookie })
  t.match(left.headers.get('set-cookie'), 'Max-Age=0')
  t.equal((await console.get('/', { cookie })).status, 401, 'a copy of the cookie is worthless')
})

t.test('the system page shows the age of the last backup and of the last sync', async (t) => {
  const store = await openStore(t, { directory: temporaryDirectory(t) })
  const console = await openConsole({ store })
  const { cookie } = await signIn(console)
  const show = async () => (await console.get('/system', { cookie })).text
  t.match(await show(), /<dt>Last backup<\/dt><dd>This instance makes no regular backups/)
  t.match(await show(), /<dt>Last sync<\/dt><dd>\d+ (second|minute)s? ago \([\d.]+\u00a0ms\)/)
  t.match(await show(), /<dt>Contract<\/dt><dd>1\.6\.0/)
  console.metrics.observeBackup(0)
  t.match(await show(), /<dt>Last backup<\/dt><dd><span class="warn">none yet/)
  console.metrics.observeBackup(Date.parse(console.market.world.clock.now()) - 3 * 3600_000)
  t.match(await show(), /<dt>Last backup<\/dt><dd>3 hours ago/)
})

t.test('the system page shows how large the files of the store are', async (t) => {
  const store = await openStore(t, { directory: temporaryDirectory(t) })
  const console = await openConsole({ store })
  const { cookie } = await signIn(console)
  const sizesOf = async (language: string) => {
    const headers = { cookie, 'accept-language': language }
    const { text } = await console.get('/system', headers)
    const facts = [...text.matchAll(/<dt>(?:Journal|Snapshot|Abbild)<\/dt><dd>(.*?)<\/dd>/g)]
    return facts.map(([, size = '']) => size.replaceAll('\u00a0', ' '))
  }
  t.strictSame(await sizesOf('en'), ['&lt; 0.1 MB', '–'], 'a new store has no snapshot')
  await store.compact()
  t.strictSame(await sizesOf('de'), ['&lt; 0,1 MB', '&lt; 0,1 MB'])
})

t.test('signing in and out works while the store accepts no writes, and is logged', async (t) => {
  const disk = new FaultyDisk()
  const store = await openStore(t, { directory: temporaryDirectory(t), openFile: disk.openFile })
  const console = await openConsole({ store })
  const { service, logger } = console.market.world
  const minted = await runOperation(service, 'operator.create', { name: 'Ada', role: 'operator' })
  disk.failAt('append', 'ENOSPC')
  const { cookie, csrf } = await signIn(console, (minted as { readonly token: string }).token)
  const foreign = await console.post('/sign-out', { csrf: 'another' }, { cookie })
  t.equal(foreign.status, 403)
  const left = await console.post('/sign-out', { csrf }, { cookie })
  t.equal(left.status, 303)
  t.match(left.headers.get('set-cookie'), 'Max-Age=0')
  t.equal((await console.get('/', { cookie })).status, 401, 'a copy of the cookie')
  t.match(
    logger.lines,
    exactArrays([
      { message: 'a sign-in has no entry in the audit', fields: { operatorId: String } },
      { message: 'a sign-out could not be stored', fields: { operatorId: String } },
    ]),
  )
})

t.test(
  'an operator without a valid token is signed out immediately on every instance',
  async (t) => {
    const console = await openConsole()
    const { service } = console.market.world
    const other = await openConsole({}, origin, console.market)
    const minted = await runOperation(service, 'operator.create', { name: 'Ada', role: 'operator' })
    const ada = minted as { readonly token: string }
    const first = await signIn(console, ada.token)
    t.match((await other.get('/', { cookie: first.cookie })).text, 'signed in as Ada (operator)')
    await console.post('/sign-out', { csrf: first.csrf }, { cookie: first.cookie })
    t.equal(
      (await other.get('/', { cookie: first.cookie })).status,
      401,
      'a copy of the cookie after the sign-out',
    )
    const second = await signIn(console, ada.token)
    t.equal((await other.get('/', { cookie: second.cookie })).status, 200)
    await runOperation(service, 'operator.set_role', { name: 'Ada', role: 'viewer' })
    t.match((await other.get('/', { cookie: second.cookie })).text, 'signed in as Ada (viewer)')
    await runOperation(service, 'operator.disable', { name: 'Ada' })
    t.equal((await other.get('/', { cookie: second.cookie })).status, 401, 'disabled')
    await runOperation(service, 'operator.enable', { name: 'Ada' })
    t.equal((await other.get('/', { cookie: second.cookie })).status, 401, 'enabled again')
    const third = await signIn(console, ada.token)
    t.equal((await other.get('/', { cookie: third.cookie })).status, 200)
    await runOperation(service, 'operator.rotate_token', { name: 'Ada' })
    t.equal((await other.get('/', { cookie: third.cookie })).status, 401, 'another token')
  },
)

t.test(
  'a session ends on every instance, even if an instance with a slow clock ends it',
  async (t) => {
    const console = await openConsole()
    const { service, clock } = console.market.world
    const other = await openConsole({}, origin, console.market)
    const minted = await runOperation(service, 'operator.create', { name: 'Ada', role: 'operator' })
    const ada = minted as { readonly token: string }
    const statusOf = async ({ cookie }: { readonly cookie: string }) =>
      (await other.get('/', { cookie })).status
    const ends: readonly [title: string, end: (session: Session) => Promise<unknown>][] = [
      ['signed out', ({ cookie, csrf }) => console.post('/sign-out', { csrf }, { cookie })],
      ['disabled', () => runOperation(service, 'operator.disable', { name: 'Ada' })],
    ]
    for (const [title, end] of ends) {
      clock.advance(60)
      const session = await signIn(other, ada.token)
      clock.advance(-60)
      t.equal(await statusOf(session), 200)
      await end(session)
      await runOperation(service, 'operator.enable', { name: 'Ada' })
      t.equal(await statusOf(session), 401, title)
      t.equal(await statusOf(await signIn(console, ada.token)), 200, 'signed in again immediately')
      clock.advance(60)
      t.equal(await statusOf(session), 401, `${title}, by the other clock`)
    }
  },
)

interface Session {
  readonly cookie: string
  readonly csrf: string
}

t.test('a filter with an unknown value is refused, not ignored', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  for (const [path, names] of [
    ['/orders?status=bogus', /status must be one of draft, submitted/],
    ['/events?state=bogus', /state must be one of/],
    ['/events?type=bogus', /type must be one of share_purchase\.submitted/],
    ['/audit?actor=bogus', /actor must be one of/],
  ] as const) {
    const { status, text } = await console.get(path, { cookie })
    t.equal(status, 422, path)
    t.match(text, names)
    t.equal((await console.get(path.replace('bogus', ''), { cookie })).status, 200)
  }
})

t.test(
  'a viewer sees no button for changes, and the service refuses forms with changes',
  async (t) => {
    const console = await openConsole()
    const { service } = console.market.world
    const id = await placeAccepted(console.market)
    const minted = await runOperation(service, 'operator.create', { name: 'Vi', role: 'viewer' })
    const { cookie, csrf } = await signIn(console, (minted as { readonly token: string }).token)
    for (const path of [
      `/orders/${id}`,
      '/orders',
      '/partners',
      '/catalogue',
      '/events',
      `/investors/${console.market.investorId}`,
      '/audit',
      '/system',
    ]) {
      const { status, text } = await console.get(path, { cookie })
      t.equal(status, 200, path)
      t.notMatch(text, /\/actions\/(?!audit\.verify)|\/export/, path)
    }
    const form = { csrf, 'input.share_purchase_id': id }
    const refused = await console.post('/actions/purchase.approve', form, { cookie })
    t.equal(refused.status, 403)
    t.match(refused.text, 'purchase.approve is for the roles operator and administrator')
    const bulk = { csrf, decision: 'approve', id, confirmed: 'yes' }
    t.equal((await console.post('/orders', bulk, { cookie })).status, 403)
  },
)

t.test('a role gets by the console nothing that operations refuse', async (t) => {
  const console = await openConsole()
  const { service } = console.market.world
  for (const role of ['viewer', 'operator'] as const) {
    const minted = await runOperation(service, 'operator.create', { name: role, role })
    const { cookie, csrf } = await signIn(console, (minted as { readonly token: string }).token)
    const above = operationNames.filter((name) => !hasRole({ role }, minimumRole(name)))
    t.ok(above.includes('investor.erase') && above.includes('audit.export'), role)
    for (const name of above) {
      for (const confirmed of ['', 'yes']) {
        const answer = await console.post(`/actions/${name}`, { csrf, confirmed }, { cookie })
        t.equal(answer.status, 403, `${name} for ${role}`)
        t.match(answer.text, `${name} is for the role`)
      }
    }
    const { investorId } = console.market
    const forms: readonly (readonly [path: string, operation: OperationName, more?: Form])[] = [
      ['/audit.ndjson', 'audit.export'],
      [`/investors/${investorId}/export`, 'investor.export'],
      ['/catalogue', 'cooperative.import', { definitions: '{"cooperatives":[]}' }],
      ['/pictures', 'cooperative.import'],
      ['/orders', 'purchase.approve', { decision: 'approve', id: 'a' }],
      ['/orders', 'purchase.reject', { decision: 'reject', id: 'a', confirmed: 'yes' }],
    ]
    for (const [path, operation, more] of forms) {
      if (!above.includes(operation)) continue
      const answer = await console.post(path, { csrf, ...more }, { cookie })
      t.equal(answer.status, 403, `${path} for ${role}`)
      t.match(answer.text, `${operation} is for the role`)
    }
  }
  const refused = await runOperation(service, 'audit.list', { refused: true })
  const via = (refused as { readonly via: string; readonly code: string }[]).map(
    (entry) => `${entry.via} ${entry.code}`,
  )
  t.strictSame([...new Set(via)], ['console FORBIDDEN'])
})

t.test('actions in the console are in the audit with their operator', async (t) => {
  const console = await openConsole()
  const id = await placeAccepted(console.market)
  const { cookie, csrf } = await signIn(console)
  const form = { csrf, 'input.share_purchase_id': id, back: `/orders/${id}` }
  await console.post('/actions/purchase.approve', form, { cookie })
  const { text } = await console.get(`/orders/${id}`, { cookie })
  t.match(text, /<code>purchase.approve<\/code>.*<dd>console</s)
  t.match(text, '<del>submitted</del> <ins>approved</ins>')
  const all = await console.get('/audit', { cookie })
  t.match(all.text, /<code>sign_in<\/code>.*<dd>console</s)
})

t.test('a person is found, exported and erased', async (t) => {
  const console = await openConsole()
  const { investorId } = console.market
  const { cookie, csrf } = await signIn(console)
  const list = await console.get('/investors', { cookie })
  t.match(list.text, `href="/investors/${investorId}"`)
  const found = await console.get(`/find?text=${investorId.slice(0, 13)}`, { cookie })
  t.match(found.text, `href="/investors/${investorId}"`)
  const person = await console.get(`/investors/${investorId}`, { cookie })
  const path = `/investors/${investorId}/export`
  t.match(person.text, `<form method="post" action="${path}"`)
  const exported = await console.post(path, { csrf, language: '' }, { cookie })
  t.match(JSON.parse(exported.text), { investor: { investor_id: investorId } })
  t.match(exported.headers.get('content-disposition'), 'attachment')
  const copy = await console.post(path, { csrf, language: 'de' }, { cookie })
  t.match(copy.headers.get('content-disposition'), /^attachment; filename=".*\.html"$/)
  t.match(copy.text, '<h1>Gespeicherte Daten einer Person</h1>', 'a page to print')
  const order = await placeAccepted(console.market)
  const shown = await console.get(`/investors/${investorId}`, { cookie })
  t.match(shown.text, /open orders first:\s*<a href="\/orders\//)
  t.notMatch(shown.text, '/actions/investor.erase', 'the open order must be decided first')
  const cancel = { csrf, 'input.share_purchase_id': order, back: '/' }
  await console.post('/actions/purchase.cancel', cancel, { cookie })
  const form = { csrf, 'input.investor_id': investorId, back: `/investors/${investorId}` }
  const asked = await console.post('/actions/investor.erase', form, { cookie })
  t.match(asked.text, 'This cannot be undone.')
  await console.post('/actions/investor.erase', { ...form, confirmed: 'yes' }, { cookie })
  const after = await console.get(`/investors/${investorId}`, { cookie })
  t.match(after.text, '<dt>Erased</dt>')
  t.notMatch(after.text, '/actions/investor.erase')
})

t.test('a member is erased only with a reason, and the page says why [D61]', async (t) => {
  const console = await openConsole()
  const { investorId } = console.market
  const { cookie, csrf } = await signIn(console)
  const order = await placeAccepted(console.market)
  for (const decision of ['approve', 'settle']) {
    const decide = { csrf, 'input.share_purchase_id': order, back: '/' }
    await console.post(`/actions/purchase.${decision}`, decide, { cookie })
  }
  const path = `/investors/${investorId}`
  const person = await console.get(path, { cookie })
  t.match(person.text, /holds shares.+section 30/)
  t.match(person.text, /name="input.although_member" value="true" required/)
  t.match(person.text, /name="input.reason" maxlength="200" required/)
  t.match(person.text, '--although-member --reason REASON')
  const erase = { csrf, 'input.investor_id': investorId, back: path, confirmed: 'yes' }
  const refused = await console.post('/actions/investor.erase', erase, { cookie })
  t.match(refused.text, 'list of members')
  const although = { ...erase, 'input.although_member': 'true' }
  await console.post(
    '/actions/investor.erase',
    { ...although, 'input.reason': 'Left.' },
    { cookie },
  )
  t.match((await console.get(path, { cookie })).text, '<dt>Erased</dt>')
})

t.test('a person with many orders has a link to all of them', async (t) => {
  const console = await openConsole()
  const { investorId, world } = console.market
  const id = await placeAccepted(console.market)
  await world.service.store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(id)
    if (!order) return
    for (let copies = 0; copies < 200; copies += 1) {
      await sharePurchases.put({ ...order, sharePurchaseId: randomUUID() })
    }
  })
  const { cookie } = await signIn(console)
  const more = `href="/orders\\?investor=${investorId}">There are \\d+ more`
  for (const path of [`/investors/${investorId}`, `/find?text=${investorId}`]) {
    t.match((await console.get(path, { cookie })).text, new RegExp(more), path)
  }
})

t.test('a session ends after twelve hours', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  console.market.world.clock.advance(12 * 3600 - 1)
  t.equal((await console.get('/', { cookie })).status, 200)
  console.market.world.clock.advance(1)
  t.equal((await console.get('/', { cookie })).status, 401)
})

t.test(
  'after the end of a session, the sign-in says that nothing was done and leads back',
  async (t) => {
    const console = await openConsole()
    const { cookie, csrf } = await signIn(console)
    const id = await placeAccepted(console.market)
    console.market.world.clock.advance(12 * 3600)
    const list = '/orders?status=approved'
    const page = await console.get(list, { cookie })
    t.equal(page.status, 401)
    t.match(page.text, `name="back" value="${list}"`)
    t.notMatch(page.text, 'session has ended')
    const referer = `${origin}/orders/${id}?done=purchase.approve`
    const form = { csrf, 'input.share_purchase_id': id }
    const ended = await console.post('/actions/purchase.approve', form, { cookie, referer })
    t.equal(ended.status, 401)
    t.match(ended.text, 'Your session has ended. Nothing was done. Sign in again.')
    t.match(ended.text, `name="back" value="/orders/${id}"`)
    const wrong = await console.post('/sign-in', { token: 'another', back: list })
    t.match(wrong.text, `name="back" value="${list}"`)
    const right = await console.post('/sign-in', { token, back: list })
    t.equal(right.headers.get('location'), list)
    const elsewhere = await console.post('/sign-in', { token, back: '//evil.example' })
    t.equal(elsewhere.headers.get('location'), '/')
    const sheet = await console.get('/catalogue.xlsx')
    t.match(sheet.text, 'name="back" value="/"', 'a download would leave the sign-in on the screen')
  },
)

t.test('over TLS the cookie of a session is sent only over TLS', async (t) => {
  const console = await openConsole({}, 'https://127.0.0.1:4711')
  const { answer } = await signIn(console)
  t.match(answer.headers.get('set-cookie'), /^__Host-coopshare_session_4711=.*; Secure/)
})

t.test('a form must come from a page with the scheme of the service', async (t) => {
  const rows: [baseUrl: string, host: string, from: string, status: number][] = [
    ['http://127.0.0.1:4711', '127.0.0.1:4711', 'http://127.0.0.1:4711', 303],
    ['http://127.0.0.1:4711', '127.0.0.1:4711', 'https://127.0.0.1:4711', 403],
    ['http://127.0.0.1:4711', 'localhost:4711', 'http://localhost:4711', 303],
    ['http://127.0.0.1:4711', 'localhost:4711', 'https://localhost:4711', 403],
    ['http://127.0.0.1:4711', 'ops.example:8443', 'https://ops.example:8443', 303],
    ['http://127.0.0.1:4711', 'ops.example:8443', 'http://ops.example:8443', 303],
    ['https://127.0.0.1:4711', '127.0.0.1:4711', 'https://127.0.0.1:4711', 303],
    ['https://127.0.0.1:4711', '127.0.0.1:4711', 'http://127.0.0.1:4711', 403],
    ['https://127.0.0.1:4711', 'ops.example:8443', 'http://ops.example:8443', 403],
  ]
  for (const [baseUrl, host, from, status] of rows) {
    const console = await openConsole({}, baseUrl)
    // Older browsers send no Sec-Fetch-Site.
    const form = { method: 'POST', headers: { host, origin: from } }
    const sent = { ...form, body: new URLSearchParams({ token }) }
    const answer = await console.app.request(`${baseUrl}/sign-in`, sent)
    t.equal(answer.status, status, `${from} to ${host} of ${baseUrl}`)
  }
})

t.test(
  'a page at another port of the same host can neither use nor replace a session',
  async (t) => {
    const console = await openConsole()
    const { service } = console.market.world
    const { cookie, csrf } = await signIn(console)
    const [name = ''] = cookie.split('=')
    t.equal(name, 'coopshare_session_4711', 'a service at another port has its own cookie')
    const minted = await runOperation(service, 'operator.create', { name: 'Eve', role: 'operator' })
    const other = await signIn(console, (minted as { readonly token: string }).token)
    for (const both of [`${other.cookie}; ${cookie}`, `${cookie}; ${other.cookie}`]) {
      t.equal(
        (await console.get('/orders', { cookie: both })).status,
        401,
        'two cookies with the same name',
      )
      t.equal((await console.post('/orders', { csrf }, { cookie: both })).status, 401)
    }
    const rows: [site: string, dest: string, status: number][] = [
      ['same-site', 'image', 403],
      ['same-site', 'iframe', 403],
      ['cross-site', 'empty', 403],
      ['same-site', 'document', 200],
      ['none', 'document', 200],
      ['same-origin', 'empty', 200],
    ]
    for (const [site, dest, status] of rows) {
      const headers = { cookie, 'sec-fetch-site': site, 'sec-fetch-dest': dest }
      const answer = await console.get('/find?text=a', headers)
      t.equal(answer.status, status, `${dest} of ${site}`)
    }
    const link = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }
    const exported = `/investors/${console.market.investorId}/export`
    for (const path of [exported, `${exported}?language=de`, '/orders.csv', '/audit.ndjson']) {
      t.equal((await console.get(path, link)).status, 404, path)
      t.equal((await console.get(path, { cookie })).status, 404, path)
      t.equal((await console.post(path, { csrf: '' }, { cookie })).status, 403, path)
    }
    const audit = () => console.get('/audit', { cookie }).then(({ text }) => text)
    t.notMatch(await audit(), 'investor.export')
    await console.post(exported, { csrf }, { cookie })
    t.match(await audit(), 'investor.export')
  },
)

t.test('opening a page or a link to it adds nothing to the audit', async (t) => {
  const console = await openConsole()
  await placeAccepted(console.market)
  const { cookie } = await signIn(console)
  const paths = new Set(['/'])
  for (const path of paths) {
    const { text } = await console.get(path, { cookie })
    for (const [, href = ''] of text.matchAll(/ (?:href|src)="(\/[^"#]*)"/g)) {
      const next = href.replaceAll('&amp;', '&')
      if (/^\/(errors|live)\//.test(next)) continue
      if (paths.size < 150) paths.add(next)
    }
  }
  for (const needed of ['/audit', '/system', `/investors/${console.market.investorId}`]) {
    t.ok(paths.has(needed), needed)
  }
  const entries = await runOperation(console.market.world.service, 'audit.list', {})
  const ofOperators = (entries as { via: string; operation: string }[]).filter(
    ({ via }) => via === 'console',
  )
  t.match(ofOperators, exactArrays([{ operation: 'sign_in' }]))
})

t.test('the number of wrong tokens is limited', async (t) => {
  const console = await openConsole()
  for (let count = 0; count < 10; count += 1) await console.post('/sign-in', { token: 'another' })
  const answer = await console.post('/sign-in', { token: 'another' })
  t.equal(answer.status, 429)
  t.equal((await console.post('/sign-in', { token })).status, 303, 'the valid token is not limited')
})

t.test('without a sign-in nobody can keep the service busy', async (t) => {
  const console = await openConsole()
  const send = async (path: string, headers: Record<string, string>, body: string) => {
    const own = { origin, 'sec-fetch-site': 'same-origin' }
    const request = new Request(`${origin}${path}`, {
      method: 'POST',
      headers: { ...own, ...headers },
      body,
    })
    return (await console.app.request(request)).status
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const path of ['/sign-in', '/sign-out', '/language']) {
    t.equal(await send(path, form, 'a&'.repeat(10_000)), 413, path)
  }
  const parts = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
  t.equal(await send('/sign-in', parts, `${part.repeat(1000)}--x--`), 413)
  const { cookie } = await signIn(console)
  const path = '/actions/purchase.approve'
  t.equal(await send(path, { ...form, cookie }, 'a&'.repeat(2001)), 400, 'many fields')
  t.equal(await send(path, { ...parts, cookie }, `${part.repeat(2001)}--x--`), 400)
  const other = { 'content-type': 'multipart/form-data; charset=x; boundary=x', cookie }
  t.equal(await send(path, other, `${part}--x--`), 415, 'another boundary')
  const authorization = `Coopshare-Signature ${'a'.repeat(15_000)}`
  t.equal(await send('/operations/purchase.list', { authorization }, '{}'), 401)
})

t.test('a form on another site changes nothing', async (t) => {
  const console = await openConsole()
  const id = await placeAccepted(console.market)
  const { cookie, csrf } = await signIn(console)
  const form = { csrf, 'input.share_purchase_id': id, back: `/orders/${id}` }
  const path = '/actions/purchase.approve'
  const rows: [title: string, form: Form, headers: Record<string, string>][] = [
    ['another origin', form, { origin: 'https://evil.example' }],
    ['no origin', form, { origin: 'null' }],
    ['an origin that is not a URL', form, { origin: 'http://127.\u00ef\u00bb\u00bf0.0.1' }],
    ['another site', form, { 'sec-fetch-site': 'cross-site' }],
    ['a site with the same parent domain', form, { 'sec-fetch-site': 'same-site' }],
    ['no proof', { ...form, csrf: '' }, {}],
    ['the proof of another session', { ...form, csrf: (await signIn(console)).csrf }, {}],
  ]
  for (const [title, sent, headers] of rows) {
    const answer = await console.post(path, sent, { cookie, ...headers })
    t.equal(answer.status, 403, title)
    t.match(answer.text, 'The form does not come from this page.', title)
  }
  t.equal((await console.post(path, form)).status, 401, 'without a session')
  const { service } = console.market.world
  const shown = await runOperation(service, 'purchase.show', { share_purchase_id: id })
  t.match(shown, { status: 'submitted' })
  const answer = await console.post(path, form, { cookie })
  t.equal(answer.headers.get('location'), `/orders/${id}?done=purchase.approve`)
  t.match(await runOperation(service, 'purchase.show', { share_purchase_id: id }), {
    status: 'approved',
  })
})

t.test('a form with odd fields is refused, and no form leads to another site', async (t) => {
  const console = await openConsole()
  const { cookie, csrf } = await signIn(console)
  const odd: readonly [path: string, fields: Form][] = [
    ['/actions/organization.create', { 'input.__proto__': 'x' }],
    ['/actions/organization.create', { 'input.constructor': 'x' }],
    ['/actions/constructor', {}],
    ['/catalogue', { definitions: '{' }],
  ]
  for (const [path, fields] of odd) {
    const { status } = await console.post(path, { csrf, ...fields }, { cookie })
    t.ok([400, 404, 422].includes(status), `${path} ${JSON.stringify(fields)}: ${status}`)
  }
  for (const back of ['/..//evil.example', '//evil.example', '/\\evil.example']) {
    const form = { csrf, back, to: 'de' }
    const switched = await console.post('/language', form, { cookie })
    t.equal(switched.headers.get('location'), '/', back)
    const id = await placeAccepted(console.market)
    const approve = { ...form, 'input.share_purchase_id': id }
    const decided = await console.post('/actions/purchase.approve', approve, { cookie })
    t.equal(decided.headers.get('location'), '/?done=purchase.approve', back)
  }
})

t.test('a host name of another site that resolves to this machine gets no page', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  for (const host of [
    'evil.example',
    'evil.example:4711',
    '127.0.0.1:80',
    '127.0.0.1.evil.example:4711',
  ]) {
    const answer = await console.get('/', { cookie, host })
    t.equal(answer.status, 403, host)
    t.notMatch(answer.text, 'signed in as', host)
  }
  for (const host of ['127.0.0.1:4711', 'localhost:4711']) {
    t.equal((await console.get('/', { cookie, host })).status, 200, host)
  }
  t.equal((await console.get('/', { host: 'ops.example:443' })).status, 401, 'a known name')
})

t.test('pages can be neither framed nor cached, and run only their own script', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  for (const path of ['/', '/orders', '/none', '/orders/none']) {
    const { headers } = await console.get(path, { cookie })
    if (path === '/none') continue
    t.equal(headers.get('x-frame-options'), 'DENY', path)
    t.equal(headers.get('cache-control'), 'no-store', path)
    t.equal(headers.get('referrer-policy'), 'same-origin', path)
    const policy = headers.get('content-security-policy') ?? ''
    t.match(policy, "default-src 'none'; script-src 'self'; style-src 'self'", path)
    t.match(policy, "frame-ancestors 'none'; base-uri 'none'", path)
    t.notMatch(policy, 'unsafe-inline', path)
  }
})

t.test('programs do not get pages of the console', async (t) => {
  const console = await openConsole()
  const authorization = `Bearer ${token}`
  const [json, page] = ['application/json', 'text/html']
  t.equal((await console.get('/', { authorization, accept: json })).status, 404)
  t.equal((await console.get('/', { authorization, accept: page })).status, 404)
  t.match(JSON.parse((await console.get('/', { accept: json })).text), { code: 'UNAUTHENTICATED' })
})

t.test('names of partners are shown as text', async (t) => {
  const console = await openConsole()
  const { service } = console.market.world
  const name = `<script>alert(1)</script>"'&`
  await runOperation(service, 'organization.create', { name })
  const { cookie } = await signIn(console)
  const { text } = await console.get('/orders', { cookie })
  t.match(text, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
  t.notMatch(text, '<script>alert')
})

t.test('an order that does not exist gets a page with the reason', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  const answer = await console.get('/orders/none', { cookie })
  t.equal(answer.status, 404)
  t.match(answer.text, 'SHARE_PURCHASE_NOT_FOUND')
  t.match(answer.text, '<nav', 'the page has links to other pages')
})

t.test('a preview shows the selected orders before they are decided', async (t) => {
  const console = await openConsole()
  const ids = [await placeAccepted(console.market), await placeAccepted(console.market)]
  const { cookie, csrf } = await signIn(console)
  const form: [string, string][] = [
    ['csrf', csrf],
    ['decision', 'approve'],
    ['filter', '?status=submitted'],
    ...ids.map((id): [string, string] => ['id', id]),
  ]
  const preview = await console.post('/orders', form, { cookie })
  t.match(preview.text, /<dt>Count<\/dt><dd>2<\/dd><dt>Sum<\/dt><dd>€/)
  t.match(preview.text, 'coopshare purchase approve')
  const confirmed = [...form, ['confirmed', 'yes']] as const
  const decided = await postAndFollow(console, '/orders', confirmed, { cookie })
  t.match(decided.place, /^\/orders\?status=submitted&outcome=/, 'the list again')
  t.match(decided.text, /role="status">\s*<p>Approved: 2 \(€[\d,.]+\)\.<\/p>/)
  t.notMatch(decided.text, /name="id"[^>]* checked/, 'nothing is selected any more')
  const again = await postAndFollow(console, '/orders', confirmed, { cookie })
  t.match(again.text, 'Not decided: 2.')
  for (const id of ids) {
    const box = `name="id" value="${id}" data-total="[\\d.]+" aria-label="[^"]+" checked>`
    t.match(again.text, new RegExp(box), 'still selected, although the filter no longer matches')
  }
  const german = await console.get(again.place, { cookie, 'accept-language': 'de' })
  t.match(german.text, 'Der Auftrag ist freigegeben. Freigeben lassen sich nur Aufträge')
  const { cookie: another } = await signIn(console)
  const elsewhere = await console.get(decided.place, { cookie: another })
  t.match(elsewhere.text, 'What came of this decision is no longer known here.')
})

t.test('a preview names the selected orders that are left out, and why', async (t) => {
  const console = await openConsole()
  const ids = [await placeAccepted(console.market), await placeAccepted(console.market)]
  const [first = '', second = ''] = ids
  const { service } = console.market.world
  await runOperation(service, 'purchase.approve', { share_purchase_id: second })
  const { cookie, csrf } = await signIn(console)
  const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const preview = async (...selected: readonly string[]) => {
    const form = Object.entries({ csrf, decision: 'approve' })
    const chosen = selected.map((id) => ['id', id] as const)
    return (await console.post('/orders', [...form, ...chosen], { cookie })).text
  }
  const both = await preview(first, second, unknown)
  t.match(both, /<dt>Count<\/dt><dd>1<\/dd>/)
  t.match(both, '<h2>Left out: 2</h2>')
  t.match(both, 'The order is approved. Only submitted orders can be approved.')
  t.match(both, 'There is no such order.')
  t.match(both, `name="id" value="${first}"`)
  t.notMatch(both, `name="id" value="${second}"`)
  const none = await preview(second)
  t.match(none, '<h2>Left out: 1</h2>')
  t.notMatch(none, 'name="confirmed"')
})

t.test('the audit has sign-ins and decisions in the console', async (t) => {
  const console = await openConsole()
  const { service } = console.market.world
  const created = await runOperation(service, 'operator.create', {
    name: 'maria',
    role: 'operator',
  })
  const id = await placeAccepted(console.market)
  const { cookie, csrf } = await signIn(console, (created as { token: string }).token)
  const form = { csrf, 'input.share_purchase_id': id, back: '/' }
  await console.post('/actions/purchase.approve', form, { cookie })
  const entries = await runOperation(service, 'audit.list', { operator: 'maria' })
  const named = (entries as { operation: string; via: string; outcome: string }[]).map(
    ({ operation, via, outcome }) => `${operation} ${via} ${outcome}`,
  )
  t.same(named, ['purchase.approve console done', 'sign_in console done'])
})

t.test('production asks for a confirmation of irreversible actions', async (t) => {
  const console = await openConsole({ settings: { environment: 'production' } })
  const id = await placeAccepted(console.market)
  const { cookie, csrf } = await signIn(console)
  const form = { csrf, 'input.share_purchase_id': id, 'input.reason': 'No.', back: `/orders/${id}` }
  for (const operation of ['settle', 'cancel', 'confirm']) {
    const { text } = await console.post(`/actions/purchase.${operation}`, form, { cookie })
    t.match(text, 'This cannot be undone.', operation)
  }
  const asked = await console.post('/actions/purchase.reject', form, { cookie })
  t.match(asked.text, 'This cannot be undone.')
  const { service } = console.market.world
  const show = () => runOperation(service, 'purchase.show', { share_purchase_id: id })
  t.match(await show(), { status: 'submitted' })
  await console.post('/actions/purchase.reject', { ...form, confirmed: 'yes' }, { cookie })
  t.match(await show(), { status: 'rejected', reason: 'No.' })
})

t.test('the console uses the language of the browser or the chosen language', async (t) => {
  const console = await openConsole()
  const { cookie } = await signIn(console)
  const german = await console.get('/', { cookie, 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' })
  t.match(german.text, '<html lang="de">')
  t.match(german.text, '>Heute</a>')
  const chosen = await console.post('/language', { to: 'en', back: '//evil.example' })
  t.equal(chosen.headers.get('location'), '/')
  const both = `${cookie}; ${(chosen.headers.get('set-cookie') ?? '').split(';')[0]}`
  t.match((await console.get('/', { cookie: both, 'accept-language': 'de' })).text, 'lang="en"')
})
