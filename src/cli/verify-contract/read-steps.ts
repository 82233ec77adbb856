import { array, type Infer, is, nullable, number, string, type } from 'superstruct'
import type { PinnedContract } from '../../contract/pinned-contract.ts'
import {
  expectOwnClient,
  expectOwnPaths,
  expectSameKeySet,
  expectTokenVerifies,
  keepIssuer,
  keepKeySet,
} from './authorization-server.ts'
import { expectErrors } from './check-answer.ts'
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
  type Known,
  nobody,
  paths,
  read,
  refused,
  type Step,
} from './step.ts'

const cooperatives = '/v1/cooperatives'
const cooperative = ({ cooperativeId = nobody }: Known) => `${cooperatives}/${cooperativeId}`

export interface Versions {
  /** The versions to check against. */
  readonly contracts: readonly PinnedContract[]
  /** All versions of this program. */
  readonly ours: readonly PinnedContract[]
}

export function listReadSteps({ contracts, ours }: Versions): readonly Step[] {
  return [...openTo(ours), ...pinned(contracts), ...catalogue, ...ofNobody]
}

const fiveMinutes = expectHeader('Cache-Control', 'public, max-age=300')
const forGood = expectHeader('Cache-Control', 'public, max-age=31536000, immutable')

const openTo = (ours: readonly PinnedContract[]): readonly Step[] => [
  read('readLiveness', '/livez'),
  read('readReadiness', '/readyz'),
  {
    ...read('readAuthorizationServer', '/.well-known/oauth-authorization-server'),
    expect: [expectOwnPaths],
    keep: keepIssuer,
  },
  {
    ...read('readKeySet', '/.well-known/jwks.json'),
    expect: [expectTokenVerifies],
    keep: keepKeySet,
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
    const expect = [expectDigest(() => name), forGood]
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
  refused(read('readCooperative', `${cooperatives}/${nobody}`), 404, 'COOPERATIVE_NOT_FOUND'),
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
    ...(first && keepOffer(first)),
    ...(pictured && { pictured: pictured.id }),
  }
}

function keepOffer(first: Infer<typeof CooperativeList>['items'][number]): Known {
  return {
    cooperativeId: first.id,
    shareCount: String(first.minimum_shares),
    sharePrice: first.share_price,
    entryFee: first.entry_fee,
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
