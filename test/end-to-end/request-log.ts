import t from 'tap'
import { completeProvision, germanIban } from '../../fixtures/builders/investors.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { type Credentials, signIn } from '../../fixtures/program/partner-client.ts'
import { type Served, serve } from '../../fixtures/program/serve.ts'

const demoClient = ({ client_id = '', client_secret = '' }: Served): Credentials => ({
  client_id,
  client_secret,
})

t.test('the request log names client, organization and operation, but no person', async (t) => {
  const dataDirectory = t.testdir()
  const served = await serve(t, ['--demo', '--data-dir', dataDirectory])
  const client = demoClient(served)
  const partner = await signIn(served.base_url, client)
  const provision = { ...completeProvision(), partner_customer_ref: 'person-4711' }
  await partner.send('POST', '/v1/investors', { body: provision })
  await partner.send('GET', '/v1/investors?partner_customer_ref=person-4711')
  await partner.send('GET', '/v1/investors?partner_customer_ref=person-0815')
  await partner.send('GET', '/v1/cooperatives?q=person-search&page=x')
  await (await connectOperator(dataDirectory)).call('organization.list', {})
  await checkedOperatorFetch(`${served.operator_url}/operations/client.list?person-query`, {
    method: 'POST',
    headers: { authorization: 'Bearer person-token' },
  })
  const { stderr } = await served.stop()
  const text = stderr.split('\n').filter((line) => line.startsWith('{'))
  const lines = text.map((line) => JSON.parse(line))

  const { client_id: clientId } = client
  const { organizationId } = lines.find((line) => line.clientId === clientId)
  t.match(organizationId, /^[0-9a-f-]{36}$/)
  const told = lines
    .filter(({ msg }) => msg === 'answered')
    .map((line) => [line.operation, line.status, line.code, line.clientId, line.organizationId])
  const by = [clientId, organizationId]
  for (const expected of [
    ['issueToken', 200, undefined, ...by],
    ['provisionInvestor', 201, undefined, ...by],
    ['findInvestor', 200, undefined, ...by],
    ['findInvestor', 404, 'MANAGED_INVESTOR_NOT_FOUND', ...by],
    ['listCooperatives', 400, 'VALIDATION_ERROR', ...by],
  ]) {
    t.ok(
      told.some((line) => JSON.stringify(line) === JSON.stringify(expected)),
      expected.join(' '),
    )
  }
  const operated = lines.filter(({ msg }) => msg === 'answered an operator')
  t.match(
    operated.find(({ operation }) => operation === 'organization.list'),
    {
      level: 'info',
      status: 200,
      route: '/operations/:name',
    },
  )
  t.match(
    operated.find(({ status }) => status === 401),
    { code: 'UNAUTHENTICATED' },
  )
  t.match(
    lines.find(({ msg }) => /operator token/.test(msg)),
    {
      level: 'warn',
      address: '127.0.0.1',
      requestId: String,
    },
  )
  for (const secret of ['person-', germanIban, provision.email, 'Sonnenschein']) {
    t.notOk(
      text.some((line) => line.includes(secret)),
      secret,
    )
  }
})
