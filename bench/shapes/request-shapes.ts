import { orderFor } from '../../fixtures/world/seed-orders.ts'
import { credentials } from '../set-up.ts'
import { fill, fillWith, type InputShape, type ShapeGroup } from './input-shape.ts'
import { profile, shapesOf, within } from './json-shapes.ts'

/**
 * The limit for bodies of the partner API is a little higher, because text surrounds the filling.
 */
const bodyBytes = 62_000
/** The address and headers of a request together may have 16 KiB. */
const headerBytes = 14_000
/** The limit for operators is 128 MiB, which would take too long here. */
const operatorBytes = 1_000_000

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

export interface Known {
  readonly investorId: string
  readonly cooperativeId: string
}

export function listRequestShapes(known: Known): readonly ShapeGroup[] {
  return [...bodies(known), addresses, searches, ...headers, ...forms, ...operatorInputs]
}

function bodies({ investorId, cooperativeId }: Known): ShapeGroup[] {
  const provision = { method: 'POST', path: '/v1/investors', headers: json } as const
  const profilePath = `/v1/investors/${investorId}/profile`
  const put = { method: 'PUT', path: profilePath, headers: json } as const
  const orders = `/v1/investors/${investorId}/share-purchases`
  const place = { method: 'POST', path: orders, headers: json } as const
  const order = orderFor(cooperativeId, new Date().toISOString())
  const whole = (text: string) => text
  const group = (
    title: string,
    request: Omit<InputShape, 'title'>,
    good: object,
    paths: readonly string[],
  ): ShapeGroup => {
    const places = Object.fromEntries(paths.map((path) => [path, within(good, path)]))
    const [first = ''] = paths
    const plain = within(good, first)(`"${fill('a', bodyBytes)}"`)
    return {
      title,
      plain: { ...request, title: 'one long text', body: plain },
      shapes: shapesOf(request, { body: whole, ...places }, bodyBytes),
    }
  }
  return [
    group('POST /v1/investors', provision, { partner_customer_ref: 'shapes', profile }, [
      ...['partner_customer_ref', 'email', 'profile', 'profile.birth_date'],
      ...['profile.bank_account.iban', 'profile.bank_account.bic', 'profile.consents'],
      'profile.consents.terms.given_at',
    ]),
    group('PUT …/profile', put, profile, ['first_name', 'bank_account.iban', 'unknown']),
    group('POST …/share-purchases', place, order, [
      ...['cooperative_id', 'share_count', 'sepa_mandate.signed_at', 'sepa_mandate.debtor_iban'],
      ...['sepa_mandate.reference', 'applicant_type', 'statute_consent_given_at'],
    ]),
    {
      title: 'POST …/cancel',
      plain: {
        ...place,
        path: `${orders}/x/cancel`,
        title: 'one long text',
        body: `"${fill('a', bodyBytes)}"`,
      },
      shapes: shapesOf({ ...place, path: `${orders}/x/cancel` }, { body: whole }, bodyBytes),
    },
  ]
}

const catalogue = '/v1/cooperatives'
const long = fill('a', headerBytes)

