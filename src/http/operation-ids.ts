import { distance } from 'fastest-levenshtein'
import { deliveryOperation } from '../domain/bench/fault.ts'
import { sandboxCallNames, sandboxCalls } from '../wire/sandbox-calls.ts'

/** @returns the route of a path with parameters in braces, as documents show it */
export function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Operation ids of the contract and of the sandbox by route. */
const operationIds: Readonly<Record<string, string>> = {
  'POST /oauth2/token': 'issueToken',
  'GET /.well-known/jwks.json': 'readKeySet',
  'GET /oauth2/jwks': 'readKeySetAtOAuthPath',
  'GET /.well-known/oauth-authorization-server': 'readAuthorizationServer',
  'GET /v1/me': 'readClient',
  'GET /v1/cooperatives': 'listCooperatives',
  'GET /v1/cooperatives/:id': 'readCooperative',
  'POST /v1/investors': 'provisionInvestor',
  'GET /v1/investors': 'findInvestor',
  'GET /v1/investors/:investorId': 'readInvestor',
  'PUT /v1/investors/:investorId/profile': 'replaceProfile',
  'POST /v1/investors/:investorId/share-purchases': 'placeSharePurchase',
  'GET /v1/investors/:investorId/share-purchases': 'listSharePurchases',
  'GET /v1/investors/:investorId/share-purchases/:purchaseId': 'readSharePurchase',
  'POST /v1/investors/:investorId/share-purchases/:purchaseId/cancel': 'cancelSharePurchase',
  'GET /v1/investors/:investorId/holdings': 'listHoldings',
  'GET /images/cooperatives/:id/:kind': 'readCooperativeImage',
  'GET /images/projects/:id': 'readProjectImage',
  'GET /docs': 'readReferencePage',
  'GET /openapi.yaml': 'readLatestContractAsYaml',
  'GET /openapi.json': 'readLatestContractAsJson',
  'GET /openapi/manifest.json': 'readContractManifest',
  'GET /openapi/:version.yaml': 'readContractAsYaml',
  'GET /openapi/:version.json': 'readContractAsJson',
  'GET /openapi/:version.postman_collection.json': 'readContractAsCollection',
  ...Object.fromEntries(
    sandboxCallNames.map((name) => {
      const { method, path } = sandboxCalls[name]
      return [`${method} ${routeOf(path)}`, name]
    }),
  ),
  'GET /openapi/sandbox.json': 'readSandboxDocument',
  'GET /livez': 'readLiveness',
  'GET /readyz': 'readReadiness',
}

const allOperationIds = Object.values(operationIds)

/** The operations below /v1, whose answers have the data of a partner. */
export const apiOperations: readonly string[] = Object.entries(operationIds).flatMap(
  ([route, id]) => (route.includes(' /v1/') ? id : []),
)

/** Monitoring calls these all the time, and they are not operations of partners. */
const healthOperations: readonly unknown[] = ['readLiveness', 'readReadiness']

export function isPartnerOperation(operation: string | undefined): operation is string {
  return operation !== undefined && !healthOperations.includes(operation)
}

const benchOperations = [deliveryOperation, ...allOperationIds.filter(isPartnerOperation)]

/** Whether faults and the journal of the bench know the operation. */
export function isBenchOperation(text: string): boolean {
  return benchOperations.includes(text)
}

/** Names the most similar operation if it can be meant, and otherwise all. */
export function describeBenchOperations(unknown: string): string {
  const [closest] = benchOperations
    .map((name) => ({ name, wrong: distance(name, unknown) }))
    .filter(({ name, wrong }) => wrong <= name.length / 2)
    .sort((left, right) => left.wrong - right.wrong)
  return closest
    ? `must be an operation id of the contract or \`${deliveryOperation}\`; the most similar one is ${closest.name}`
    : `must be one of ${benchOperations.join(', ')}`
}

/** Returns undefined for other routes, such as routes of operators. */
export function operationIdOf(method: string, route: string): string | undefined {
  const asGet = method === 'HEAD' ? 'GET' : method
  return operationIds[`${asGet} ${route.replace(/\d+\.\d+\.\d+/, ':version')}`]
}
