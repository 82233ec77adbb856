import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import {
  findFaults,
  installTools,
  runConsumer,
  startGateway,
} from '../../fixtures/contract/partner-tools.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { orderFor } from '../../fixtures/world/seed-orders.ts'

installTools()

const folder = t.testdir()
const data = join(folder, 'data')
const service = await serve(t, ['--data-dir', data, '--demo', '--log-level', 'silent'])
const {
  listening_url: url,
  operator_url: operatorUrl,
  client_id = '',
  client_secret = '',
} = service
const texts = {
  partner: (await checkedFetch(`${url}/openapi.json`)).text,
  sandbox: (await checkedFetch(`${url}/openapi/sandbox.json`)).text,
  operator: await (await checkedOperatorFetch(`${operatorUrl}/openapi/operator.json`)).text(),
}
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, `${name}.json`), text)

type Node = Readonly<Record<string, unknown>>

/** Visits the schemas in a part of a document that is not a schema. */
function findUntyped(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const at = `${path}/${key}`
    if (key === 'examples' || key === 'example') return []
    if (key === 'schema') return untypedIn(value, at)
    if (key === 'schemas') return each(value, at)
    return findUntyped(value, at)
  })
}

const each = (schemas: unknown, path: string) =>
  Object.entries(schemas as Node).flatMap(([name, schema]) => untypedIn(schema, `${path}/${name}`))

const compositions = ['allOf', 'anyOf', 'oneOf']

function untypedIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const known = ['type', '$ref', ...compositions].some((key) => key in schema)
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    const at = `${path}/${key}`
    if (key === 'properties' || compositions.includes(key)) return each(value, at)
    return ['items', 'additionalProperties', 'not'].includes(key) ? untypedIn(value, at) : []
  })
  return known ? inner : [path, ...inner]
}

t.test('each schema of the documents has a type', async (t) => {
  for (const [name, text] of Object.entries(texts)) {
    t.strictSame(findUntyped(JSON.parse(text), name), [])
  }
})

t.test('tools of partners read the documents of a running service', async (t) => {
  t.equal(await findFaults(folder), '')
  const code = 'UNAUTHENTICATED'
  const refused = { 'hey-api': code, orval: code, 'swagger-typescript-api': code }
  for (const name of Object.keys(texts)) {
    t.strictSame(await runConsumer(folder, name), refused, `the clients of ${name} ask the service`)
  }
})

t.test('a gateway with the documents lets real calls pass, and no wrong ones', async (t) => {
  const gateway = await startGateway(t, url, join(folder, 'partner.json'))
  const partner = await signIn(gateway, { client_id, client_secret })
  t.match(await partner.send('GET', '/v1/me'), { status: 200, body: { client_id } })
  const { body } = await partner.send('GET', '/v1/cooperatives')
  const investorId = await partner.register()
  const order = ({ id, minimum_shares: share_count }: { id: string; minimum_shares: number }) =>
    partner.send('POST', `/v1/investors/${investorId}/share-purchases`, {
      body: { ...orderFor(id, new Date().toISOString()), share_count },
      headers: { 'idempotency-key': 'first-order' },
    })
  const placed = await order(body.items[0])
  t.match(placed, { status: 201, body: { status: 'submitted' } })
  const again = await order(body.items[1])
  t.match(again, { status: 409, body: { code: 'IDEMPOTENCY_KEY_CONFLICT' } })
  await t.rejects(partner.send('POST', '/v1/investors', { body: { partner: 1 } }), /"gateway"/)

  const sandbox = await startGateway(t, url, join(folder, 'sandbox.json'))
  const headers = { authorization: `Bearer ${partner.accessToken}` }
  const approve = `${sandbox}/sandbox/share-purchases/${placed.body.share_purchase_id}/approve`
  const decide = () => checkedFetch(approve, { method: 'POST', headers })
  t.match(await decide(), { status: 200, body: { status: 'approved' } })
  t.match(await decide(), { status: 409, body: { code: 'SHARE_PURCHASE_ILLEGAL_STATE' } })
})

t.test('a gateway with the document of operators does the same', async (t) => {
  const gateway = await startGateway(t, operatorUrl, join(folder, 'operator.json'))
  const { token } = JSON.parse(readFileSync(join(data, 'control.json'), 'utf8'))
  const call = async (name: string, input: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(input) }
    const answer = await checkedOperatorFetch(`${gateway}/operations/${name}`, init)
    return { status: answer.status, body: await answer.json() }
  }
  const maria = { name: 'maria', role: 'viewer' }
  t.match(await call('operator.create', maria), { status: 200, body: { name: 'maria' } })
  t.match(await call('operator.create', maria), { status: 409, body: { code: 'NAME_TAKEN' } })
  t.equal((await call('operator.list', {})).status, 200)
  await t.rejects(call('operator.create', { name: 'maria' }), /"gateway"/)
})
