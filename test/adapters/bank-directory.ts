import type { ServerResponse } from 'node:http'
import t from 'tap'
import { findUnusedPort, startPeer, startTcpPeer } from '../../fixtures/servers/peer.ts'
import { createBankDirectory } from '../../src/adapters/bank-directory.ts'

const unknown = { bic: null, institution: null, isOutstanding: false }
const outstanding = { ...unknown, isOutstanding: true }
const unknownGermanBank = 'DE23999999990000000000'
const dutch = 'NL91ABNA0417164300'
const swiss = 'CH9300762011623852957'

function answering(body: unknown) {
  return (_request: unknown, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json')
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

t.test(
  'the built-in directory derives bank data from an IBAN without a request [S-investors-15]',
  async (t) => {
    const directory = createBankDirectory()
    for (const [title, iban, expected] of [
      ['DE', 'DE12500105170648489890', { ...unknown, bic: 'INGDDEFFXXX', institution: 'ING-DiBa' }],
      ['DE, a bank that does not exist', unknownGermanBank, outstanding],
      ['AT', 'AT632011100000000000', { ...unknown, bic: 'GIBAATWWXXX' }],
      ['BE', 'BE71096123456769', { ...unknown, bic: 'GKCCBEBB' }],
      ['ES', 'ES9121000418450200051332', { ...unknown, bic: 'CAIXESBB' }],
      ['FR', 'FR1420041010050500013M02606', { ...unknown, bic: 'PSSTFRPPXXX' }],
      ['LU', 'LU280019400644750000', { ...unknown, bic: 'BCEELULL' }],
      ['NL', dutch, { ...unknown, bic: 'ABNANL2A' }],
      ['CH', swiss, unknown],
    ] as const) {
      t.strictSame(await directory.lookUp(iban), expected, title)
    }
  },
)

t.test('the look-up asks openiban.com about banks that the directory does not know', async (t) => {
  const peer = await startPeer(
    t,
    answering({
      valid: true,
      messages: ['Bank code valid: 00762'],
      iban: swiss,
      bankData: { bankCode: '00762', name: 'Beispielbank', zip: '8000', city: 'Zürich', bic: '' },
      checkResults: { bankCode: true },
    }),
  )
  const directory = createBankDirectory({
    lookupUrl: `${peer.url}/validate/`,
    allowPrivate: true,
  })
  t.strictSame(await directory.lookUp(swiss), { ...unknown, institution: 'Beispielbank' })
  t.strictSame(
    await directory.lookUp(dutch),
    { ...unknown, bic: 'ABNANL2A', institution: 'Beispielbank' },
    'known data stays',
  )
  await directory.lookUp('DE12500105170648489890')
  t.strictSame(
    peer.requests,
    [
      `GET /validate/${swiss}?getBIC=true&validateBankCode=true`,
      `GET /validate/${dutch}?getBIC=true&validateBankCode=true`,
    ],
    'a known bank is not looked up',
  )
})

const bankData = { name: 'Beispielbank', bic: 'COBADEFFXXX' }

t.test('a German bank that only the look-up knows counts as existing', async (t) => {
  const peer = await startPeer(t, answering({ valid: true, bankData: { name: 'Neue Bank' } }))
  const directory = createBankDirectory({ lookupUrl: peer.url, allowPrivate: true })
  const known = await directory.lookUp(unknownGermanBank)
  t.strictSame(known, { ...unknown, institution: 'Neue Bank' })
})

t.test('the look-up ignores invalid parts of an answer', async (t) => {
  const rows: [title: string, answer: unknown, expected: unknown][] = [
    [
      'both',
      { valid: true, bankData },
      { ...unknown, bic: 'COBADEFFXXX', institution: 'Beispielbank' },
    ],
    ['not valid', { valid: false, bankData }, unknown],
    ['no bank data', { valid: true }, unknown],
    ['empty bank data', { valid: true, bankData: {} }, unknown],
    ['nulls', { valid: true, bankData: { name: null, bic: null } }, unknown],
    ['not a BIC', { valid: true, bankData: { bic: '<script>' } }, unknown],
    ['a blank name', { valid: true, bankData: { name: '  ' } }, unknown],
    ['a name that is too long', { valid: true, bankData: { name: 'x'.repeat(201) } }, unknown],
    ['a name with control characters', { valid: true, bankData: { name: 'a\u0000b' } }, unknown],
    ['a number for a name', { valid: true, bankData: { name: 1 } }, outstanding],
    ['a list', [], outstanding],
    ['no JSON', '<html>', outstanding],
    ['nothing', '', outstanding],
  ]
  for (const [title, answer, expected] of rows) {
    const peer = await startPeer(t, answering(answer))
    const directory = createBankDirectory({ lookupUrl: peer.url, allowPrivate: true })
    t.strictSame(await directory.lookUp(swiss), expected, title)
  }
})

t.test(
  'an unavailable look-up derives nothing, and no request fails [S-investors-29]',
  async (t) => {
    const failing = await startPeer(t, (_request, response) => response.writeHead(503).end('{}'))
    const redirecting = await startPeer(t, (request, response) => {
      if (request.url?.startsWith('/elsewhere'))
        return answering({ valid: true, bankData })(0, response)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const huge = await startPeer(
      t,
      answering({ valid: true, bankData, filler: 'x'.repeat(100_000) }),
    )
    const hangingUp = await startTcpPeer(t, (socket) => socket.destroy())
    const rows: [title: string, lookupUrl: string, allowPrivate: boolean][] = [
      ['an error', failing.url, true],
      ['a redirect', redirecting.url, true],
      ['an answer that is too long', huge.url, true],
      ['no answer', `http://127.0.0.1:${hangingUp}`, true],
      ['nobody there', `http://127.0.0.1:${await findUnusedPort()}`, true],
      ['not https', failing.url, false],
      ['not public', `https://127.0.0.1:${failing.port}`, false],
      ['not an address', 'nonsense', true],
    ]
    for (const [title, lookupUrl, allowPrivate] of rows) {
      const directory = createBankDirectory({ lookupUrl, allowPrivate })
      t.strictSame(await directory.lookUp(swiss), outstanding, title)
    }
    t.strictSame(redirecting.requests.length, 1, 'a redirect is not followed')
  },
)

t.test('a look-up that does not end is skipped', async (t) => {
  const silent = await startPeer(t, () => {})
  const dripping = await startPeer(t, (_request, response) => {
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  })
  const answers = await Promise.all(
    [silent, dripping].map(({ url }) =>
      createBankDirectory({ lookupUrl: url, allowPrivate: true }).lookUp(swiss),
    ),
  )
  t.strictSame(answers, [outstanding, outstanding])
})
