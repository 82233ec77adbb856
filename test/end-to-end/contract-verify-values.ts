import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import { type Changes, startChangingProxy } from '../../fixtures/changing-proxy.ts'
import { demoClients } from '../../fixtures/contract/demo-service.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { type Served, serve } from '../../fixtures/served.ts'
import { verifyContract } from '../../src/cli/verify-contract/verify-contract.ts'
import { documents } from '../../src/contract/documents.ts'

const someId = '11111111-2222-4333-8444-555555555555'
const orders = '/v1/investors/{id}/share-purchases'

t.test('contract verify compares values, too', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
  for (const { title, changes, differing, write = true } of [...changedByProxy, ...wrongByProxy]) {
    t.test(title, async (t) => {
      const { stdout, exitCode } = await verifyChanged(t, demo, { changes, write })
      t.equal(exitCode, 4, stdout)
      for (const line of differing) t.match(stdout, new RegExp(`^${line}$`, 'm'))
      t.equal(stdout.match(/ differs /g)?.length, differing.length, stdout)
      t.match(stdout, /^readCooperative +(404|-) /m, 'the rest is asked all the same')
    })
  }

  t.test('an answer that does not end is waited for once, and nothing more is asked', async (t) => {
    const changes: Changes = { '/docs': ({ text }) => ({ text, hangs: true }) }
    const url = await startChangingProxy(t, demo.base_url, changes)
    const { stdout, exitCode } = await verify(url, demo, '--timeout', '5')
    t.equal(exitCode, 4, stdout)
    t.match(stdout, /^First difference: readReferencePage no answer: 5 s had passed$/m)
    t.match(
      stdout,
      /^listCooperatives +- +differs +not asked: readReferencePage had no answer in time$/m,
    )
    t.equal(stdout.match(/ no answer: /g)?.length, 2, 'in the table, and below it')
  })

  t.test('a client is verified for what it may see', async (t) => {
    const [client_id, client_secret] = demoClients.catalogue
    const catalogue = { ...demo, client_id, client_secret }
    const { stdout, exitCode } = await verify(demo.base_url, catalogue)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperative +200 +ok/m)
    t.match(stdout, /^readInvestor +- +passed over +lacks investors:read$/m)
    const missing = 'investors:read, applications:read, portfolio:read'
    const line = new RegExp(
      `^Passed over: 5 of \\d+, for which the client lacks ${missing}\\.$`,
      'm',
    )
    t.match(stdout, line)
    const written = await verify(demo.base_url, catalogue, '--write')
    t.equal(written.exitCode, 4, 'an order was to be placed')
    t.match(
      written.stdout,
      /^First difference: placeSharePurchase not asked: the token lacks applications:write$/m,
    )
  })

  t.test('a journey without a single order does not hold', async (t) => {
    const { stdout, exitCode } = await verifyChanged(t, demo, { changes: noCatalogue, write: true })
    t.equal(exitCode, 4, stdout)
    t.match(
      stdout,
      /^First difference: placeSharePurchase not asked: the catalogue is empty; publish a cooperative/m,
    )
    t.match(stdout, /^Passed over: \d+ of \d+, for which the deployment has nothing\.$/m)
  })

  t.test('an empty catalogue holds as long as it is only read', async (t) => {
    const { stdout, exitCode } = await verifyChanged(t, demo, {
      changes: noCatalogue,
      write: false,
    })
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^Passed over: 4 of \d+, for which the deployment has nothing\.$/m)
  })
})

