import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import { changedByProxy, replace } from '../../fixtures/contract/changed-answers.ts'
import { demoClients } from '../../fixtures/contract/demo-service.ts'
import { wrongByProxy } from '../../fixtures/contract/wrong-answers.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { type Served, serve } from '../../fixtures/program/serve.ts'
import { type Rewrites, startRewritingProxy } from '../../fixtures/servers/rewriting-proxy.ts'
import { documents } from '../../src/contract/documents.ts'
import { verifyContract } from '../../src/tools/contract/verify-contract.ts'

/** The rate limit for tokens is high, because all runs request tokens within the same minute. */
const quietly = ['--log-level', 'silent', '--token-rate-limit', '1000']

t.test('contract verify compares values', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), ...quietly])
  for (const { title, changes, differing, write = true } of [...changedByProxy, ...wrongByProxy]) {
    t.test(title, async (t) => {
      const { stdout, exitCode } = await verifyChanged(t, demo, { changes, write })
      t.equal(exitCode, 4, stdout)
      for (const line of differing) t.match(stdout, new RegExp(`^${line}$`, 'm'))
      t.equal(stdout.match(/ differs /g)?.length, differing.length, stdout)
      t.match(stdout, /^readCooperative +(404|-) /m, 'all other operations are still called')
    })
  }

  t.test('contract verify stops after a single answer that never ends', async (t) => {
    const changes: Rewrites = { '/docs': ({ text }) => ({ text, hangs: true }) }
    const url = await startRewritingProxy(t, demo.base_url, changes)
    const { stdout, exitCode } = await verify(url, demo, '--timeout', '5')
    t.equal(exitCode, 4, stdout)
    t.match(stdout, /^First difference: readReferencePage no response: 5 s have passed$/m)
    t.match(
      stdout,
      /^listCooperatives +- +differs +not called: readReferencePage got no response in time$/m,
    )
    t.equal(stdout.match(/ no response: /g)?.length, 2, 'in the table and below it')
  })

  t.test('contract verify stops reading a body that is too large, and continues', async (t) => {
    const spaces = ' '.repeat(64 * 1024)
    const changes: Rewrites = { '/docs': ({ text }) => ({ text: text + spaces, repeats: true }) }
    const url = await startRewritingProxy(t, demo.base_url, changes)
    const { stdout, exitCode } = await verify(url, demo, '--timeout', '5')
    t.equal(exitCode, 4, stdout)
    t.match(stdout, /^First difference: readReferencePage the body has more than 8 MiB$/m)
    t.equal(stdout.match(/ differs /g)?.length, 1, stdout)
  })

  t.test(
    'contract verify reports an answer that is nested too deeply, and continues',
    async (t) => {
      const deep = `{"keys":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`
      const changes: Rewrites = { '/.well-known/jwks.json': () => ({ text: deep }) }
      const url = await startRewritingProxy(t, demo.base_url, changes)
      const { stdout, exitCode } = await verify(url, demo)
      t.equal(exitCode, 4, stdout)
      t.match(stdout, /^readKeySet +200 +differs +the body is nested more than 100 levels deep$/m)
      t.equal(stdout.match(/ differs /g)?.length, 1, stdout)
    },
  )

  t.test('contract verify does not read lists of thousands, and continues', async (t) => {
    const version = { version: '9.9.9', files: [] }
    const keys = Object.fromEntries(Array.from({ length: 201 }, (_, number) => [`${number}`, 1]))
    for (const [operation, path, wide] of [
      ['readContractManifest', '/openapi/manifest.json', { versions: Array(2000).fill(version) }],
      ['readContractManifest', '/openapi/manifest.json', { latest: '1.6.0', versions: [], keys }],
      ['readKeySet', '/.well-known/jwks.json', { keys: Array(5000).fill({ kty: 'RSA' }) }],
    ] as const) {
      const changes: Rewrites = { [path]: () => ({ text: JSON.stringify(wide) }) }
      const url = await startRewritingProxy(t, demo.base_url, changes)
      const { stdout, exitCode } = await verify(url, demo)
      t.equal(exitCode, 4, stdout)
      const fault = 'the body has more than 200 fields or entries in one place'
      t.match(stdout, new RegExp(`^${operation} +200 +differs +${fault}$`, 'm'))
      t.equal(stdout.match(/ differs /g)?.length, 1, stdout)
      t.ok(stdout.split('\n').length < 100, 'the single entries are not reported')
    }
  })

  t.test('contract verify checks the operations that the scopes of a client allow', async (t) => {
    const [client_id, client_secret] = demoClients.catalogue
    const catalogue = { ...demo, client_id, client_secret }
    const { stdout, exitCode } = await verify(demo.base_url, catalogue)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperative +200 +ok/m)
    t.match(stdout, /^readInvestor +- +skipped +missing scope: investors:read$/m)
    const missing = 'investors:read, applications:read, portfolio:read'
    const line = new RegExp(
      `^Skipped 5 of \\d+ operations because the client lacks ${missing}\\.$`,
      'm',
    )
    t.match(stdout, line)
    const written = await verify(demo.base_url, catalogue, '--write')
    t.equal(written.exitCode, 4, 'an order was expected')
    t.match(
      written.stdout,
      /^First difference: placeSharePurchase not called: the token lacks applications:write$/m,
    )
  })

  t.test('contract verify --write fails if it can place no order', async (t) => {
    const { stdout, exitCode } = await verifyChanged(t, demo, { changes: noCatalogue, write: true })
    t.equal(exitCode, 4, stdout)
    t.match(
      stdout,
      /^First difference: placeSharePurchase not called: the catalogue is empty; publish a cooperative/m,
    )
    t.match(
      stdout,
      /^Skipped \d+ of \d+ operations because the deployment has no data for them\.$/m,
    )
  })

  t.test('an empty catalogue passes when it is only read', async (t) => {
    const { stdout, exitCode } = await verifyChanged(t, demo, {
      changes: noCatalogue,
      write: false,
    })
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^Skipped 4 of \d+ operations because the deployment has no data for them\.$/m)
  })
})

t.test('contract verify handles a deployment with other versions', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), ...quietly])
  const { base_url, client_id: clientId = '', client_secret: clientSecret = '' } = demo
  const verifyWith = (url: string, published: Readonly<Record<string, string>>) =>
    verifyContract({ url, clientId, clientSecret }, { write: false, timeoutSeconds: 30 }, published)

  t.test('a version that this program does not know is skipped and reported', async (t) => {
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
    t.match(stdout, /^All responses match 1\.6\.0\.$/m)
    t.match(stdout, /^Skipped version 1\.7\.0: this program does not know it\.$/m)
  })

  for (const { title, draft } of [
    { title: 'a deployment need not have a draft of this program', draft: true },
    {
      title: 'a deployment need not have a newer version of this program',
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

  t.test('a later operation or status is checked only against the later versions', async (t) => {
    const url = await startRewritingProxy(t, base_url, {
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

  t.test('a published version must not disappear', async (t) => {
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

const noCatalogue: Rewrites = {
  '/v1/cooperatives': ({ text }) => ({
    text: JSON.stringify({ ...JSON.parse(text), items: [], total_items: 0, total_pages: 0 }),
  }),
}

async function verifyChanged(
  t: Test,
  demo: Served,
  { changes, write }: { readonly changes: Rewrites; readonly write: boolean },
) {
  const url = await startRewritingProxy(t, demo.base_url, changes)
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
