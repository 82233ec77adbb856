/**
 * Variables of the demo data, so that a new import runs against `npm start`. A run fills the empty
 * ones.
 */
export const variables: Readonly<Record<string, string>> = {
  baseUrl: 'https://partners.example',
  clientId: 'd0000000-0000-4000-8000-000000000001',
  clientSecret: 'demo-bank-full-secret-for-staging-only',
  accessToken: '',
  accessTokenOf: '',
  accessTokenExpiresAt: '0',
  cooperativeId: '5a0647af-e3eb-51b5-8b01-712b95e4348b',
  shareCount: '2',
  heroImageUrl: '',
  projectId: '',
  partnerCustomerRef: 'c-1001',
  investorId: 'b4364b78-277c-5d6d-bdc4-fff3fc9638cf',
  sharePurchaseId: 'ba96d577-4678-5397-86e0-ed0fed1c7441',
  otherSharePurchaseId: '',
}

/**
 * A run stops at a missing value, because later requests would ask for `null` and hide the cause.
 */
const stop = [
  'pm.execution.setNextRequest(null)',
  "console.error('The run stops here, because the next requests need the response to', pm.info.requestName)",
]

/** A test that ends the run if it fails. */
export const defineNeed: readonly string[] = [
  'const need = (name, assertion) => pm.test(name, () => {',
  '  try {',
  '    assertion()',
  '  } catch (error) {',
  ...stop.map((line) => `    ${line}`),
  '    throw error',
  '  }',
  '})',
]

/** The owner of the token. Other credentials need another token. */
const tokenOwner = "pm.variables.replaceIn('{{clientId}} at {{baseUrl}}')"

/** The values that are kept from an answer of the token endpoint. */
const keptOfToken: Readonly<Record<string, string>> = {
  accessToken: 'body.access_token',
  accessTokenOf: tokenOwner,
  accessTokenExpiresAt: 'String(Date.now() + body.expires_in * 1000)',
}

/** Paths begin with a slash, so the address before them must not end with one. */
export const trimBaseUrl: readonly string[] = [
  "pm.variables.set('baseUrl', pm.variables.replaceIn('{{baseUrl}}').replace(/\\/+$/, ''))",
]

/**
 * Runs before each request that needs a token. Fetches one if there is none, or if it expires
 * within a minute.
 */
export const fetchToken: readonly string[] = [
  "const needsToken = pm.request.url.getPath().startsWith('/v1/')",
  `const isOurs = pm.variables.get('accessTokenOf') === ${tokenOwner}`,
  "const isFresh = Number(pm.variables.get('accessTokenExpiresAt')) > Date.now() + 60000",
  'if (needsToken && !(isOurs && isFresh)) {',
  '  const [username, password] = [',
  "    encodeURIComponent(pm.variables.replaceIn('{{clientId}}')),",
  "    encodeURIComponent(pm.variables.replaceIn('{{clientSecret}}')),",
  '  ]',
  '  pm.sendRequest({',
  "    url: pm.variables.replaceIn('{{baseUrl}}/oauth2/token'),",
  "    method: 'POST',",
  "    auth: { type: 'basic', basic: [{ key: 'username', value: username }, { key: 'password', value: password }] },",
  "    body: { mode: 'urlencoded', urlencoded: [{ key: 'grant_type', value: 'client_credentials' }] },",
  '  }, (error, response) => {',
  '    // An error thrown here would be lost.',
  "    pm.test('the service issues an access token', () => {",
  "      pm.expect(error, 'error').to.equal(null)",
  '      pm.expect(response.code, response.text()).to.equal(200)',
  '    })',
  '    if (error || response.code !== 200) {',
  ...stop.map((line) => `      ${line}`),
  '      pm.execution.skipRequest()',
  '      return',
  '    }',
  '    const body = response.json()',
  ...keep(keptOfToken).map((line) => `    ${line}`),
  '  })',
  '}',
]

/** Sets each variable to the value of an expression about the `body` of the answer. */
export function keep(expressions: Readonly<Record<string, string>>): string[] {
  return Object.entries(expressions).map(
    ([name, expression]) => `pm.collectionVariables.set('${name}', ${expression})`,
  )
}

/** Not every cooperative has images. */
function onlyWith(variable: string): string[] {
  return [`if (!pm.variables.get('${variable}')) pm.execution.skipRequest()`]
}

/** The additions of the collection to a request of the contract. */
export interface Step {
  readonly operationId: string
  /** Another name, if the name in the contract would occur twice. */
  readonly name?: string
  /** The query parameters that are sent. The other parameters are present but disabled. */
  readonly query?: Readonly<Record<string, string>>
  /** Values for the parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of the body that come from variables. */
  readonly body?: Readonly<Record<string, string>>
  /** The variables that are numbers. */
  readonly numbers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly before?: readonly string[]
  readonly status: number
  /** Expectations on the `body` of the answer. */
  readonly expect?: readonly string[]
  /** Variables for later requests, as expressions about the `body` of the answer. */
  readonly keep?: Readonly<Record<string, string>>
}

const [cooperativeId, investorId] = ['{{cooperativeId}}', '{{investorId}}']
const investor = { investorId }

