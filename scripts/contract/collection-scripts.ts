/**
 * Variables of the demo data, so that a new import runs against `npm start`. A run fills the empty
 * ones.
 */
export const variables: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:8080',
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

/** Later requests would ask for `null` and hide the cause. */
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

/** Whose token it is: other credentials need another token. */
const tokenOwner = "pm.variables.replaceIn('{{clientId}} at {{baseUrl}}')"

/** Values to keep from an answer of the token endpoint. */
export const keptOfToken: Readonly<Record<string, string>> = {
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

/** Sets each variable to an expression of the `body` of the answer. */
export function keep(expressions: Readonly<Record<string, string>>): string[] {
  return Object.entries(expressions).map(
    ([name, expression]) => `pm.collectionVariables.set('${name}', ${expression})`,
  )
}

/** Not every cooperative has images. */
export function onlyWith(variable: string): string[] {
  return [`if (!pm.variables.get('${variable}')) pm.execution.skipRequest()`]
}
