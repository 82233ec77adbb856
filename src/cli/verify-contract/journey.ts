import { v4 } from 'uuid'

/** What is known so far: later requests are made of it. */
export interface Known {
  readonly [name: string]: string
}

export interface Step {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: (known: Known) => string
  readonly status: number
  readonly body?: (known: Known) => unknown
  readonly keep?: (body: never) => Known
}

// Of nobody: what is not there has to be refused as the contract says.
const nobody = '00000000-0000-4000-8000-000000000000'
const investor = ({ investorId = nobody }: Known) => `/v1/investors/${investorId}`
const orders = (known: Known) => `${investor(known)}/share-purchases`
const order = (known: Known) => `${orders(known)}/${known['sharePurchaseId'] ?? nobody}`
const byReference = ({ reference }: Known) => `/v1/investors?partner_customer_ref=${reference}`

const open: readonly Step[] = [
  read('readLiveness', '/livez'),
  read('readReadiness', '/readyz'),
  read('readAuthorizationServer', '/.well-known/oauth-authorization-server'),
  read('readKeySet', '/.well-known/jwks.json'),
  read('readKeySetAtOAuthPath', '/oauth2/jwks'),
  read('readContractManifest', '/openapi/manifest.json'),
  read('readLatestContractAsJson', '/openapi.json'),
]

const catalogue: readonly Step[] = [
  read('readClient', '/v1/me'),
  {
    ...read('listCooperatives', '/v1/cooperatives'),
    keep: keepCooperative,
  },
  read('readCooperative', ({ cooperativeId }) => `/v1/cooperatives/${cooperativeId ?? nobody}`),
]

const ofNobody: readonly Step[] = [
  { ...read('findInvestor', byReference), status: 404 },
  { ...read('readInvestor', investor), status: 404 },
  { ...read('listSharePurchases', orders), status: 404 },
  { ...read('readSharePurchase', order), status: 404 },
  { ...read('listHoldings', (known) => `${investor(known)}/holdings`), status: 404 },
]

const writes: readonly Step[] = [
  {
    operationId: 'provisionInvestor',
    method: 'POST',
    path: () => '/v1/investors',
    status: 201,
    body: ({ reference }) => ({ partner_customer_ref: reference, email: 'verify@mail.example' }),
    keep: ({ investor_id }: { investor_id?: string }) =>
      investor_id ? { investorId: investor_id } : {},
  },
  {
    operationId: 'replaceProfile',
    method: 'PUT',
    path: (known) => `${investor(known)}/profile`,
    status: 200,
    body: () => profile(),
  },
  read('findInvestor', byReference),
  read('readInvestor', investor),
  {
    operationId: 'placeSharePurchase',
    method: 'POST',
    path: orders,
    status: 201,
    body: orderOf,
    keep: ({ share_purchase_id }: { share_purchase_id?: string }) =>
      share_purchase_id ? { sharePurchaseId: share_purchase_id } : {},
  },
  read('listSharePurchases', orders),
  read('readSharePurchase', order),
  {
    operationId: 'cancelSharePurchase',
    method: 'POST',
    path: (known) => `${order(known)}/cancel`,
    status: 200,
  },
  read('listHoldings', (known) => `${investor(known)}/holdings`),
]

export function createJourney(write: boolean): readonly Step[] {
  return [...open, ...catalogue, ...ofNobody, ...(write ? writes : [])]
}

export function startKnowing(): Known {
  return { reference: `contract-verify-${v4()}` }
}

function read(operationId: string, path: string | Step['path']): Step {
  return {
    operationId,
    method: 'GET',
    path: path instanceof Function ? path : () => path,
    status: 200,
  }
}

function profile() {
  const given = { given: true, given_at: aMinuteAgo() }
  return {
    first_name: 'Vera',
    last_name: 'Beispiel',
    birth_date: '1984-02-29',
    address: { street: 'Am Markt', house_number: '4', postal_code: '25813', city: 'Husum' },
    bank_account: { iban: 'DE89370400440532013000' },
    consents: { terms: given, privacy: given, data_sharing: given },
  }
}

interface CooperativeList {
  readonly items?: readonly { readonly id: string; readonly minimum_shares: number }[]
}

function keepCooperative({ items }: CooperativeList): Known {
  const [first] = items ?? []
  return first ? { cooperativeId: first.id, shareCount: String(first.minimum_shares) } : {}
}

function orderOf({ cooperativeId, shareCount = '1' }: Known) {
  return {
    cooperative_id: cooperativeId,
    share_count: Number(shareCount),
    sepa_mandate: { signed_at: aMinuteAgo() },
    statute_consent_given_at: aMinuteAgo(),
  }
}

// A deployment whose clock is a little behind has to take it, too.
function aMinuteAgo(): string {
  return new Date(Date.now() - 60_000).toISOString()
}
