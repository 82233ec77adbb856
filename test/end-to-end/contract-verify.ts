import { join } from 'node:path'
import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { runCoopshare, type Served, serve } from '../../fixtures/program/serve.ts'
import { findUnusedPort, startPeer } from '../../fixtures/servers/peer.ts'
import { type Rewrites, startRewritingProxy } from '../../fixtures/servers/rewriting-proxy.ts'

t.test('contract verify passes for a deployment that conforms to the contract', async (t) => {
  const demo = await serveDemo(t)
  t.test('every read operation passes', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperative +200 +ok/m)
    t.match(stdout, /^All responses match 1\.6\.0\.$/m)
    t.notMatch(stdout, /provisionInvestor/)
  })

  t.test('a complete order passes with --write', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo, '--write')
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^cancelSharePurchase +200 +ok/m)
  })

  t.test('an order passes if the smallest possible order is also the largest', async (t) => {
    const directory = t.testdir({ 'large.json': JSON.stringify([large]) })
    const own = await serve(t, ['--demo', '--data-dir', directory, '--log-level', 'silent'])
    const file = join(directory, 'large.json')
    const imported = await runCommand(CooperativeImport, file, '--data-dir', directory)
    t.equal(imported.exitCode, 0, imported.stderr)
    const { stdout, exitCode } = await verify(own.base_url, own, '--write')
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^All responses match 1\.6\.0\.$/m)
  })

  t.test('a complete order passes for a deployment whose clock is in the past', async (t) => {
    const past = ['--bench', '--now', '2026-11-20T10:00:00Z', '--log-level', 'silent']
    const own = await serve(t, ['--demo', '--data-dir', t.testdir(), ...past])
    const { stdout, exitCode } = await verify(own.base_url, own, '--write')
    t.equal(exitCode, 0, stdout)
  })

  t.test('a proxy that changes a name, a header or a published file is found', async (t) => {
    for (const { changes, difference } of changedByProxy) {
      const url = await startRewritingProxy(t, demo.base_url, changes)
      const { stdout, exitCode } = await verify(url, demo)
      t.equal(exitCode, 4)
      t.match(stdout, new RegExp(`^First difference: ${difference}$`, 'm'))
      t.match(stdout, /^readCooperative +404 +ok/m, 'all other operations are still called')
    }
  })

  t.test('a client with a wrong secret fails', async (t) => {
    const wrong = { ...demo, client_secret: 'wrong' }
    const { stdout, stderr, exitCode } = await verify(demo.base_url, wrong)
    t.equal(exitCode, 4)
    t.match(stdout, 'First difference: issueToken answered 401 invalid_client instead of 200')
    t.match(stdout, /^readClient +- +differs +not called: there is no access token$/m)
    t.equal(stderr, '')
  })

  t.test('a server without TLS is recognized', async (t) => {
    const { stderr, exitCode } = await verify(demo.base_url.replace('http:', 'https:'), demo)
    t.equal(exitCode, 5)
    t.match(stderr, /does not speak TLS \(\w+\)\. Is it an http address\?/)
  })

  t.test('a timeout that is longer than a timer allows is accepted', async (t) => {
    const { stderr, exitCode } = await verify(demo.base_url, demo, '--timeout', '3000000')
    t.equal(exitCode, 2)
    t.match(stderr, '2147483')
  })

  t.test('the secret comes from a variable and is never shown', async (t) => {
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

  t.test('operations without data are skipped', async (t) => {
    const url = await startRewritingProxy(t, demo.base_url, {
      '/v1/cooperatives': ({ text }) => ({
        text: text.replace(/"hero_image_url":"[^"]+"/g, '"hero_image_url":null'),
      }),
    })
    const { stdout, exitCode } = await verify(url, demo)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperativeImage +- +skipped +-$/m)
    t.match(stdout, /^Skipped 1 of \d+ operations because the deployment has no data for them\.$/m)
  })
})

t.test('an invalid address is wrong usage, and the error does not repeat it', async (t) => {
  for (const url of [
    '127.0.0.1:8080',
    'http://user:pass@localhost',
    'ftp://localhost',
    'http://a/?b',
  ]) {
    const { stderr, exitCode } = await verify(url, { client_id: 'any', client_secret: 'any' })
    t.equal(exitCode, 2, url)
    t.match(stderr, '--url must be an http or https address')
    t.notMatch(stderr, url)
  }
})

t.test('a host that gives every request the same answer gets a full report', async (t) => {
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

t.test('an address without a service has exit code 5', async (t) => {
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

const changedByProxy: readonly { readonly changes: Rewrites; readonly difference: string }[] = [
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
    difference: 'readContractAsJson is not the published document',
  },
]
