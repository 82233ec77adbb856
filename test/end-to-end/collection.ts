import type { Execution } from 'newman'
import t from 'tap'
import { findOperation } from '../../fixtures/contract/find-operation.ts'
import { listOperations } from '../../fixtures/contract/list-operations.ts'
import { signIn } from '../../fixtures/partner-client.ts'
import { runCollection } from '../../fixtures/run-collection.ts'
import { serve } from '../../fixtures/served.ts'

t.test('the published collection, with the credentials of a partner', async (t) => {
  const demo = await serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
  const { client_id = '', client_secret = '' } = demo
  const partner = await signIn(demo.base_url, { client_id, client_secret })
  const readOrder = async ({ response }: Execution) => {
    const { investor_id, share_purchase_id } = JSON.parse(response?.text() ?? '{}')
    const path = `/v1/investors/${investor_id}/share-purchases/${share_purchase_id}`
    return (await partner.send('GET', path)).body
  }

  t.test('runs green from top to bottom, and an order is placed', async (t) => {
    const { stats, failures, executions } = await runCollection(demo)
    t.strictSame(failures, [])
    t.strictSame([stats.requests.failed, stats.assertions.failed], [0, 0])
    for (const { item, response, assertions = [] } of executions) {
      t.ok(response && assertions.length > 0, `${item.name} is answered and looked at`)
    }
    t.strictSame(
      [...new Set(executions.map(operationOf))].sort(),
      listOperations()
        .map(({ operation }) => operation.operationId)
        .sort(),
      'every operation of the contract is asked for',
    )
    const placed = executions.filter((one) => operationOf(one) === 'placeSharePurchase')
    const orders = await Promise.all(placed.map(readOrder))
    t.strictSame(
      orders.map(({ status }) => status),
      ['submitted', 'cancelled'],
    )
  })

  t.test('gets its token itself wherever one begins', async (t) => {
    const { failures, executions } = await runCollection(demo, {
      folder: 'An order that is taken back',
    })
    t.strictSame(failures, [])
    const assertions = executions.flatMap((one) => one.assertions ?? [])
    t.match(assertions[0], { assertion: 'gets an access token', error: undefined })
  })

  t.test('says why there is no token, and not the secret', async (t) => {
    const { failures } = await runCollection(demo, {
      folder: 'An order that is taken back',
      clientSecret: 'a-wrong-secret',
    })
    const [first] = failures
    t.match(first?.error.message, /^\{"error":"invalid_client".* expected 401 to equal 200$/)
    t.notMatch(JSON.stringify(failures.map(({ error }) => error.message)), 'a-wrong-secret')
  })
})

function operationOf({ request }: Execution): string | undefined {
  const [path = ''] = request.url.getPathWithQuery().split('?')
  return findOperation(request.method, path)?.operation.operationId
}
