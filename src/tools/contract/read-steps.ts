import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import stableStringify from 'safe-stable-stringify'
import { array, type Infer, is, nullable, number, string, type } from 'superstruct'
import type { PinnedContract } from '../../contract/pinned-contract.ts'
import { accessTokenAudience, accessTokenSeconds } from '../../domain/oauth/signing-key.ts'
import { expectErrors } from './check-answer.ts'
import type { Answer } from './client.ts'
import {
  expectDigest,
  expectLatest,
  expectLatestDigest,
  expectOlderVersions,
  expectPageOfLatest,
  keepManifest,
} from './manifest.ts'
import {
  expectHeader,
  expectValues,
  findMismatch,
  type Known,
  paths,
  read,
  refused,
  type Step,
  unknownId,
} from './step.ts'

const cooperatives = '/v1/cooperatives'
const cooperative = ({ cooperativeId = unknownId }: Known) => `${cooperatives}/${cooperativeId}`

interface Versions {
  /** The versions to check against. */
  readonly contracts: readonly PinnedContract[]
  /** All versions of this program. */
  readonly ours: readonly PinnedContract[]
}

export function listReadSteps({ contracts, ours }: Versions): readonly Step[] {
  return [...openTo(ours), ...pinned(contracts), ...catalogue, ...ofNobody]
}

const fiveMinutes = expectHeader('Cache-Control', 'public, max-age=300')
const immutable = expectHeader('Cache-Control', 'public, max-age=31536000, immutable')

const openTo = (ours: readonly PinnedContract[]): readonly Step[] => [
  read('readLiveness', '/livez'),
  read('readReadiness', '/readyz'),
  {
    ...read('readAuthorizationServer', '/.well-known/oauth-authorization-server'),
    expect: [expectOwnPaths],
    // Behind a proxy, the address that the deployment knows as its own may differ from --url.
    keep: (body) => (is(body, Metadata) ? { issuer: body.issuer } : {}),
  },
  {
    ...read('readKeySet', '/.well-known/jwks.json'),
    expect: [expectTokenVerifies],
    keep: (body) => (is(body, KeySet) ? { keySet: canonical(body) } : {}),
  },
  {
    ...read('readKeySetAtOAuthPath', '/oauth2/jwks'),
    expect: [expectSameKeySet, expectTokenVerifies],
  },
  {
    ...read('readContractManifest', '/openapi/manifest.json'),
    expect: [expectLatest, expectOlderVersions(ours), fiveMinutes],
    keep: keepManifest,
  },
  {
    ...read('readLatestContractAsYaml', '/openapi.yaml'),
    expect: [expectLatestDigest('yaml'), fiveMinutes],
  },
  {
    ...read('readLatestContractAsJson', '/openapi.json'),
    expect: [expectLatestDigest('json'), fiveMinutes],
  },
  { ...read('readReferencePage', '/docs'), expect: [expectPageOfLatest] },
]

const operationByForm: Readonly<Record<string, string>> = {
  yaml: 'readContractAsYaml',
  json: 'readContractAsJson',
  'postman_collection.json': 'readContractAsCollection',
}

/** Published documents are the same everywhere. */
function pinned(contracts: readonly PinnedContract[]): Step[] {
  const files = contracts.flatMap((contract) => Object.entries(contract.files))
  return files.flatMap(([name, text]) => {
    const form = /^\d+\.\d+\.\d+\.(.+)$/.exec(name)?.[1]
    const operationId = form && operationByForm[form]
    if (!operationId) return []
    const expect = [expectDigest(() => name), immutable]
    return [{ ...read(operationId, `/openapi/${name}`), text, expect }]
  })
}

const catalogue: readonly Step[] = [
  { ...refused(read('readClient', '/v1/me'), 401, 'UNAUTHENTICATED'), isAnonymous: true },
  { ...read('readClient', '/v1/me'), expect: [expectOwnClient] },
  {
    ...read('listCooperatives', cooperatives),
    expect: [expectValues(() => ({ sort: 'created_at_desc' }))],
    provides: ['etag', 'cooperativeId', 'pictured'],
    keep: keepCooperative,
  },
  {
    ...read('listCooperatives', cooperatives),
    status: 304,
    needs: ['etag'],
    headers: ({ etag = '' }) => ({ 'if-none-match': etag }),
  },
  refused(read('listCooperatives', `${cooperatives}?sort=unknown`), 400, 'VALIDATION_ERROR'),
  {
    ...refused(read('listCooperatives', `${cooperatives}?near_lat=48`), 422, 'VALIDATION_ERROR'),
    expect: [expectErrors()],
  },
  {
    ...read('readCooperative', cooperative),
    needs: ['cooperativeId'],
    expect: [expectValues(({ cooperativeId }) => ({ id: cooperativeId }))],
  },
  {
    ...read('readCooperative', (known) => `${cooperative(known)}?expand=projects`),
    needs: ['cooperativeId'],
    provides: ['projectId'],
    keep: keepProject,
  },
  refused(read('readCooperative', `${cooperatives}/${unknownId}`), 404, 'COOPERATIVE_NOT_FOUND'),
  {
    ...read('readCooperativeImage', (known) => `/images/cooperatives/${known['pictured']}/hero`),
    needs: ['pictured'],
  },
  {
    ...read('readProjectImage', ({ projectId }) => `/images/projects/${projectId}`),
    needs: ['projectId'],
  },
]

