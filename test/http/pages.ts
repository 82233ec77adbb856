import t, { type Test } from 'tap'
import { type Console, openConsole, signIn } from '../../fixtures/world/console.ts'

interface Reached {
  readonly name: string
  readonly text: string
  /** The address of the icon leads here. */
  get(path: string): Promise<{ readonly headers: Headers; readonly text: string }>
}

const forOperators = ['/docs', '/errors', '/errors/not-found', '/errors/none']
const forPartners = [
  ...['/', ...forOperators],
  ...['/guide/', '/guide/partners/integration', '/guide/examples/python/order.py', '/guide/none'],
]
const inConsole = [
  ...['/', '/orders', '/orders/sums', '/investors', '/find?text=Muster', '/partners', '/catalogue'],
  ...['/events', '/live', '/audit', '/system', '/no-such-page', '/orders/no-such-order', '/%E0'],
]

/** Every kind of page that a browser can open, on both ports. */
async function reachAll(console: Console): Promise<readonly Reached[]> {
  const { get, market } = console
  const { request } = market.world
  const accept = 'text/html'
  const getFromApi = (path: string) => request('GET', path, { headers: { accept } })
  const { cookie } = await signIn(console)
  const getSignedIn = (path: string) => get(path, { cookie })
  const ways: readonly (readonly [string, Reached['get'], readonly string[]])[] = [
    ['partner API', getFromApi, forPartners],
    ['operator endpoint', get, [...forOperators, ...inConsole]],
    ['console', getSignedIn, inConsole],
  ]
  const reached: Reached[] = []
  for (const [where, read, paths] of ways) {
    for (const path of paths) {
      reached.push({ name: `${where}: ${path}`, text: (await read(path)).text, get: read })
    }
  }
  return reached
}

async function requireIcon(t: Test, { name, text, get }: Reached): Promise<void> {
  const [, address = ''] =
    /<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(text) ?? []
  if (address.startsWith('data:')) {
    t.match(decodeURIComponent(address), /^data:image\/svg\+xml,<svg /, name)
    return
  }
  const icon = await get(address)
  t.equal(icon.headers.get('content-type'), 'image/svg+xml', name)
  t.match(icon.text, /^<svg /, name)
}

t.test('every page that a person can reach has an icon and a way back', async (t) => {
  for (const page of await reachAll(await openConsole())) {
    t.match(page.text, /^<!doctype html>/, page.name)
    await requireIcon(t, page)
    t.match(page.text, /<a [^>]*href="\/"/, `${page.name} has a link to the first page`)
  }
})

t.test('the icon that browsers ask for beside a picture is no error', async (t) => {
  const { get, market } = await openConsole()
  for (const answer of [
    await get('/favicon.ico'),
    await market.world.request('GET', '/favicon.ico'),
  ]) {
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'image/svg+xml')
    t.match(answer.headers.get('content-security-policy'), /sandbox/)
  }
})
