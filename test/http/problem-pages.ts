import t from 'tap'
import { createWorld } from '../../fixtures/world/world.ts'
import { Problem } from '../../src/domain/problem.ts'
import { type ProblemCode, problems, problemsWithoutCode } from '../../src/domain/problem-code.ts'
import { renderInternalError, renderProblem, typeUri } from '../../src/http/problem-details.ts'

const baseUrl = 'https://partner-api.example'
const occurrence = { baseUrl, path: '/v1/me', requestId: 'a-request' }

function typesOf(): string[] {
  const codes = Object.keys(problems) as ProblemCode[]
  const coded = codes.map((code) => renderProblem(new Problem(code, ''), occurrence))
  const nameless = Object.keys(problemsWithoutCode).map((name) => typeUri(baseUrl, name))
  return [...coded, renderInternalError(occurrence)]
    .map(({ type }) => String(type))
    .concat(nameless)
}

t.test('the type of every problem leads to a page that says what to do', async (t) => {
  const { request } = await createWorld()
  for (const type of new Set(typesOf())) {
    const { status, headers, text } = await request('GET', type.slice(baseUrl.length))
    t.equal(status, 200, type)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8', type)
    t.match(text, /<h2>What happened<\/h2>\n<p>.+\.?<\/p>\n<h2>Why<\/h2>\n<p>.+\.<\/p>/, type)
    t.match(text, /<h2>What to do<\/h2>\n<p>.+\.<\/p>/, type)
  }
})

t.test('a partner reads the page of a problem without a token', async (t) => {
  const { request } = await createWorld()
  const { body } = await request('GET', '/v1/me')
  t.equal(body.type, `${baseUrl}/errors/unauthenticated`)
  const { text } = await request('GET', '/errors/unauthenticated')
  t.match(text, '<h1>UNAUTHENTICATED</h1>\n<p>Status 401</p>')
  t.match((await request('GET', '/errors/validation-error')).text, '<p>Status 400 or 422</p>')
})

t.test('the page of a problem lists every reason that a partner can encounter', async (t) => {
  const { request } = await createWorld()
  const rows: readonly (readonly [name: string, reasons: readonly RegExp[]])[] = [
    ['malformed-request-body', [/not well-formed JSON/, /not in the contract/, /same field twice/]],
    ['share-purchase-illegal-state', [/does not allow this step/, /depends on another order/]],
  ]
  for (const [name, reasons] of rows) {
    const { text } = await request('GET', `/errors/${name}`)
    for (const reason of reasons) t.match(text, reason, name)
  }
})

t.test('a problem page runs no script, loads no file, and can be saved', async (t) => {
  const { request } = await createWorld()
  const { headers, text } = await request('GET', '/errors/not-found')
  const policy = headers.get('content-security-policy') ?? ''
  t.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; /)
  // The icon is in the page, and a link is followed only by a person.
  t.notMatch(
    text.replaceAll(/<a |href="(data:[^"]*|\/|\/errors)"/g, ''),
    /<script|https?:|src=|href=/,
  )
  t.equal(headers.get('cache-control'), 'public, max-age=300')
  const again = await request('GET', '/errors/not-found', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  t.strictSame([again.status, again.text], [304, ''])
})

t.test('a problem that does not exist has no page', async (t) => {
  const { request } = await createWorld()
  for (const path of ['/errors/no-such-problem', '/errors/NOT_FOUND', '/errors/a/b']) {
    const { status, body } = await request('GET', path)
    t.strictSame([status, body.code], [404, 'NOT_FOUND'], path)
  }
  const lost = await request('GET', '/errors/none', { headers: { accept: 'text/html' } })
  t.equal(lost.status, 404)
  t.match(lost.text, '<a href="/errors">All error pages</a>')
  t.equal((await request('POST', '/errors/not-found')).body.code, 'METHOD_NOT_ALLOWED')
})
