import type { Execution } from 'newman'
import t from 'tap'
import { contract } from '../../fixtures/contract/contract.ts'
import { demoClients } from '../../fixtures/contract/demo-service.ts'
import { findOperation } from '../../fixtures/contract/operations.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { runCollection } from '../../fixtures/program/run-collection.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { listOperations } from '../../src/contract/document.ts'

t.test('the published collection runs with the credentials of a partner', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
  const { client_id = '', client_secret = '' } = demo
  const partner = await signIn(demo.base_url, { client_id, client_secret })
  const readOrder = async ({ response }: Execution) => {
    const { investor_id, share_purchase_id } = JSON.parse(response?.text() ?? '{}')
    const path = `/v1/investors/${investor_id}/share-purchases/${share_purchase_id}`
    return (await partner.send('GET', path)).body
  }

  t.test('the collection runs from top to bottom and places an order [S-versions-5]', async (t) => {
    const { stats, failures, executions } = await runCollection(demo)
    t.strictSame(failures, [])
    t.strictSame([stats.requests.failed, stats.assertions.failed], [0, 0])
    for (const { item, response, assertions = [] } of executions) {
      t.ok(response && assertions.length > 0, `${item.name} has an answer, and its tests have run`)
    }
    t.strictSame(
      [...new Set(executions.map(operationOf))].sort(),
      listOperations(contract)
        .map(({ operation }) => operation.operationId)
        .sort(),
      'every operation of the contract is called',
    )
    const placed = executions.filter((one) => operationOf(one) === 'placeSharePurchase')
    const orders = await Promise.all(placed.map(readOrder))
    t.strictSame(
      orders.map(({ status }) => status),
      ['submitted', 'cancelled'],
    )
  })

  t.test('the collection requests its own token, whichever request runs first', async (t) => {
    const { failures, executions } = await runCollection(demo, {
      folder: 'A cancelled order',
      baseUrl: `${demo.base_url}/`,
    })
    t.strictSame(failures, [])
    const assertions = executions.flatMap((one) => one.assertions ?? [])
    t.match(assertions[0], { assertion: 'the service issues an access token', error: undefined })
  })

  t.test('the collection says why there is no token, and does not show the secret', async (t) => {
    const { failures, stats } = await runCollection(demo, {
      folder: 'A cancelled order',
      clientSecret: 'a-wrong-secret',
    })
    const [first] = failures
    t.match(first?.error.message, /^\{"error":"invalid_client".* expected 401 to equal 200$/)
    t.notMatch(JSON.stringify(failures.map(({ error }) => error.message)), 'a-wrong-secret')
    t.equal(stats.requests.total, 1, 'no request is sent without a token')
  })

  t.test('the collection stops at the first answer that the next request cannot use', async (t) => {
    const [clientId, clientSecret] = demoClients.catalogue
    const { failures, executions } = await runCollection(demo, { clientId, clientSecret })
    t.match(failures, { length: 1 })
    t.match(failures[0]?.error.message, 'INSUFFICIENT_SCOPE')
    t.equal(executions.map(operationOf).at(-1), 'provisionInvestor')
  })
})

function operationOf({ request }: Execution): string | undefined {
  const [path = ''] = request.url.getPathWithQuery().split('?')
  return findOperation(request.method, path)?.operation.operationId
}