const addresses: ShapeGroup = {
  title: 'GET with a long address',
  plain: { title: 'one parameter that nobody knows', path: `${catalogue}?unknown=${long}` },
  shapes: [
    { title: 'parameters without a value', path: `${catalogue}?${fill('a', headerBytes, '&')}` },
    { title: 'separators', path: `${catalogue}?${fill('&', headerBytes)}` },
    { title: 'one parameter many times', path: `${catalogue}?${fill('q=a', headerBytes, '&')}` },
    { title: 'escaped characters', path: `${catalogue}?unknown=${fill('%41', headerBytes)}` },
    { title: 'escapes that are none', path: `${catalogue}?unknown=${fill('%', headerBytes)}` },
    {
      title: 'escapes that are no UTF-8',
      path: `${catalogue}?unknown=${fill('%ff', headerBytes)}`,
    },
    { title: 'plus signs', path: `${catalogue}?unknown=${fill('+', headerBytes)}` },
    { title: 'q with too many words', path: `${catalogue}?q=${fill('a', headerBytes, '+')}` },
    { title: 'q with combining characters', path: `${catalogue}?q=${fill('%CC%81', headerBytes)}` },
    { title: 'city of many characters', path: `${catalogue}?city=${long}` },
    {
      title: 'price of many digits',
      path: `${catalogue}?min_share_price=${fill('9', headerBytes)}`,
    },
    {
      title: 'price of many decimals',
      path: `${catalogue}?max_share_price=1.${fill('0', headerBytes)}`,
    },
    { title: 'page of many digits', path: `${catalogue}?page=${fill('9', headerBytes)}` },
    {
      title: 'latitude of many digits',
      path: `${catalogue}?near_lat=1.${fill('9', headerBytes)}&near_lng=1`,
    },
    {
      title: 'expand with many parts',
      path: `${catalogue}/x?expand=${fill('projects', headerBytes, ',')}`,
    },
    { title: 'reference of many characters', path: `/v1/investors?partner_customer_ref=${long}` },
    { title: 'path of one long part', path: `/v1/investors/${long}` },
    { title: 'path of many parts', path: `/v1/${fill('a', headerBytes, '/')}` },
    { title: 'path of slashes', path: `/v1/${fill('/', headerBytes)}` },
    { title: 'path of dots', path: `/v1/${fill('..', headerBytes, '/')}` },
    { title: 'path of escapes', path: `/v1/investors/${fill('%2f', headerBytes)}` },
    { title: 'path of escapes that are none', path: `/v1/investors/${fill('%', headerBytes)}` },
    { title: 'path of no route', path: `/${fill('a', headerBytes, '/')}` },
  ],
}

/** Each search is different, because answers are cached. */
const searchBytes = 190
const search = (q: string): string => `${catalogue}?q=${q}%UNIQUE%`

const searches: ShapeGroup = {
  title: 'GET /v1/cooperatives, a search of 200 characters',
  plain: { title: 'one word', path: search(fill('a', searchBytes)) },
  shapes: [
    { title: 'words that are everywhere', path: search(`${fill('e', searchBytes, '+')}+`) },
    { title: 'words that are nowhere', path: search(`${fill('qq', searchBytes, '+')}+`) },
    { title: 'spaces', path: search(fill('+', searchBytes)) },
    { title: 'letters with accents', path: search(fill('%C3%A4', searchBytes * 6)) },
    { title: 'combining characters', path: search(`a${fill('%CC%81', (searchBytes - 1) * 6)}`) },
    { title: 'letters that unfold', path: search(fill('%EF%B7%BA', searchBytes * 9)) },
    { title: 'a city', path: `${catalogue}?city=${fill('%C3%A4', searchBytes * 6)}%UNIQUE%` },
  ],
}

function headerGroup(
  path: string,
  shapes: Readonly<Record<string, Readonly<Record<string, string>>>>,
): ShapeGroup {
  return {
    title: `GET ${path} with long headers`,
    plain: { title: 'a header that nobody knows', path, headers: { 'x-unknown': long } },
    shapes: Object.entries(shapes).map(([title, headers]) => ({ title, path, headers })),
  }
}