t.test('contract verify and a deployment of other versions', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
  const { base_url, client_id: clientId = '', client_secret: clientSecret = '' } = demo
  const verifyWith = (url: string, published: Readonly<Record<string, string>>) =>
    verifyContract({ url, clientId, clientSecret }, { write: false, timeoutSeconds: 30 }, published)

  t.test('a version that this program does not know is passed over, and said', async (t) => {
    const { stdout, exitCode } = await verifyChanged(t, demo, {
      changes: {
        '/openapi/manifest.json': ({ text }) => ({
          text: withVersion(text, '1.7.0', { isLatest: true }),
        }),
        '/docs': replace(/1\.6\.0/g, '1.7.0'),
      },
      write: false,
    })
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^All as in 1\.6\.0\.$/m)
    t.match(stdout, /^Passed over: 1\.7\.0, which this program does not know\.$/m)
  })

  for (const { title, draft } of [
    { title: 'a draft of this program says nothing of a deployment without it', draft: true },
    {
      title: 'a newer version of this program says nothing of a deployment without it',
      draft: false,
    },
  ]) {
    t.test(title, async (t) => {
      const { holds, versions, operations } = await verifyWith(base_url, {
        ...documents,
        '1.7.0.json': documents['1.6.0.json'].replace('/v1/me', '/v1/myself'),
        'manifest.json': withVersion(documents['manifest.json'], '1.7.0', { draft }),
      })
      t.ok(holds, JSON.stringify(operations))
      t.same(versions, ['1.6.0'])
    })
  }

  const older = JSON.stringify(withoutLivenessAndUnchanged())
  const published = {
    ...documents,
    '1.5.0.json': older,
    'manifest.json': withVersion(documents['manifest.json'], '1.5.0', { isLast: true, older }),
  }

  t.test('an operation and a status that came later are measured by the later ones', async (t) => {
    const url = await startChangingProxy(t, base_url, {
      '/openapi/manifest.json': () => ({ text: published['manifest.json'] }),
      '404 /openapi/1.5.0.json': () => ({
        text: older,
        status: 200,
        headers: {
          etag: '"older"',
          'content-type': 'application/json',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      }),
    })
    const { holds, versions, operations } = await verifyWith(url, published)
    t.ok(holds, JSON.stringify(operations))
    t.same(versions, ['1.6.0', '1.5.0'])
  })

  t.test('a version that was published may not be gone', async (t) => {
    const { operations } = await verifyWith(base_url, published)
    t.same(
      operations.filter(({ holds }) => !holds).map(({ difference }) => difference),
      ['/versions lacks 1.5.0, which was published'],
    )
  })
})

function withoutLivenessAndUnchanged() {
  const { paths, ...rest } = JSON.parse(documents['1.6.0.json'])
  const { '/livez': livez, '/v1/cooperatives': list, ...others } = paths
  const { '304': unchanged, ...responses } = list.get.responses
  const cooperatives = { ...list, get: { ...list.get, responses } }
  return { ...rest, paths: { ...others, '/v1/cooperatives': cooperatives } }
}

interface Added {
  readonly draft?: boolean
  readonly isLatest?: boolean
  readonly isLast?: boolean
  readonly older?: string
}

function withVersion(manifest: string, version: string, added: Added): string {
  const { draft = false, isLatest = false, isLast = false, older } = added
  const { latest, versions } = JSON.parse(manifest)
  const sha256 = createHash('sha256')
    .update(older ?? '')
    .digest('hex')
  const files = older
    ? [{ name: `${version}.json`, sha256 }]
    : versions[0].files.map(({ name, ...file }: { readonly name: string }) => ({
        ...file,
        name: name.replace('1.6.0', version),
      }))
  const entry = { ...versions[0], version, files, ...(draft && { draft }) }
  return JSON.stringify({
    latest: isLatest ? version : latest,
    versions: isLast ? [...versions, entry] : [entry, ...versions],
  })
}

function replace(pattern: RegExp, by: string): Changes[string] {
  return ({ text }) => ({ text: text.replace(pattern, by) })
}

const noCatalogue: Changes = {
  '/v1/cooperatives': ({ text }) => ({
    text: JSON.stringify({ ...JSON.parse(text), items: [], total_items: 0, total_pages: 0 }),
  }),
}

