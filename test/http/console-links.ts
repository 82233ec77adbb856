import t from 'tap'
import { checkedOperatorApp } from '../../fixtures/contract/check-operator-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { FaultyDisk } from '../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import {
  type Console,
  openConsole,
  consoleOrigin as origin,
  signIn,
  consoleToken as token,
} from '../../fixtures/world/console.ts'
import { runOperation } from '../../src/operations/operations.ts'

const overPath = '/sign-in?link=over'

/** @param as the token of the operator who asks; by default the local administrator */
async function makeLink({ app }: Console, as = token): Promise<string> {
  const answer = await checkedOperatorApp(app).request('/operations/console.create_link', {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: '{}',
  })
  const { path } = (await answer.json()) as { readonly path: string }
  return path
}

async function createAda({ market }: Console, role = 'operator'): Promise<string> {
  const { service } = market.world
  const minted = await runOperation(service, 'operator.create', { name: 'Ada', role })
  return (minted as { readonly token: string }).token
}

function cookieIn({ headers }: { readonly headers: Headers }): string {
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

t.test('a link signs in once, and no address with its code is kept [D63]', async (t) => {
  const console = await openConsole()
  const link = await makeLink(console)
  t.match(link, /^\/sign-in\?code=[\w-]{43}$/)
  const opened = await console.get(link)
  t.equal(opened.status, 303)
  t.match(
    Object.fromEntries(opened.headers),
    { location: '/', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    'the address leads elsewhere, is not kept and not passed on',
  )
  const cookie = cookieIn(opened)
  t.match((await console.get('/', { cookie })).text, 'signed in as local (administrator)')
  const again = await console.get(link)
  t.strictSame([again.status, again.headers.get('location')], [303, overPath])
  t.equal(again.headers.get('set-cookie'), null)
  const over = await console.get(overPath)
  t.equal(over.status, 401)
  t.match(over.text, 'This link is not valid any more')
  t.match(over.text, 'with <code class="command">coopshare console</code>, or use your token')
  t.match(over.text, 'coopshare console')
  const german = await console.get(overPath, { 'accept-language': 'de' })
  t.match(german.text, 'Link gilt')
  const known = await console.get(overPath, { cookie })
  t.strictSame([known.status, known.headers.get('location')], [303, '/'], 'signed in already')
})

t.test('a link is valid for a minute', async (t) => {
  const console = await openConsole()
  const { clock } = console.market.world
  const [first, second] = [await makeLink(console), await makeLink(console)]
  clock.advance(60)
  t.equal((await console.get(first)).headers.get('location'), '/')
  clock.advance(1)
  t.equal((await console.get(second)).headers.get('location'), overPath)
})

t.test('a look at a link that nobody has opened does not use it up', async (t) => {
  const console = await openConsole()
  const link = await makeLink(console)
  const looks: readonly Record<string, string>[] = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'preview' },
    { 'x-moz': 'prefetch' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
  ]
  for (const headers of looks) {
    const answer = await console.get(link, headers)
    t.strictSame([answer.status, answer.headers.get('set-cookie')], [503, null])
  }
  const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }
  t.equal((await console.get(link, framed)).status, 403)
  const head = await console.app.request(new Request(`${origin}${link}`, { method: 'HEAD' }))
  t.equal(head.headers.get('set-cookie'), null)
  const opening = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
  t.equal((await console.get(link, opening)).headers.get('location'), '/')
})

t.test('a link is for the operator who asked for it, also as a viewer', async (t) => {
  const console = await openConsole()
  const ada = await createAda(console, 'viewer')
  const { cookie: before } = await signIn(console)
  const opened = await console.get(await makeLink(console, ada), { cookie: before })
  const { text } = await console.get('/', { cookie: cookieIn(opened) })
  t.match(text, 'signed in as Ada (viewer)', 'instead of who was signed in before')
})

t.test('a link is worthless when its operator may not sign in any more', async (t) => {
  const console = await openConsole()
  const { service } = console.market.world
  const ada = await createAda(console)
  const locationOf = async (link: string) => (await console.get(link)).headers.get('location')
  const beforeEnd = await makeLink(console, ada)
  await runOperation(service, 'operator.disable', { name: 'Ada' })
  t.equal(await locationOf(beforeEnd), overPath, 'disabled')
  await runOperation(service, 'operator.enable', { name: 'Ada' })
  const beforeRotation = await makeLink(console, ada)
  await runOperation(service, 'operator.rotate_token', { name: 'Ada' })
  t.equal(await locationOf(beforeRotation), overPath, 'another token')
})

t.test('a link works on the instance that made it', async (t) => {
  const console = await openConsole()
  const other = await openConsole({}, origin, console.market)
  const link = await makeLink(console)
  t.equal((await other.get(link)).headers.get('location'), overPath)
  t.equal((await console.get(link)).headers.get('location'), '/')
})

t.test('wrong codes are limited like wrong tokens, and a valid one is not [D41]', async (t) => {
  const console = await openConsole()
  const { logger } = console.market.world
  for (let count = 0; count < 30; count += 1) {
    const wrong = await console.get(`/sign-in?code=wrong-${count}`)
    t.strictSame([wrong.status, wrong.headers.get('location')], [303, overPath])
  }
  const link = await makeLink(console)
  t.equal((await console.get(link)).headers.get('location'), '/')
  const wrongTokens = logger.lines.filter(({ message }) => /token was wrong/.test(message))
  t.equal(wrongTokens.length, 10)
  t.notMatch(JSON.stringify(logger.lines), link.slice('/sign-in?code='.length))
})

t.test('the audit has the link and the sign-in, without the code', async (t) => {
  const console = await openConsole()
  const ada = await createAda(console)
  const link = await makeLink(console, ada)
  await console.get(link)
  const { service } = console.market.world
  const entries = await runOperation(service, 'audit.list', { operator: 'Ada' })
  t.match(
    entries,
    exactArrays([
      { operation: 'sign_in', via: 'console', outcome: 'done' },
      { operation: 'console.create_link', via: 'api', outcome: 'done' },
    ]),
  )
  t.notMatch(JSON.stringify(entries), link.slice('/sign-in?code='.length))
})

t.test('a link works while the store accepts no writes', async (t) => {
  const disk = new FaultyDisk()
  const store = await openStore(t, { directory: temporaryDirectory(t), openFile: disk.openFile })
  const console = await openConsole({ store })
  disk.failAt('append', 'ENOSPC')
  const opened = await console.get(await makeLink(console))
  t.equal((await console.get('/', { cookie: cookieIn(opened) })).status, 200)
})

t.test('without a token nobody gets a link', async (t) => {
  const console = await openConsole()
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    const answer = await console.app.request(
      new Request(`${origin}/operations/console.create_link`, { method: 'POST', headers }),
    )
    t.equal(answer.status, 401)
  }
})
