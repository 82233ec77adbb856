/** What a request of the collection has beside what the contract says of it. */
export interface Step {
  readonly operationId: string
  /** Query parameters that are sent; the others are there, switched off. */
  readonly query?: Readonly<Record<string, string>>
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of the body that come from variables. */
  readonly body?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly before?: readonly string[]
  readonly status: number
  /** Kept for the requests that follow. */
  readonly keep?: Readonly<Record<string, string>>
  readonly expect?: readonly string[]
}

const [cooperativeId, investorId, purchaseId] = [
  '{{cooperativeId}}',
  '{{investorId}}',
  '{{sharePurchaseId}}',
]
const investor = { investorId }
const sharePurchase = { investorId, purchaseId }

const order: readonly Step[] = [
  {
    operationId: 'issueToken',
    form: { grant_type: 'client_credentials' },
    status: 200,
    keep: { accessToken: 'access_token' },
  },
  {
    operationId: 'readClient',
    status: 200,
    expect: ["pm.expect(pm.response.json().client_id).to.equal(pm.variables.get('clientId'))"],
  },
  {
    operationId: 'listCooperatives',
    query: { q: 'allgäu' },
    status: 200,
    keep: { cooperativeId: 'items[0].id' },
  },
  {
    operationId: 'readCooperative',
    path: { id: cooperativeId },
    query: { expand: 'projects' },
    status: 200,
    keep: { projectId: 'projects.find((project) => project.image_url).id' },
  },
  {
    operationId: 'provisionInvestor',
    before: [
      "pm.collectionVariables.set('partnerCustomerRef', pm.variables.replaceIn('{{$guid}}'))",
    ],
    body: { partner_customer_ref: '{{partnerCustomerRef}}' },
    status: 201,
    keep: { investorId: 'investor_id' },
    expect: ['pm.expect(pm.response.json().is_profile_complete).to.equal(false)'],
  },
  {
    operationId: 'replaceProfile',
    path: investor,
    status: 200,
    expect: ['pm.expect(pm.response.json().missing_profile_fields).to.eql([])'],
  },
  {
    operationId: 'findInvestor',
    query: { partner_customer_ref: '{{partnerCustomerRef}}' },
    status: 200,
    expect: ["pm.expect(pm.response.json().investor_id).to.equal(pm.variables.get('investorId'))"],
  },
  { operationId: 'readInvestor', path: investor, status: 200 },
  {
    operationId: 'placeSharePurchase',
    path: investor,
    headers: { 'Idempotency-Key': '{{$guid}}' },
    body: { cooperative_id: cooperativeId },
    status: 201,
    keep: { sharePurchaseId: 'share_purchase_id' },
    expect: ["pm.expect(pm.response.json().status).to.equal('submitted')"],
  },
  {
    operationId: 'listSharePurchases',
    path: investor,
    status: 200,
    expect: ['pm.expect(pm.response.json().total_items).to.equal(1)'],
  },
  { operationId: 'readSharePurchase', path: sharePurchase, status: 200 },
  {
    operationId: 'cancelSharePurchase',
    path: sharePurchase,
    status: 200,
    expect: ["pm.expect(pm.response.json().status).to.equal('cancelled')"],
  },
  {
    operationId: 'listHoldings',
    path: investor,
    status: 200,
    expect: ['pm.expect(pm.response.json().items).to.eql([])'],
  },
]

const withoutToken: readonly Step[] = [
  { operationId: 'readAuthorizationServer', status: 200 },
  { operationId: 'readKeySet', status: 200 },
  { operationId: 'readKeySetAtOAuthPath', status: 200 },
  { operationId: 'readCooperativeImage', path: { id: cooperativeId }, status: 200 },
  { operationId: 'readProjectImage', path: { id: '{{projectId}}' }, status: 200 },
  { operationId: 'readContractManifest', status: 200 },
  { operationId: 'readLatestContractAsYaml', status: 200 },
  { operationId: 'readLatestContractAsJson', status: 200 },
  { operationId: 'readContractAsYaml', status: 200 },
  { operationId: 'readContractAsJson', status: 200 },
  { operationId: 'readContractAsCollection', status: 200 },
  { operationId: 'readLiveness', status: 200 },
  { operationId: 'readReadiness', status: 200 },
]

/** In the order in which a run makes sense. */
export const folders: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  { name: 'From a token to an order', steps: order },
  { name: 'Without a token', steps: withoutToken },
]

/** Of the demo data, so that a fresh import runs against `npm start`. */
export const variables: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:8080',
  clientId: 'd0000000-0000-4000-8000-000000000001',
  clientSecret: 'demo-bank-full-secret-for-staging-only',
  accessToken: '',
  accessTokenExpiresAt: '0',
  cooperativeId: '5a0647af-e3eb-51b5-8b01-712b95e4348b',
  projectId: '',
  partnerCustomerRef: 'c-1001',
  investorId: 'b4364b78-277c-5d6d-bdc4-fff3fc9638cf',
  sharePurchaseId: 'ba96d577-4678-5397-86e0-ed0fed1c7441',
}

/** Before each request that needs one: the token is fetched when there is none, or a minute before it expires. */
export const fetchToken: readonly string[] = [
  "const needsToken = pm.request.url.getPath().startsWith('/v1/')",
  "const isFresh = Number(pm.variables.get('accessTokenExpiresAt')) > Date.now() + 60000",
  'if (needsToken && !isFresh) {',
  "  const credentials = ['clientId', 'clientSecret'].map((name) => encodeURIComponent(pm.variables.get(name)))",
  '  pm.sendRequest({',
  "    url: pm.variables.replaceIn('{{baseUrl}}/oauth2/token'),",
  "    method: 'POST',",
  '    header: {',
  "      Authorization: 'Basic ' + btoa(credentials.join(':')),",
  "      'Content-Type': 'application/x-www-form-urlencoded',",
  '    },',
  "    body: { mode: 'urlencoded', urlencoded: [{ key: 'grant_type', value: 'client_credentials' }] },",
  '  }, (error, response) => {',
  "    if (error || response.code !== 200) throw new Error('No token: ' + (error || response.text()))",
  '    const { access_token, expires_in } = response.json()',
  "    pm.collectionVariables.set('accessToken', access_token)",
  "    pm.collectionVariables.set('accessTokenExpiresAt', String(Date.now() + expires_in * 1000))",
  '  })',
  '}',
]
