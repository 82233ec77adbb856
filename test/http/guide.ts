import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Answer, createWorld } from '../../fixtures/world/world.ts'
import { listGuideFiles, sections } from '../../scripts/build/guide/files.ts'
import { renderDocument } from '../../scripts/build/guide/pages.ts'

const root = join(import.meta.dirname, '..', '..')
const browser = { accept: 'text/html' }

type Get = (path: string) => Promise<Answer>

/** Reads pages of the guide once, beginning with the table of contents, until every link is known. */
async function readGuide(get: Get): Promise<ReadonlyMap<string, Answer>> {
  const pages = new Map<string, Answer>()
  const waiting = ['/guide/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const page = await get(path)
    pages.set(path, page)
    const links = linksOf(page.text).map((link) => link.replace(/#.*/, ''))
    waiting.push(...links.filter((link) => link.startsWith('/guide/')))
  }
  return pages
}

function linksOf(page: string): string[] {
  return [...page.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, link = '']) => link)
}

/** Each link leads to a page, and each anchor to a part of that page. */
async function requireTargets(t: Test, page: string, { text }: Answer, get: Get): Promise<void> {
  for (const link of linksOf(text)) {
    const what = `${page}: ${link}`
    if (/^https:\/\//.test(link)) continue
    t.match(link, /^[/#]/, what)
    const [path, anchor] = link.split('#')
    const target = path ? await get(path) : { status: 200, text }
    t.equal(target.status, 200, what)
    if (anchor !== undefined) t.match(target.text, ` id="${anchor}"`, what)
  }
}

t.test('every link and every anchor in the guide leads somewhere [D73]', async (t) => {
  const { request } = await createWorld()
  const known = new Map<string, Promise<Answer>>()
  const get = (path: string) => {
    const answer = known.get(path) ?? request('GET', path, { headers: browser })
    known.set(path, answer)
    return answer
  }
  const pages = await readGuide(get)
  for (const [path, page] of pages) {
    t.equal(page.status, 200, path)
    await requireTargets(t, path, page, get)
    t.match(page.text, /<h1>.+<\/h1>/, path)
    t.match(page.headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-/)
    t.notMatch(
      page.text,
      /<script|<[^>]+ (style|on\w+)=|<(img|link)[^>]+(src|href)="(?!data:)/,
      path,
    )
    const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    t.equal(new Set(ids).size, ids.length, `${path} has each anchor once`)
  }
  const folders = sections.filter(({ isWhole }) => isWhole).map(({ folder }) => folder)
  const documents = listGuideFiles(root).filter((file) =>
    folders.some((each) => file.startsWith(each)),
  )
  t.ok(documents.length > 15)
  for (const file of documents) {
    t.ok(pages.has(file.replace(/^docs(.*)\.md$/, '/guide$1')), file)
  }
  t.ok(pages.has('/guide/examples/python/order.py'), 'an example to which a page leads')
})

t.test('a link to a document outside of the guide is only text', async (t) => {
  const place = { root, file: 'docs/partners/errors.md', files: ['docs/partners/errors.md'] }
  const render = (text: string) => renderDocument(`# Title\n\n${text}\n`, place).body.trim()
  t.equal(render('See [why](../../DECISIONS.md#d13).'), '<p>See why.</p>')
  t.equal(render('[one](errors.md#retry)'), '<p><a href="/guide/partners/errors#retry">one</a></p>')
  t.match(
    render('![a "plan"](../start/terminal.svg)'),
    /^<p><img src="data:image\/svg\+xml;base64,[^"]+" alt="a &quot;plan&quot;"><\/p>$/,
  )
  t.throws(() => render('[gone](no-such-page.md)'), /no-such-page\.md leads nowhere/)
  t.throws(() => render('```mermaid\npie\n```'), /cannot show a pie/)
  t.end()
})

t.test('a diagram is a table', async (t) => {
  const { request } = await createWorld()
  const { text } = await request('GET', '/guide/concepts/life-cycles')
  t.match(
    text,
    '<tr><td>start</td><td><code>submitted</code></td><td>the partner places it</td></tr>',
  )
  t.notMatch(text, 'stateDiagram')
})

t.test(
  'a page that the guide does not have is a page for browsers and a problem for programs',
  async (t) => {
    const { request } = await createWorld()
    const lost = [
      '/guide/none',
      '/guide/partners',
      '/guide/partners/integration.md',
      '/guide/..%2F..%2Fpackage.json',
    ]
    for (const path of lost) {
      const problem = await request('GET', path)
      t.strictSame([problem.status, problem.body.code], [404, 'NOT_FOUND'], path)
      const page = await request('GET', path, { headers: browser })
      t.equal(page.status, 404, path)
      t.match(page.text, /<a href="\/guide\/">Guide for partners<\/a>/, path)
      t.match(page.headers.get('content-security-policy'), /^default-src 'none'/, path)
      for (const { headers } of [problem, page]) t.equal(headers.get('vary'), 'Accept', path)
    }
    t.equal((await request('POST', '/guide/')).body.code, 'METHOD_NOT_ALLOWED')
  },
)

t.test('a page of the guide is compressed, and an unchanged page is not sent again', async (t) => {
  const { request } = await createWorld()
  const path = '/guide/partners/integration'
  for (const [encoding, coding] of [
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const headers = { 'accept-encoding': encoding }
    const page = await request('GET', path, { headers })
    t.equal(page.headers.get('content-encoding'), coding)
    t.equal(page.headers.get('vary'), 'accept-encoding')
    t.equal(page.headers.get('cache-control'), 'public, max-age=300')
    const etag = page.headers.get('etag') ?? ''
    t.match(etag, /^"[^"]+"$/)
    const again = await request('GET', path, { headers: { ...headers, 'if-none-match': etag } })
    t.strictSame([again.status, again.text], [304, ''])
    const head = await request('HEAD', path, { headers })
    t.strictSame([head.status, head.text, head.headers.get('etag')], [200, '', etag])
    t.match(head.headers.get('content-length'), /^\d+$/)
  }
})
