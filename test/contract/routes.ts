import t from 'tap'
import { contractsOf, isBesideContract } from '../../fixtures/contract/check-answer.ts'
import { contract, sandbox } from '../../fixtures/contract/contract.ts'
import { findOperation } from '../../fixtures/contract/operations.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { listOperations } from '../../src/contract/document.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'
import { operationIdOf } from '../../src/http/operation-ids.ts'

const anyId = '0198c0de-0000-7000-8000-000000000001'

async function listRoutes() {
  const { app } = await createWorld()
  const routes = app['~routes'].map(({ method = '', route = '' }) => {
    return { method, route, path: route.replaceAll(/:\w+/g, anyId) }
  })
  return routes.filter(({ path }) => !isBesideContract(path))
}

/**
 * Replaces every parameter with the same text, because the route of a pinned file contains a
 * version.
 */
function formOf(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '*').replace(/\/\d+\.\d+\.\d+\./, '/*.')
}

t.test('every route has its operation in the contract or the sandbox document', async (t) => {
  for (const { method, route, path } of await listRoutes()) {
    const template =
      findOperation(method, path, contractsOf(path).newest.document)?.place[1] ?? 'none'
    t.equal(formOf(template), formOf(route), `${method} ${route}`)
  }
})

t.test('the log names each route by its operation', async (t) => {
  for (const { method, route, path } of await listRoutes()) {
    const { operationId } =
      findOperation(method, path, contractsOf(path).newest.document)?.operation ?? {}
    t.equal(operationIdOf(method, route), operationId, `${method} ${route}`)
  }
})

t.test('every operation of the contract and of the sandbox has its route', async (t) => {
  const routes = await listRoutes()
  const served = routes.map(
    ({ method, path }) => findOperation(method, path, contractsOf(path).newest.document)?.operation,
  )
  const documented = [...listOperations(contract), ...listOperations(sandbox.newest.document)]
  for (const { operation, method, template } of documented) {
    t.ok(served.includes(operation), `${method} ${template}`)
  }
  t.equal(new Set(served).size, documented.length)
})

t.test('an operation requires the scopes that the contract names', async (t) => {
  const world = await createWorld()
  for (const { operation, method, template } of listOperations(contract)) {
    const needed = operation.security[0]?.['oauth2']
    if (!needed) continue
    const path = template.replaceAll(/\{\w+\}/g, anyId)
    t.equal((await world.request(method, path)).status, 401, `${method} ${path} without a token`)
    const enough = await world.tokenWith(...scopes.filter((scope) => needed.includes(scope)))
    const { status } = await world.request(method, path, { token: enough })
    t.not(status, 403, `${method} ${path} with ${needed.join(' and ')}`)
    if (needed.length === 0) continue
    const token = await world.tokenWith(...scopes.filter((scope) => !needed.includes(scope)))
    const { body } = await world.request(method, path, { token })
    t.strictSame(body.required_scopes, needed, `${method} ${path} without them`)
  }
})

t.test('the contract has the scopes of the service', async (t) => {
  t.match(contract.components.schemas['Scope'], { 'x-extensible-enum': scopes })
})
