import t from 'tap'
import { type Ask, tooOften, whileFailing } from '../../fixtures/contract/ask.ts'
import { contract } from '../../fixtures/contract/contract.ts'
import { createDemoService } from '../../fixtures/contract/demo-service.ts'
import { examples } from '../../fixtures/contract/examples.ts'
import {
  examplePath,
  queryParametersOf,
  requestExample,
} from '../../fixtures/contract/operations.ts'
import type { Answer, RequestOptions } from '../../fixtures/world/world.ts'
import { type ListedOperation, listAnswers, listOperations } from '../../src/contract/document.ts'
import type { ClientKind } from '../../src/domain/oauth/client.ts'
import { Problem } from '../../src/domain/problem.ts'
import { createClient } from '../../src/usecases/oauth/clients.ts'
import { issueTestToken } from '../../src/usecases/oauth/issue-token.ts'

// No request gets this refusal, because an earlier check finds incomplete data first. A test of the
// use case covers it.
const unreachable = ['placeSharePurchase 409 PURCHASE_DEFAULTS_UNAVAILABLE']

const unknownId = '0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'
const fault = new Error('An unexpected error.')
const unavailable = new Problem(
  'SERVICE_UNAVAILABLE',
  'The service cannot accept writes at the moment.',
)

const failingBodies: readonly RequestOptions[] = [
  { body: {} },
  { body: { surplus: 1 } },
  { body: { ...requestExample('replaceProfile', 'company'), company: null } },
  { body: ' '.repeat(64 * 1024 + 1) },
  { body: 'x', headers: { 'content-type': 'text/plain' } },
]

/**
 * Makes requests with faults that are possible for any operation. Not every operation refuses all
 * of them.
 */
function requestsThatFail({ method, template, operation }: ListedOperation): Ask[] {
  const path = examplePath(template)
  const elsewhere = template.replaceAll(/\{\w+\}/g, unknownId)
  const query = queryParametersOf(operation).map((name) => `${name}=unknown`)
  const bodies = operation.requestBody ? failingBodies : [{}]
  const send =
    (to: string, options: RequestOptions): Ask =>
    ({ request, token }) =>
      request(method, to, { token, ...options })
  return [
    ...bodies.map((options) => send(path, options)),
    send(elsewhere, bodies[0] ?? {}),
    send(`${path}?${query.join('&')}`, {}),
    send(`${path}?${[...query, ...query].join('&')}`, {}),
    send(path, { token: undefined }),
    asClientWithoutScopes('partner', method, path),
    asClientWithoutScopes('internal', method, path),
    tooOften(method, path),
    whileFailing(fault, method, path),
    whileFailing(unavailable, method, path),
    ({ request, token }) => request('PATCH', path, { token }),
  ]
}

function asClientWithoutScopes(kind: ClientKind, method: string, path: string): Ask {
  return async ({ service, request }) => {
    const organization = 'Demo Bank'
    const { client } = await createClient(service, { organization, kind, grantedScopes: [] })
    const { accessToken } = await issueTestToken(service, client.clientId)
    return request(method, path, { token: accessToken })
  }
}

function nameOf(operationId: string, { status, body }: Answer): string {
  return `${operationId} ${status} ${body?.code ?? body?.error ?? 'none'}`
}

t.test('each documented error of an operation is produced by a request', async (t) => {
  const demo = await createDemoService()
  const produced = new Set<string>()
  for (const [operationId, , , ask] of examples) produced.add(nameOf(operationId, await ask(demo)))
  for (const listed of listOperations(contract)) {
    for (const ask of requestsThatFail(listed)) {
      produced.add(nameOf(listed.operation.operationId, await ask(demo)))
    }
  }
  const documented = listAnswers(contract, ['code', 'error'])
    .filter(({ status }) => status >= 400)
    .map(({ operation, status, code }) => `${operation} ${status} ${code ?? 'none'}`)
  t.ok(documented.length > 100, `${documented.length} are documented`)
  t.strictSame(
    documented.filter((error) => !produced.has(error)),
    unreachable,
  )
})