const listHeaders = {
  'Accept: many types': { accept: fillWith((number) => `a/b${number};q=0.${number}`, headerBytes) },
  'Accept: separators': { accept: fill(',', headerBytes) },
  'Accept-Encoding: many codings': {
    'accept-encoding': fillWith((number) => `c${number};q=0`, headerBytes),
  },
  'Accept-Encoding: separators': { 'accept-encoding': fill(',;', headerBytes) },
  'Accept-Encoding: spaces': { 'accept-encoding': `gzip${fill(' ', headerBytes)}x` },
  'If-None-Match: many tags': { 'if-none-match': fillWith((number) => `"${number}"`, headerBytes) },
  'If-None-Match: separators': { 'if-none-match': fill(',', headerBytes) },
  'If-None-Match: spaces': { 'if-none-match': `"a"${fill(' ', headerBytes)}x` },
  'If-Modified-Since: no date': { 'if-modified-since': fill('1 ', headerBytes) },
  'If-Modified-Since: brackets': { 'if-modified-since': fill('(', headerBytes) },
  'X-Request-Id: too long': { 'x-request-id': long },
  'X-Forwarded-For: many addresses': { 'x-forwarded-for': fill('192.0.2.1', headerBytes, ',') },
  'X-Forwarded-For: colons': { 'x-forwarded-for': fill(':', headerBytes) },
  'Cookie: many': { cookie: fillWith((number) => `c${number}=1`, headerBytes, '; ') },
  'Range: many': { range: `bytes=${fill('0-1', headerBytes, ',')}` },
  'many headers': Object.fromEntries(
    Array.from({ length: 900 }, (_, number) => [`x-${number}`, '1']),
  ),
}

const bearers = {
  'Authorization: no scheme': { authorization: long },
  'Authorization: spaces': { authorization: `Bearer ${fill(' ', headerBytes)}x` },
  'Authorization: tabs': { authorization: `Bearer \t${fill('\t', headerBytes)}x` },
  'Authorization: dots': { authorization: `Bearer ${fill('.', headerBytes)}` },
  'Authorization: a token with many claims': {
    authorization: `Bearer ${tokenOf(fillWith((number) => `"${number}":1`, 9000))}`,
  },
  'Authorization: a token with a list': {
    authorization: `Bearer ${tokenOf(`"scope":[${fill('1', 9000, ',')}]`)}`,
  },
  'Authorization: Basic': { authorization: `Basic ${long}` },
}

function tokenOf(claims: string): string {
  const parts = [`{"alg":"RS256","kid":"x"}`, `{${claims}}`, 'signature']
  return parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
}

const headers: readonly ShapeGroup[] = [
  headerGroup(catalogue, listHeaders),
  headerGroup('/openapi.yaml', listHeaders),
  headerGroup('/docs', listHeaders),
  {
    ...headerGroup('/v1/me', bearers),
    plain: {
      title: 'one long token',
      path: '/v1/me',
      headers: { authorization: `Bearer ${long}` },
    },
  },
  {
    title: 'POST /v1/investors with long headers',
    plain: {
      ...{ title: 'a header that nobody knows', method: 'POST', path: '/v1/investors', body: '{}' },
      headers: { ...json, 'x-unknown': long },
    },
    shapes: [
      ['Idempotency-Key: too long', { 'idempotency-key': long }],
      [
        'Content-Type: many parameters',
        { 'content-type': `application/json;${fill('a=b', headerBytes, ';')}` },
      ],
      ['Content-Type: spaces', { 'content-type': `application/json${fill(' ', headerBytes)}x` }],
      ['Content-Encoding: many', { 'content-encoding': fill('identity', headerBytes, ',') }],
    ].map(([title, more]) => ({
      ...({ title: title as string, method: 'POST', path: '/v1/investors', body: '{}' } as const),
      headers: { ...json, ...(more as Record<string, string>) },
    })),
  },
]

const token = { method: 'POST', path: '/oauth2/token', headers: form } as const
const wrong = 'grant_type=client_credentials&client_id=x&client_secret=y'
const right = `grant_type=client_credentials&client_id=${credentials.client_id}&client_secret=${credentials.client_secret}`

