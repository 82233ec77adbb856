import t from 'tap'
import { parseUrl } from '../../src/domain/text.ts'

t.test('a URL with letters outside of ASCII is read correctly, however often', async (t) => {
  // V8 compiles a function only after many calls, and Node 20 has a mistake that shows only then.
  const calls = 100_000
  const known = Array.from({ length: 10 }, (_, number) => `https://example.com:80${number}`)
  const isUrl = (text: string) => parseUrl(text) !== undefined
  for (let call = 0; call < calls; call += 1) isUrl(known[call % known.length] ?? '')
  t.ok(isUrl('https://münchen.example/'))
  t.notOk(isUrl('http://127.\u00ef\u00bb\u00bf0.0.1:8081'), 'a byte order mark in Latin-1')
  t.equal(
    parseUrl('https://münchen.example/straße')?.href,
    'https://xn--mnchen-3ya.example/stra%C3%9Fe',
  )
  t.equal(parseUrl('/orders', 'http://own.invalid')?.pathname, '/orders')
  t.equal(parseUrl('orders'), undefined)
})