const placeOrder: Step = {
  operationId: 'placeSharePurchase',
  path: investor,
  headers: { 'Idempotency-Key': '{{$guid}}' },
  body: { cooperative_id: cooperativeId },
  numbers: { share_count: '{{shareCount}}' },
  status: 201,
  expect: ["pm.expect(body.status).to.equal('submitted')"],
}

const order: readonly Step[] = [
  {
    operationId: 'issueToken',
    form: { grant_type: 'client_credentials' },
    status: 200,
    keep: keptOfToken,
  },
  {
    operationId: 'readClient',
    status: 200,
    expect: ["pm.expect(body.client_id).to.equal(pm.variables.get('clientId'))"],
  },
  {
    operationId: 'listCooperatives',
    status: 200,
    expect: ["pm.expect(body.items, 'published cooperatives').to.not.be.empty"],
    keep: {
      cooperativeId: 'body.items[0].id',
      shareCount: 'String(body.items[0].minimum_shares)',
    },
  },
  {
    operationId: 'readCooperative',
    path: { id: cooperativeId },
    query: { expand: 'projects' },
    status: 200,
    keep: {
      heroImageUrl: "body.hero_image_url ?? ''",
      projectId: "body.projects.find((project) => project.image_url)?.id ?? ''",
    },
  },
  {
    operationId: 'provisionInvestor',
    before: [
      "pm.collectionVariables.set('partnerCustomerRef', pm.variables.replaceIn('{{$guid}}'))",
    ],
    body: { partner_customer_ref: '{{partnerCustomerRef}}' },
    status: 201,
    expect: ['pm.expect(body.is_profile_complete).to.equal(false)'],
    keep: { investorId: 'body.investor_id' },
  },
  {
    operationId: 'replaceProfile',
    path: investor,
    status: 200,
    expect: ['pm.expect(body.missing_profile_fields).to.eql([])'],
  },
  {
    operationId: 'findInvestor',
    query: { partner_customer_ref: '{{partnerCustomerRef}}' },
    status: 200,
    expect: ["pm.expect(body.investor_id).to.equal(pm.variables.get('investorId'))"],
  },
  { operationId: 'readInvestor', path: investor, status: 200 },
  { ...placeOrder, keep: { sharePurchaseId: 'body.share_purchase_id' } },
  {
    operationId: 'readSharePurchase',
    path: { investorId, purchaseId: '{{sharePurchaseId}}' },
    status: 200,
    expect: ["pm.expect(body.investor_id).to.equal(pm.variables.get('investorId'))"],
  },
  {
    operationId: 'listSharePurchases',
    path: investor,
    status: 200,
    expect: ['pm.expect(body.total_items).to.equal(1)'],
  },
  {
    operationId: 'listHoldings',
    path: investor,
    status: 200,
    expect: ["pm.expect(body.items[0].cooperative_id).to.equal(pm.variables.get('cooperativeId'))"],
  },
]

const takenBack: readonly Step[] = [
  {
    ...placeOrder,
    name: 'Place another order',
    keep: { otherSharePurchaseId: 'body.share_purchase_id' },
  },
  {
    operationId: 'cancelSharePurchase',
    path: { investorId, purchaseId: '{{otherSharePurchaseId}}' },
    status: 200,
    expect: ["pm.expect(body.status).to.equal('cancelled')"],
  },
]

const withoutToken: readonly Step[] = [
  { operationId: 'readAuthorizationServer', status: 200 },
  { operationId: 'readKeySet', status: 200 },
  { operationId: 'readKeySetAtOAuthPath', status: 200 },
  {
    operationId: 'readCooperativeImage',
    before: onlyWith('heroImageUrl'),
    path: { id: cooperativeId },
    status: 200,
  },
  {
    operationId: 'readProjectImage',
    before: onlyWith('projectId'),
    path: { id: '{{projectId}}' },
    status: 200,
  },
  { operationId: 'readReferencePage', status: 200 },
  { operationId: 'readContractManifest', status: 200 },
  { operationId: 'readLatestContractAsYaml', status: 200 },
  { operationId: 'readLatestContractAsJson', status: 200 },
  { operationId: 'readContractAsYaml', status: 200 },
  { operationId: 'readContractAsJson', status: 200 },
  { operationId: 'readContractAsCollection', status: 200 },
  { operationId: 'readLiveness', status: 200 },
  { operationId: 'readReadiness', status: 200 },
]

interface StepFolder {
  readonly name: string
  readonly description: string
  /** Each request needs the answers to earlier ones. */
  readonly isChain: boolean
  readonly steps: readonly Step[]
}

/** The folders, in the order of a run. */
export const folders: readonly StepFolder[] = [
  {
    name: 'From a token to an order',
    description:
      'Each request stores in variables what the next requests need: a new investor, the first cooperative in the list, and an order for the minimum number of shares. The order stays submitted until the platform decides on it.',
    isChain: true,
    steps: order,
  },
  {
    name: 'A cancelled order',
    description: 'Places another order for the same investor and cancels it.',
    isChain: true,
    steps: takenBack,
  },
  {
    name: 'Without a token',
    description: 'These requests need no token.',
    isChain: false,
    steps: withoutToken,
  },
]
