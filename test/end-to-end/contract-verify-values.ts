import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import { type Changes, startChangingProxy } from '../../fixtures/changing-proxy.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { type Served, serve } from '../../fixtures/served.ts'

const someId = '11111111-2222-4333-8444-555555555555'
const orders = '/v1/investors/{id}/share-purchases'

t.test('contract verify compares values, too', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
  for (const { title, changes, differing, write = true } of changedByProxy) {
    t.test(title, async (t) => {
      const { stdout, exitCode } = await verifyChanged(t, demo, { changes, write })
      t.equal(exitCode, 4, stdout)
      for (const line of differing) t.match(stdout, new RegExp(`^${line}$`, 'm'))
      t.equal(stdout.match(/ differs /g)?.length, differing.length, stdout)
      t.match(stdout, /^readCooperative +404 +ok/m, 'the rest is asked all the same')
    })
  }

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
      'readLiveness +- +differs +no answer: the connection broke off, or 30 seconds had passed',
      'readReferencePage +- +differs +no answer: the connection broke off, or 30 seconds had passed',
    ],
  },
  {
    title: 'another X-Request-Id, another trace_id; but not a field that is new',
    write: false,
    changes: {
      '/readyz': ({ text }) => ({ text, headers: { 'x-request-id': 'another' } }),
      '400 /v1/cooperatives?sort=unknown': replace(/"trace_id":"[^"]+"/, '"trace_id":"another"'),
      '/v1/me': replace(/^\{/, '{"surplus":1,'),
    },
    differing: [
      'readReadiness +200 +differs +header X-Request-Id is not the one that was sent',
      'listCooperatives +400 +differs +/trace_id is not the X-Request-Id of the answer',
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
      'readContractManifest +200 +differs +/latest is 9\\.9\\.9, the last of /versions is 1\\.6\\.0',
      'readLatestContractAsYaml +200 +differs +is not 9\\.9\\.9\\.yaml: the manifest has no sha256 of it',
      'readLatestContractAsJson +200 +differs +is not 9\\.9\\.9\\.json: the manifest has no sha256 of it',
    ],
  },
]

function verifyChanged(
  t: Test,
  { base_url, client_id = '', client_secret = '' }: Served,
  { changes, write }: { readonly changes: Changes; readonly write: boolean },
) {
  return startChangingProxy(t, base_url, changes).then((url) =>
    runCommand(
      ContractVerify,
      ...['--url', url, '--client-id', client_id, '--client-secret', client_secret],
      ...(write ? ['--write'] : []),
    ),
  )
}
