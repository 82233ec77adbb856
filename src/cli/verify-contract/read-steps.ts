import { documents } from '../../contract/documents.ts'
import { expectValues } from './expectations.ts'
import { expectDigest, expectLatest, keepManifest } from './manifest.ts'
import { type Known, nobody, paths, read, type Step } from './step.ts'

const cooperatives = '/v1/cooperatives'
const cooperative = ({ cooperativeId = nobody }: Known) => `${cooperatives}/${cooperativeId}`

/** They change nothing. */
export function listReadSteps(): readonly Step[] {
  return [...open, ...pinned(), ...catalogue, ...ofNobody]
}

const open: readonly Step[] = [
  read('readLiveness', '/livez'),
  read('readReadiness', '/readyz'),
  read('readAuthorizationServer', '/.well-known/oauth-authorization-server'),
  read('readKeySet', '/.well-known/jwks.json'),
  read('readKeySetAtOAuthPath', '/oauth2/jwks'),
  read('readReferencePage', '/docs'),
  {
    ...read('readContractManifest', '/openapi/manifest.json'),
    expect: [expectLatest],
    keep: keepManifest,
  },
  {
    ...read('readLatestContractAsYaml', '/openapi.yaml'),
    expect: [expectDigest(({ latest }) => `${latest}.yaml`)],
  },
  {
    ...read('readLatestContractAsJson', '/openapi.json'),
    expect: [expectDigest(({ latest }) => `${latest}.json`)],
  },
]

const operationByForm: Readonly<Record<string, string>> = {
  yaml: 'readContractAsYaml',
  json: 'readContractAsJson',
  'postman_collection.json': 'readContractAsCollection',
}

/** What was published is the same everywhere. */
function pinned(): Step[] {
  return Object.entries(documents).flatMap(([name, text]) => {
    const form = /^\d+\.\d+\.\d+\.(.+)$/.exec(name)?.[1]
    const operationId = form && operationByForm[form]
    if (!operationId) return []
    const expect = [expectDigest(() => name)]
    return [{ ...read(operationId, `/openapi/${name}`), text, expect }]
  })
}

const catalogue: readonly Step[] = [
  { ...read('readClient', '/v1/me', 401), isAnonymous: true },
  read('readClient', '/v1/me'),
  { ...read('listCooperatives', cooperatives), keep: keepCooperative },
  {
    ...read('listCooperatives', cooperatives, 304),
    needs: 'etag',
    headers: ({ etag = '' }) => ({ 'if-none-match': etag }),
  },
  read('listCooperatives', `${cooperatives}?sort=unknown`, 400),
  read('listCooperatives', `${cooperatives}?near_lat=48`, 422),
  {
    ...read('readCooperative', cooperative),
    needs: 'cooperativeId',
    expect: [expectValues(({ cooperativeId }) => ({ id: cooperativeId }))],
  },
  {
    ...read('readCooperative', (known) => `${cooperative(known)}?expand=projects`),
    needs: 'cooperativeId',
    keep: keepProject,
  },
  read('readCooperative', `${cooperatives}/${nobody}`, 404),
  {
    ...read('readCooperativeImage', (known) => `/images/cooperatives/${known['pictured']}/hero`),
    needs: 'pictured',
  },
  {
    ...read('readProjectImage', ({ projectId }) => `/images/projects/${projectId}`),
    needs: 'projectId',
  },
]

const ofNobody: readonly Step[] = [
  read('findInvestor', paths.byReference, 404),
  read('readInvestor', paths.investor, 404),
  read('listSharePurchases', paths.orders, 404),
  read('readSharePurchase', paths.order, 404),
  read('listHoldings', paths.holdings, 404),
]

interface CooperativeList {
  readonly items?: readonly {
    readonly id: string
    readonly minimum_shares: number
    readonly hero_image_url: string | null
  }[]
}

function keepCooperative({ items = [] }: CooperativeList, headers: Headers): Known {
  const [first] = items
  const pictured = items.find(({ hero_image_url }) => hero_image_url)
  const etag = headers.get('etag')
  return {
    ...(etag && { etag }),
    ...(first && { cooperativeId: first.id, shareCount: String(first.minimum_shares) }),
    ...(pictured && { pictured: pictured.id }),
  }
}

interface CooperativeDetail {
  readonly projects?: readonly { readonly id: string; readonly image_url: string | null }[] | null
}

function keepProject({ projects }: CooperativeDetail): Known {
  const pictured = projects?.find(({ image_url }) => image_url)
  return pictured ? { projectId: pictured.id } : {}
}