const ofNobody: readonly Step[] = [
  refused(read('findInvestor', paths.byReference), 404, 'MANAGED_INVESTOR_NOT_FOUND'),
  refused(read('readInvestor', paths.investor), 404, 'MANAGED_INVESTOR_NOT_FOUND'),
  refused(read('listSharePurchases', paths.orders), 404, 'MANAGED_INVESTOR_NOT_FOUND'),
  refused(read('readSharePurchase', paths.order), 404, 'SHARE_PURCHASE_NOT_FOUND'),
  refused(read('listHoldings', paths.holdings), 404, 'MANAGED_INVESTOR_NOT_FOUND'),
]

const CooperativeList = type({
  items: array(
    type({
      id: string(),
      minimum_shares: number(),
      share_price: string(),
      entry_fee: string(),
      hero_image_url: nullable(string()),
    }),
  ),
})

function keepCooperative(body: unknown, headers: Headers): Known {
  if (!is(body, CooperativeList)) return {}
  const [first] = body.items
  const pictured = body.items.find(({ hero_image_url }) => hero_image_url)
  const etag = headers.get('etag')
  return {
    ...(etag && { etag }),
    ...(first && {
      cooperativeId: first.id,
      shareCount: String(first.minimum_shares),
      sharePrice: first.share_price,
      entryFee: first.entry_fee,
    }),
    ...(pictured && { pictured: pictured.id }),
  }
}

const CooperativeDetail = type({
  projects: array(type({ id: string(), image_url: nullable(string()) })),
})

function keepProject(body: unknown): Known {
  if (!is(body, CooperativeDetail)) return {}
  const pictured = body.projects.find(({ image_url }) => image_url)
  return pictured ? { projectId: pictured.id } : {}
}

const Metadata = type({ issuer: string() })

function expectOwnPaths({ body }: Answer): string | undefined {
  if (!is(body, Metadata)) return undefined
  const { issuer } = body
  const wanted = {
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  }
  return findMismatch(wanted, body)
}

/** Clocks of both sides may differ a little. */
const toleranceSeconds = 60

/** Every receiver of a token verifies it with this set of keys. */
async function expectTokenVerifies({ body }: Answer, known: Known): Promise<string | undefined> {
  const { token, issuer, clientId, scope } = known
  if (token === undefined) return undefined
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
      algorithms: ['RS256'],
      audience: accessTokenAudience,
      ...(issuer !== undefined && { issuer }),
      requiredClaims: ['exp'],
      clockTolerance: toleranceSeconds,
    })
    const left = Math.round((payload.exp ?? 0) - Date.now() / 1000)
    if (left > accessTokenSeconds + toleranceSeconds)
      return `the access token is still valid in ${left} s`
    const wanted = { client_id: clientId, token_type: 'client', scope }
    return findMismatch(wanted, payload, 'the access token: ')
  } catch (error) {
    return `the access token is not valid with these keys: ${(error as Error).message}`
  }
}

const KeySet = type({ keys: array() })

function expectSameKeySet({ body }: Answer, { keySet }: Known): string | undefined {
  if (keySet === undefined || !is(body, KeySet)) return undefined
  return keySet === canonical(body)
    ? undefined
    : 'does not match the key set at /.well-known/jwks.json'
}

/** The order of keys and members is irrelevant. */
function canonical({ keys }: Infer<typeof KeySet>): string {
  return JSON.stringify(keys.map((key) => stableStringify(key)).toSorted())
}

/** The token was requested without scopes, so it must carry all that are granted. */
function expectOwnClient({ body }: Answer, known: Known): string | undefined {
  const { clientId, token = '', scope } = known
  let organizationId: unknown
  try {
    organizationId = decodeJwt(token)['org_id']
  } catch {
    // The check of the keys reports the invalid token.
  }
  const wanted = { client_id: clientId, organization_id: organizationId }
  const { token_scopes: carried, granted_scopes: granted } = body as {
    readonly token_scopes: readonly string[]
    readonly granted_scopes: readonly string[]
  }
  return (
    findMismatch(wanted, body) ??
    findMismatch(scope && sorted(scope.split(' ')), sorted(carried), '/token_scopes') ??
    findMismatch(sorted(carried), sorted(granted), '/granted_scopes')
  )
}

function sorted(scopes: readonly string[]): readonly string[] {
  return scopes.toSorted()
}