const forms: readonly ShapeGroup[] = [
  {
    title: 'POST /oauth2/token, refused',
    isAnonymous: true,
    plain: { ...token, title: 'one long value', body: `${wrong}&unknown=${fill('a', bodyBytes)}` },
    shapes: [
      {
        ...token,
        title: 'different parameters',
        body: `${wrong}&${fillWith((n) => n.toString(36), bodyBytes, '&')}`,
      },
      {
        ...token,
        title: 'one parameter many times',
        body: `${wrong}&${fill('a', bodyBytes, '&')}`,
      },
      { ...token, title: 'separators', body: `${wrong}${fill('&', bodyBytes)}` },
      { ...token, title: 'escaped characters', body: `${wrong}&a=${fill('%41', bodyBytes)}` },
      {
        ...token,
        title: 'escapes that are no UTF-8',
        body: `${wrong}&a=${fill('%ff', bodyBytes)}`,
      },
      { ...token, title: 'escapes that are none', body: `${wrong}&a=${fill('%', bodyBytes)}` },
      { ...token, title: 'plus signs', body: `${wrong}&a=${fill('+', bodyBytes)}` },
      { ...token, title: 'a long client_id', body: `${wrong.replace('x', fill('x', bodyBytes))}` },
      { ...token, title: 'a long client_secret', body: `${right}${fill('y', bodyBytes)}` },
      {
        ...token,
        title: 'a long grant_type',
        body: `${right.replace('client_credentials', fill('x', bodyBytes))}`,
      },
      {
        ...token,
        title: 'Basic of escapes',
        body: 'grant_type=client_credentials',
        headers: {
          ...form,
          authorization: `Basic ${Buffer.from(`${fill('%41', 9000)}:x`).toString('base64')}`,
        },
      },
      {
        ...token,
        title: 'Basic of colons',
        body: 'grant_type=client_credentials',
        headers: {
          ...form,
          authorization: `Basic ${Buffer.from(fill(':', 9000)).toString('base64')}`,
        },
      },
    ],
  },
  {
    title: 'POST /oauth2/token, with a right secret',
    isAnonymous: true,
    plain: { ...token, title: 'one long value', body: `${right}&unknown=${fill('a', bodyBytes)}` },
    shapes: [
      {
        ...token,
        title: 'one scope many times',
        body: `${right}&scope=${fill('cooperatives:read', bodyBytes, '+')}`,
      },
      {
        ...token,
        title: 'scopes that nobody knows',
        body: `${right}&scope=${fillWith((n) => n.toString(36), bodyBytes, '+')}`,
      },
      { ...token, title: 'spaces', body: `${right}&scope=${fill('+', bodyBytes)}` },
    ],
  },
]

function operatorGroup(
  name: string,
  places: Readonly<Record<string, (text: string) => string>>,
  plain = { title: 'one long text', body: `{"name":"${fill('a', operatorBytes)}"}` },
): ShapeGroup {
  const request = { method: 'POST', path: `/operations/${name}`, headers: json } as const
  return {
    title: `operation ${name}, 1 MB`,
    isOperators: true,
    plain: { ...request, ...plain },
    shapes: shapesOf(request, places, operatorBytes),
  }
}

const client = { organization: 'Bench', name: 'Another' }
const organization = { name: 'Another', clients: [], webhooks: [], investors: [] }

/** The service reads this body completely before it refuses it, and stores nothing. */
const almostGood = `{"organizations":[${within(
  organization,
  'investors',
)(
  `[${fillWith((number) => JSON.stringify({ partner_customer_ref: `ref-${number}`, profile }), operatorBytes)}]`,
)}],"unknown":1}`

const operatorInputs: readonly ShapeGroup[] = [
  operatorGroup('organization.create', { name: within({}, 'name') }),
  operatorGroup('client.create', { scopes: within(client, 'scopes') }),
  operatorGroup(
    'fixtures.apply',
    {
      organizations: within({}, 'organizations'),
      cooperatives: within({}, 'cooperatives'),
      clients: (text) => `{"organizations":[${within(organization, 'clients')(text)}]}`,
      investors: (text) => `{"organizations":[${within(organization, 'investors')(text)}]}`,
    },
    { title: 'valid investors, and an unknown field at the end', body: almostGood },
  ),
]