interface Changed {
  readonly title: string
  readonly changes: Changes
  /** Each line of the table that says so, and no other. */
  readonly differing: readonly string[]
  readonly write?: boolean
}

const changedByProxy: readonly Changed[] = [
  {
    title: 'a replay without its header, another investor, lists without what they should hold',
    changes: {
      [`201 ${orders}`]: ({ text }) => ({ text, headers: { 'idempotent-replayed': undefined } }),
      '200 /v1/investors': replace(/"investor_id":"[^"]+"/, `"investor_id":"${someId}"`),
      [orders]: replace(/"items":\[.*\]/, '"items":[]'),
      '/v1/investors/{id}/holdings': replace(/"items":\[.*\]/, '"items":[]'),
      '/v1/investors/{id}': replace(/"investor_id":"[^"]+"/, `"investor_id":"${someId}"`),
      [`${orders}/{id}/cancel`]: replace(/"status":"cancelled"/, '"status":"submitted"'),
    },
    differing: [
      `provisionInvestor +200 +differs +/investor_id is "${someId}" instead of ".+"`,
      `readInvestor +200 +differs +/investor_id is "${someId}" instead of ".+"`,
      'placeSharePurchase +201 +differs +header Idempotent-Replayed is not true, though the key came before',
      'listSharePurchases +200 +differs +/total_items is 1, but /items holds 0 on the only page',
      'listHoldings +200 +differs +/total_items is 1, but /items holds 0 on the only page',
      'cancelSharePurchase +200 +differs +/status is "submitted" instead of "cancelled"',
    ],
  },
  {
    title: 'a replay with another order, and a list of another one',
    changes: {
      [`201 ${orders}`]: ({ text, headers }) => ({
        text: headers['idempotent-replayed']
          ? text.replace(/"share_purchase_id":"[^"]+"/, `"share_purchase_id":"${someId}"`)
          : text,
      }),
      [orders]: replace(/"share_purchase_id":"[^"]+"/, `"share_purchase_id":"${someId}"`),
      '/v1/investors/{id}/holdings': replace(
        /"cooperative_id":"[^"]+"/,
        `"cooperative_id":"${someId}"`,
      ),
    },
    differing: [
      `placeSharePurchase +201 +differs +/share_purchase_id is "${someId}" instead of ".+"`,
      'listSharePurchases +200 +differs +/items lacks share_purchase_id ".+"',
      'listHoldings +200 +differs +/items lacks cooperative_id ".+"',
    ],
  },
  {
    title: 'connections that break off',
    write: false,
    changes: {
      '/livez': ({ text }) => ({ text, breaksOff: 'before' }),
      '/docs': ({ text }) => ({ text, breaksOff: 'within' }),
    },
    differing: [
      'readLiveness +- +differs +no answer: the connection broke off',
      'readReferencePage +- +differs +no answer: the connection broke off',
    ],
  },
  {
    title: 'another X-Request-Id, another trace_id, another code; but not a field that is new',
    write: false,
    changes: {
      '/readyz': ({ text }) => ({ text, headers: { 'x-request-id': 'another' } }),
      '422 /v1/cooperatives?near_lat=48': replace(/VALIDATION_ERROR|validation-error/g, 'NEW'),
      '400 /v1/cooperatives?sort=unknown': replace(/"trace_id":"[^"]+"/, '"trace_id":"another"'),
      '/v1/me': replace(/^\{/, '{"surplus":1,'),
    },
    differing: [
      'readReadiness +200 +differs +header X-Request-Id is not the one that was sent',
      'listCooperatives +400 +differs +/trace_id is not the X-Request-Id of the answer',
      'listCooperatives +422 +differs +/code is "NEW" instead of "VALIDATION_ERROR"',
    ],
  },
  {
    title: 'a redirect',
    write: false,
    changes: {
      '/livez': ({ text }) => ({
        text,
        status: 301,
        headers: { location: 'https://another.example/livez' },
      }),
    },
    differing: [
      'readLiveness +301 +differs +answered 301 to https://another\\.example/livez instead of 200',
    ],
  },
  {
    title: 'a list that is none',
    write: false,
    changes: { '/v1/cooperatives': replace(/"items":\[.*\]/, '"items":{}') },
    differing: [
      'listCooperatives +200 +differs +/items must be array',
      'listCooperatives +- +differs +not asked: listCooperatives differs',
      'readCooperative +- +differs +not asked: listCooperatives differs',
      'readCooperative +- +differs +not asked: listCooperatives differs',
      'readCooperativeImage +- +differs +not asked: listCooperatives differs',
      'readProjectImage +- +differs +not asked: readCooperative differs',
    ],
  },
  {
    title: 'documents that are not those of the manifest',
    write: false,
    changes: {
      '/openapi.json': replace(/Partner Investing API/, 'Another API'),
      '/openapi/manifest.json': ({ text }) => ({
        text: text.replace(/("1\.6\.0\.yaml",\s+"sha256": ")[^"]+/, `$1${'0'.repeat(64)}`),
      }),
    },
    differing: [
      'readLatestContractAsYaml +200 +differs +is not 1\\.6\\.0\\.yaml: the manifest has another sha256',
      'readLatestContractAsJson +200 +differs +is not 1\\.6\\.0\\.json: the manifest has another sha256',
      'readContractAsYaml +200 +differs +is not 1\\.6\\.0\\.yaml: the manifest has another sha256',
    ],
  },
  {
    title: 'a latest version that there is not',
    write: false,
    changes: { '/openapi/manifest.json': replace(/"latest": "[^"]+"/, '"latest": "9.9.9"') },
    differing: [
      'readContractManifest +200 +differs +/latest is 9\\.9\\.9, the first of /versions is 1\\.6\\.0',
      'readLatestContractAsYaml +200 +differs +is not 9\\.9\\.9\\.yaml: the manifest has no sha256 of it',
      'readLatestContractAsJson +200 +differs +is not 9\\.9\\.9\\.json: the manifest has no sha256 of it',
      'readReferencePage +200 +differs +is not a page of 9\\.9\\.9',
    ],
  },
]

const another = (name: string, by: string) => replace(new RegExp(`"${name}":[^,}]+`, 'g'), by)
const total = another('total', '"total":"1.00"')
const notOfTotal = '/total is "1\\.00" instead of ".+"'

const wrongByProxy: readonly Changed[] = [
  {
    title: 'a total that nobody computed, another client, a profile that was not kept',
    changes: {
      '/v1/me': another('client_id', `"client_id":"${someId}"`),
      '/v1/investors/{id}/profile': another('first_name', '"first_name":null'),
      '/v1/investors/{id}': replace(/"address":\{[^}]+\}/, '"address":null'),
      [`201 ${orders}`]: total,
      [orders]: total,
      [`${orders}/{id}`]: total,
      [`${orders}/{id}/cancel`]: total,
    },
    differing: [
      `readClient +200 +differs +/client_id is "${someId}" instead of ".+"`,
      'replaceProfile +200 +differs +/first_name is null instead of "Vera"',
      'readInvestor +200 +differs +/profile/address is null instead of \\{"street":.+',
      `placeSharePurchase +201 +differs +${notOfTotal}`,
      `placeSharePurchase +201 +differs +${notOfTotal}`,
      'listSharePurchases +200 +differs +/items/0/total is "1\\.00" instead of ".+"',
      `readSharePurchase +200 +differs +${notOfTotal}`,
      `cancelSharePurchase +200 +differs +${notOfTotal}`,
    ],
  },
  {
    title:
      'a replay of what is new, a whole profile that is not complete, pages and fields that nobody asked for',
    changes: {
      '/v1/me': replace(/"granted_scopes":\[[^\]]*\]/, '"granted_scopes":[]'),
      '/v1/cooperatives': another('page', '"page":3'),
      '/v1/investors/{id}/profile': replace(
        /true,"missing_profile_fields":\[\]/,
        'false,"missing_profile_fields":["tax_id"]',
      ),
      [`201 ${orders}`]: ({ text }) => ({ text, headers: { 'idempotent-replayed': 'true' } }),
      [orders]: another('total_pages', '"total_pages":99'),
      '/v1/investors/{id}/holdings': another('size', '"size":7'),
      '422 /v1/investors/{id}/profile': replace(/"profile\.bank_account\.iban":/, '"iban":'),
      [`422 ${orders}`]: replace(/"share_count":/, '"shareCount":'),
    },
    differing: [
      'readClient +200 +differs +/granted_scopes is \\[\\] instead of .+',
      'listCooperatives +200 +differs +/page is 3 instead of 1',
      'replaceProfile +422 +differs +/errors is \\["iban"\\] instead of \\["profile\\.bank_account\\.iban"\\]',
      'replaceProfile +200 +differs +/is_profile_complete is false instead of true',
      'placeSharePurchase +422 +differs +/errors is \\["shareCount"\\] instead of \\["share_count"\\]',
      'placeSharePurchase +201 +differs +header Idempotent-Replayed is there, though the key is new',
      'listSharePurchases +200 +differs +/total_pages is 99 instead of 1',
      'listHoldings +200 +differs +/size is 7 instead of 20',
    ],
  },
  {
    title: 'a whole IBAN, fields that were retired, problems of another place',
    changes: {
      '401 /v1/me': replace(/"type":"[^"]+\/errors/, '"type":"https://another.example/errors'),
      '404 /v1/investors/{id}/holdings': another('instance', '"instance":"/v1/holdings"'),
      '422 /v1/cooperatives?near_lat=48': replace(/^\{/, '{"errors":{"near_lng":"is missing"},'),
      '/v1/investors/{id}/profile': replace(
        /"bank_account":\{/,
        '"bank_account":{"iban":"DE89 3704 0044 0532 0130 00",',
      ),
      '/v1/investors/{id}': replace(/^\{/, '{"birth_day":29,'),
      [orders]: replace(/"items":\[\{/, `"items":[{"id":"${someId}",`),
      [`${orders}/{id}`]: replace(/^\{/, '{"acknowledged_at":null,'),
    },
    differing: [
      'readClient +401 +differs +/type is "https://another\\.example/errors/unauthenticated" instead of ".+"',
      'listCooperatives +422 +differs +/errors is there, for a parameter',
      'listHoldings +404 +differs +/instance is "/v1/holdings" instead of ".+"',
      'replaceProfile +200 +differs +/bank_account/iban is the whole IBAN',
      'readInvestor +200 +differs +/birth_day is there, though it was retired',
      'listSharePurchases +200 +differs +/items/0/id is there, though it was retired',
      'readSharePurchase +200 +differs +/acknowledged_at is there, though it was retired',
    ],
  },
  {
    title: 'a set without keys, another set, numbers that are none',
    write: false,
    changes: {
      '/.well-known/jwks.json': replace(/"keys":\[.*\]/, '"keys":[]'),
      '/v1/me': ({ text }) => ({ text, headers: { 'ratelimit-reset': '0x258' } }),
      '404 /v1/investors/{id}': ({ text }) => ({ text, headers: { 'ratelimit-reset': '' } }),
    },
    differing: [
      'readKeySet +200 +differs +the access token is not good by these keys: no applicable key found in the JSON Web Key Set',
      'readKeySetAtOAuthPath +200 +differs +is not the set that /\\.well-known/jwks\\.json has',
      'readClient +200 +differs +header RateLimit-Reset must be integer',
      'readInvestor +404 +differs +header RateLimit-Reset must be integer',
    ],
  },
  {
    title: 'a token that is said to carry nothing',
    write: false,
    changes: { '/oauth2/token': another('scope', '"scope":""') },
    differing: [
      'readKeySet +200 +differs +the access token: /scope is ".+" instead of ""',
      'readKeySetAtOAuthPath +200 +differs +the access token: /scope is ".+" instead of ""',
      'readClient +200 +differs +/token_scopes is .+ instead of ""',
    ],
  },
  {
    title: 'keys of other bytes under the same id, a path of another service',
    write: false,
    changes: {
      '/.well-known/oauth-authorization-server': another(
        'jwks_uri',
        '"jwks_uri":"https://another.example/jwks"',
      ),
      '/.well-known/jwks.json': replace(/("n":".{20})..../, '$1AAAA'),
      '/oauth2/jwks': replace(/("n":".{20})..../, '$1AAAA'),
    },
    differing: [
      'readAuthorizationServer +200 +differs +/jwks_uri is "https://another\\.example/jwks" instead of ".+"',
      'readKeySet +200 +differs +the access token is not good by these keys: signature verification failed',
      'readKeySetAtOAuthPath +200 +differs +the access token is not good by these keys: signature verification failed',
    ],
  },
  {
    title: 'an issuer that is not that of the token and of the problems',
    write: false,
    changes: {
      '/.well-known/oauth-authorization-server': replace(
        /http:\/\/[^/"]+/g,
        'http://another.example',
      ),
    },
    differing: [
      'readKeySet +200 +differs +.+ unexpected "iss" claim value',
      'readKeySetAtOAuthPath +200 +differs +.+ unexpected "iss" claim value',
      'readClient +401 +differs +/type is .+ instead of "http://another\\.example/errors/unauthenticated"',
      'listCooperatives +400 +differs +/type is .+',
      'listCooperatives +422 +differs +/type is .+',
      ...[
        'readCooperative',
        'findInvestor',
        'readInvestor',
        'listSharePurchases',
        'readSharePurchase',
        'listHoldings',
      ].map((operation) => `${operation} +404 +differs +/type is .+`),
    ],
  },
  {
    title:
      'a page that is none, foreign scripts, another charset, what is pinned kept for five minutes',
    write: false,
    changes: {
      '/docs': () => ({ text: 'nothing' }),
      '/livez': ({ text }) => ({
        text,
        headers: { 'content-type': 'application/json; charset=iso-8859-1' },
      }),
      '/images/cooperatives/{id}/hero': ({ text }) => ({
        text,
        headers: { 'content-security-policy': "default-src 'none'; script-src * 'unsafe-inline'" },
      }),
      '/openapi/1.6.0.json': ({ text }) => ({
        text,
        headers: { 'cache-control': 'public, max-age=300' },
      }),
      '/openapi.json': ({ text }) => ({
        text,
        headers: { 'cache-control': 'public, max-age=31536000, immutable' },
      }),
    },
    differing: [
      'readLiveness +200 +differs +content-type: the charset is iso-8859-1 instead of utf-8',
      'readLatestContractAsJson +200 +differs +header Cache-Control is public, max-age=31536000, immutable instead of public, max-age=300',
      'readReferencePage +200 +differs +is no page of HTML',
      'readContractAsJson +200 +differs +header Cache-Control is public, max-age=300 instead of public, max-age=31536000, immutable',
      'readCooperativeImage +200 +differs +header Content-Security-Policy lets in scripts of \\*',
    ],
  },
]

async function verifyChanged(
  t: Test,
  demo: Served,
  { changes, write }: { readonly changes: Changes; readonly write: boolean },
) {
  const url = await startChangingProxy(t, demo.base_url, changes)
  return verify(url, demo, ...(write ? ['--write'] : []))
}

function verify(
  url: string,
  { client_id = '', client_secret = '' }: Served,
  ...more: readonly string[]
) {
  const credentials = ['--client-id', client_id, '--client-secret', client_secret]
  return runCommand(ContractVerify, '--url', url, ...credentials, ...more)
}
