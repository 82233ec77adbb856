import { join } from 'node:path'
import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import { type Changes, startChangingProxy } from '../../fixtures/changing-proxy.ts'
import { findUnusedPort, startPeer } from '../../fixtures/peer.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { runCoopshare, type Served, serve } from '../../fixtures/served.ts'

t.test('a deployment that answers as the contract says', async (t) => {
  const demo = await serveDemo(t)
  t.test('holds in all that it reads', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperative +200 +ok/m)
    t.match(stdout, /^All as in 1\.6\.0\.$/m)
    t.notMatch(stdout, /provisionInvestor/)
  })

  t.test('holds in a whole order, with --write', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo, '--write')
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^cancelSharePurchase +200 +ok/m)
  })

  t.test('holds where the smallest order is the largest one, too', async (t) => {
    const directory = t.testdir({ 'large.json': JSON.stringify([large]) })
    const own = await serve(t, ['--demo', '--data-dir', directory, '--log-level', 'silent'])
    const file = join(directory, 'large.json')
    const imported = await runCommand(CooperativeImport, file, '--data-dir', directory)
    t.equal(imported.exitCode, 0, imported.stderr)
    const { stdout, exitCode } = await verify(own.base_url, own, '--write')
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^All as in 1\.6\.0\.$/m)
  })

  t.test('differs where a proxy changes a name, a header or a published file', async (t) => {
    for (const { changes, difference } of changedByProxy) {
      const url = await startChangingProxy(t, demo.base_url, changes)
      const { stdout, exitCode } = await verify(url, demo)
      t.equal(exitCode, 4)
      t.match(stdout, new RegExp(`^First difference: ${difference}$`, 'm'))
      t.match(stdout, /^readCooperative +404 +ok/m, 'the rest is asked all the same')
    }
  })

  t.test('does not hold for a client whose secret is wrong', async (t) => {
    const wrong = { ...demo, client_secret: 'wrong' }
    const { stdout, stderr, exitCode } = await verify(demo.base_url, wrong)
    t.equal(exitCode, 4)
    t.match(stdout, 'First difference: issueToken answered 401 invalid_client instead of 200')
    t.match(stdout, /^readClient +- +differs +not asked: there is no access token$/m)
    t.equal(stderr, '')
  })

  t.test('is told from one that speaks no TLS', async (t) => {
    const { stderr, exitCode } = await verify(demo.base_url.replace('http:', 'https:'), demo)
    t.equal(exitCode, 5)
    t.match(stderr, /does not speak TLS \(\w+\)\. Is it an http address\?/)
  })

  t.test('is not waited for longer than a timer can', async (t) => {
    const { stderr, exitCode } = await verify(demo.base_url, demo, '--timeout', '3000000')
    t.equal(exitCode, 2)
    t.match(stderr, '2147483')
  })

  t.test('takes the secret from a variable, and never shows it', async (t) => {
    const { client_id = '', client_secret = '' } = demo
    for (const [secret, expected] of [
      [client_secret, 0],
      ['a-secret-of-another', 4],
    ] as const) {
      for (const more of [[], ['--json']]) {
        const argv = ['contract', 'verify', '--url', demo.base_url, ...more]
        const variables = { COOPSHARE_CLIENT_ID: client_id, COOPSHARE_CLIENT_SECRET: secret }
        const { code, stdout, stderr } = await runCoopshare(argv, variables)
        t.equal(code, expected, stderr)
        t.notMatch(`${stdout}${stderr}`, secret)
      }
    }
  })

  t.test('passes over what a deployment has nothing for', async (t) => {
    const url = await startChangingProxy(t, demo.base_url, {
      '/v1/cooperatives': ({ text }) => ({
        text: text.replace(/"hero_image_url":"[^"]+"/g, '"hero_image_url":null'),
      }),
    })
    const { stdout, exitCode } = await verify(url, demo)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperativeImage +- +passed over +-$/m)
    t.match(stdout, /^Passed over: 1 of \d+, for which the deployment has nothing\.$/m)
  })
})

t.test('an address that is none is wrong usage, and is not repeated', async (t) => {
  for (const url of [
    '127.0.0.1:8080',
    'http://user:pass@localhost',
    'ftp://localhost',
    'http://a/?b',
  ]) {
    const { stderr, exitCode } = await verify(url, { client_id: 'any', client_secret: 'any' })
    t.equal(exitCode, 2, url)
    t.match(stderr, '--url has to be an http or https address')
    t.notMatch(stderr, url)
  }
})

t.test('a host that answers the same to everything is told whole', async (t) => {
  const credentials = { client_id: 'any', client_secret: 'any' }
  for (const [status, text] of [
    [200, 'null'],
    [200, '[]'],
    [200, '"x"'],
    [200, '{"keys":{}}'],
    [500, '{"code":{"toString":null}}'],
  ] as const) {
    const { url } = await startPeer(t, (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
    const { stdout, stderr, exitCode } = await verify(url, credentials)
    t.equal(exitCode, 4, stderr)
    t.match(stdout, /^First difference: issueToken /m, text)
    t.match(stdout, new RegExp(`^readReferencePage +${status} +differs`, 'm'), text)
    t.match(stdout, /^listHoldings .+ differs/m, text)
  }
})

t.test('no service at the address ends with 5', async (t) => {
  const url = `http://127.0.0.1:${await findUnusedPort()}`
  const credentials = { client_id: 'any', client_secret: 'any' }
  const { stderr, exitCode } = await verify(url, credentials)
  t.equal(exitCode, 5)
  t.match(stderr, `No service answers at ${url}.`)
})

const large = {
  key: 'large',
  name: 'Groß eG',
  share_price: '50.00',
  energy_category: 'wind',
  minimum_shares: 10_000,
  published: true,
}

function serveDemo(t: Test): Promise<Served> {
  return serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
}

function verify(
  url: string,
  { client_id = '', client_secret = '' }: Pick<Served, 'client_id' | 'client_secret'>,
  ...more: string[]
) {
  const credentials = ['--client-id', client_id, '--client-secret', client_secret]
  return runCommand(ContractVerify, '--url', url, ...credentials, ...more)
}

const changedByProxy: readonly { readonly changes: Changes; readonly difference: string }[] = [
  {
    changes: { '/v1/me': ({ text }) => ({ text: text.replace('"client_id"', '"clientId"') }) },
    difference: 'readClient /client_id is missing',
  },
  {
    changes: { '/v1/me': ({ text }) => ({ text, headers: { 'ratelimit-limit': 'many' } }) },
    difference: 'readClient header RateLimit-Limit must be integer',
  },
  {
    changes: { '/v1/cooperatives': ({ text }) => ({ text, headers: { etag: 'W/"weak"' } }) },
    difference: 'listCooperatives header ETag must match pattern .+',
  },
  {
    changes: { '/openapi/1.6.0.json': ({ text }) => ({ text: `${text}\n` }) },
    difference: 'readContractAsJson is not the document that was published',
  },
]
